import { HelpdeskContact, HelpdeskCustomer } from '@deskside/shared/profile';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { as, generations, kind, signal, useSimulatedSite } from './testing/simulated-site.ts';

const customer = 'Gốm Sứ Làng Mơ - 200000376001';
const contact = `Trần Quang Khải-${customer}`;

describe.each(generations)('a customer with a contact, on Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);

  it('is read as the caller, with every field that the contract names', async () => {
    const file = await site.adapter().customers.readAs(as(demo.agent), { customer, contact }, signal);
    expect(HelpdeskCustomer.parse(file.customer.record)).toEqual(file.customer.record);
    expect(HelpdeskContact.parse(file.contact)).toEqual(file.contact);
    expect(file).toMatchObject({
      customer: {
        name: customer,
        crmCompanyId: '63002',
        record: { name: customer, custom_platform_orgid: '200000376001', custom_crm_company_id: '63002' },
      },
      contact: { name: contact, email_id: 'owner@gomlangmo.example' },
    });
    expect(site.simulator.journal.map(({ user }) => user)).toEqual([demo.agent.name, demo.agent.name]);
  });

  it('is one request where no contact is asked for', async () => {
    const file = await site.adapter().customers.readAs(as(demo.agent), { customer, contact: null }, signal);
    expect([file.contact, site.calls().length]).toEqual([null, 1]);
  });

  it.each(['nobody', `${customer}x`, '..', "1' or '1'='1"])(
    'is not found under %j, and nothing else is asked',
    async (name) => {
      const asked = site.adapter().customers.readAs(as(demo.agent), { customer: name, contact }, signal);
      await expect(asked).rejects.toMatchObject(kind('not_found'));
      expect(site.calls()).toHaveLength(1);
    },
  );

  it('is not given with a contact that does not exist', async () => {
    const asked = site.adapter().customers.readAs(as(demo.agent), { customer, contact: 'nobody' }, signal);
    await expect(asked).rejects.toMatchObject(kind('not_found'));
  });

  it('is nobody’s without a credential', async () => {
    const nobody = { authorization: 'token nobody:nothing' };
    const asked = site.adapter().customers.readAs(nobody, { customer, contact: null }, signal);
    await expect(asked).rejects.toMatchObject(kind('unauthenticated'));
  });
});
