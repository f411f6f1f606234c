import { OrgId } from '@deskside/shared/orgid';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { generations, signal, useSimulatedSite } from '#adapters/helpdesk-frappe/testing/simulated-site.ts';

const shop = { orgId: OrgId.parse('200000376001'), customer: 'Gốm Sứ Làng Mơ - 200000376001' };

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);

  describe('the tie between sender and customer', () => {
    const contact = (name: string, owner: string, emails: string[], customer: string | null = shop.customer) => ({
      name,
      owner,
      first_name: name,
      full_name: name,
      email_id: emails[0],
      email_ids: emails.map((email_id, index) => ({ email_id, is_primary: index === 0 ? 1 : 0 })),
      links: customer === null ? [] : [{ link_doctype: 'HD Customer', link_name: customer }],
    });
    /** From 1.28 on the customer has to list them too. */
    const members = (...names: string[]) => {
      if (generation === '1.24') return;
      const customer = site.simulator.document('HD Customer', shop.customer);
      if (customer === undefined) throw new Error('The seed has no such customer.');
      const known = customer.contacts as { contact_name: string }[];
      const contacts = [...known, ...names.map((contact_name) => ({ contact_name, is_manager: 0 }))];
      site.simulator.put('HD Customer', { ...customer, contacts });
    };
    const belongs = { customers: [{ name: shop.customer, linkedBy: 'desk' }] };

    it('is seen for the owner of the shop, in any spelling of the address, with few requests', async () => {
      const helpdesk = await site.warmed();
      await helpdesk.serviceUser(signal);
      site.simulator.clearJournal();
      expect(await helpdesk.readSenderTies(demo.portal.name, shop.orgId, signal)).toEqual(belongs);
      expect(site.simulator.journal).toHaveLength(generation === '1.24' ? 3 : 2);
      expect(new Set(site.simulator.journal.map(({ user }) => user))).toEqual(new Set([demo.service.name]));
      site.simulator.clearJournal();
      const spelled = ` ${demo.portal.name.toUpperCase()} `;
      expect(await helpdesk.readSenderTies(spelled, shop.orgId, signal)).toEqual(belongs);
      // Who is of the desk is remembered for a minute.
      expect(site.simulator.journal).toHaveLength(2);
    });

    it('is none for strangers, for other org ids, and for org ids that the database only takes for the same', async () => {
      const helpdesk = await site.warmed();
      const none = { customers: [] };
      const ties = (sender: string, orgId: string) => helpdesk.readSenderTies(sender, OrgId.parse(orgId), signal);
      expect(await ties('khach.vang.lai@hopthu.example', shop.orgId)).toEqual(none);
      expect(await ties(demo.portal.name, '1000391001')).toEqual(none);
      expect(await ties(demo.portal.name, `0${shop.orgId}`)).toEqual(none);
      expect(await ties(' ', shop.orgId)).toEqual(none);
    });

    it('is not seen for an org id that a field of type Int only takes for the same', async () => {
      const { upstream } = await site.another((seed) => {
        const fields = seed.customFields['HD Customer'] ?? [];
        seed.customFields = {
          ...seed.customFields,
          'HD Customer': fields.map((field) =>
            field.fieldname === 'custom_platform_orgid' ? { ...field, fieldtype: 'Int' } : field,
          ),
        };
        for (const customer of seed.documents['HD Customer'] ?? []) {
          customer.custom_platform_orgid = Number(customer.custom_platform_orgid ?? 0);
        }
      });
      const helpdesk = site.adapter({ upstream });
      expect(await helpdesk.readSenderTies(demo.portal.name, shop.orgId, signal)).toEqual(belongs);
      const other = OrgId.parse(`0${shop.orgId}`);
      expect(await helpdesk.readSenderTies(demo.portal.name, other, signal)).toEqual({ customers: [] });
    });

    it('made by the customer proves nothing', async () => {
      const ties = await (await site.warmed()).readSenderTies(demo.forger.name, shop.orgId, signal);
      const own = { customers: [{ name: shop.customer, linkedBy: 'sender' }] };
      expect(ties).toEqual(generation === '1.24' ? own : { customers: [] });
    });

    it('made by another customer proves nothing either', async () => {
      site.simulator.put('Contact', contact('Second Account', demo.forger.name, ['accomplice@hopthu.example']));
      const ties = await (await site.warmed()).readSenderTies('accomplice@hopthu.example', shop.orgId, signal);
      const theirs = { customers: [{ name: shop.customer, linkedBy: 'website_user' }] };
      expect(ties).toEqual(generation === '1.24' ? theirs : { customers: [] });
    });

    it.each([
      ['an importer without an agent’s record', demo.sysonly.name],
      ['the helpdesk itself', 'Administrator'],
    ])('that %s made counts as an agent’s does', async (_, owner) => {
      site.simulator.put('Contact', contact('Kho Hàng', owner, ['kho@mo.example']));
      members('Kho Hàng');
      const ties = await (await site.warmed()).readSenderTies('kho@mo.example', shop.orgId, signal);
      expect(ties).toEqual(belongs);
    });

    it('that our own account made does not', async () => {
      site.simulator.put('Contact', contact('Tự Động', demo.service.name, ['tu.dong@mo.example']));
      const ties = await (await site.warmed()).readSenderTies('tu.dong@mo.example', shop.orgId, signal);
      const ours = { customers: [{ name: shop.customer, linkedBy: 'website_user' }] };
      expect(ties).toEqual(generation === '1.24' ? ours : { customers: [] });
    });

    it('that people of the desk made for themselves does not', async () => {
      site.simulator.put('Contact', contact('Tự Gắn', demo.agent.name, [demo.agent.name]));
      const ties = await (await site.warmed()).readSenderTies(demo.agent.name, shop.orgId, signal);
      const own = { customers: [{ name: shop.customer, linkedBy: 'sender' }] };
      expect(ties).toEqual(generation === '1.24' ? own : { customers: [] });
    });

    it('that an agent made counts, also by a second address', async () => {
      site.simulator.put('Contact', contact('Kế Toán', demo.agent.name, ['first@mo.example', 'ke.toan@mo.example']));
      members('Kế Toán');
      const ties = await (await site.warmed()).readSenderTies('ke.toan@mo.example', shop.orgId, signal);
      expect(ties).toEqual(belongs);
    });

    it('is not seen for an address that the database only takes for the same', async () => {
      site.simulator.put('Contact', contact('Giam Doc', demo.agent.name, ['giamdoc@mo.example']));
      members('Giam Doc');
      const ties = await (await site.warmed()).readSenderTies('giámdóc@mo.example', shop.orgId, signal);
      expect(ties).toEqual({ customers: [] });
    });
  });
});
