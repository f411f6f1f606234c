import { describe, expect, test } from 'vitest';
import { hdCustomer, ticketFile } from '#app/testing/fake-helpdesk.ts';
import { company, fakeCrm } from '#app/testing/fakes.ts';
import { orgId, profileWorld } from '#app/testing/profile-kit.ts';
import type { CustomerFacts } from '#ports/helpdesk/helpdesk-records.ts';

const minute = 60_000;
const modifiedAt = Date.UTC(2026, 3, 1);

/** The profile of a ticket of the customer Shop, whose record has these facts. */
function world(facts: CustomerFacts = {}, crm = fakeCrm({ [orgId]: company(orgId, { modifiedAt }) })) {
  const customer = hdCustomer('Shop', { custom_platform_orgid: orgId });
  const file = { ...ticketFile('61307', null, { customer: 'Shop' }), customer };
  const w = profileWorld({ crm, file });
  w.records.customers.set('Shop', { platformOrgId: orgId, ...facts });
  const show = async (refresh = false) => {
    await w.get(refresh);
    await w.background.idle();
    return w.records.customers.get('Shop')?.lastCheckedAt;
  };
  return { ...w, file, show };
}

describe('the time of the CRM’s answer on the customer of a profile', () => {
  test('is recorded once an answer: never the time of a hit', async () => {
    const w = world();
    const checkedAt = w.clock();
    expect(await w.show()).toBe(checkedAt);
    const { reads } = w.records;
    w.clock.advance(30 * minute);
    expect(await w.show()).toBe(checkedAt);
    expect([w.records.writes, w.records.reads]).toEqual([['update Shop lastCheckedAt'], reads]);
    expect(await w.show(true)).toBe(checkedAt + 30 * minute);
    expect(w.records.writes).toHaveLength(2);
  });

  test('is recorded of an answer from the cache too, where the record’s is older', async () => {
    const w = world();
    const { customer, ticket } = w.file;
    // The first one to ask about the company has a ticket without its customer.
    Object.assign(w.file, { customer: null, ticket: ticketFile('61307', orgId).ticket });
    const checkedAt = w.clock();
    expect(await w.show()).toBeUndefined();
    Object.assign(w.file, { customer, ticket });
    w.clock.advance(minute);
    expect(await w.show()).toBe(checkedAt);
    expect(w.crm.requests).toHaveLength(1);
  });

  test('stays where a later one is there, or the customer has become another company’s', async () => {
    const w = world({ lastCheckedAt: Date.UTC(2030, 0) });
    await w.show();
    const other = world();
    other.records.meanwhile.push(() => other.records.edit('Shop', { platformOrgId: '200000376001' as typeof orgId }));
    expect(await other.show()).toBeUndefined();
    expect([...w.records.writes, ...other.records.writes]).toEqual([]);
  });

  test('is recorded where the CRM has no company, and not where it failed', async () => {
    expect(await world({}, fakeCrm()).show()).toBeDefined();
    const crm = fakeCrm();
    crm.answer = () => ({ kind: 'failed', code: 'server_error' });
    expect(await world({}, crm).show()).toBeUndefined();
  });

  test('waits where the CRM has news that nobody has written yet: the backfill goes by it', async () => {
    expect(await world({ companyModifiedAt: modifiedAt - minute }).show()).toBeUndefined();
    expect(await world({ companyModifiedAt: modifiedAt }).show()).toBeDefined();
  });
});
