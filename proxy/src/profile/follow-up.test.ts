import { describe, expect, test } from 'vitest';
import { fakeCrm } from '#crm/testing/fakes.ts';
import { growing } from '#crm/testing/sample-companies.ts';
import type { CustomerFacts } from '#helpdesk/fields.ts';
import { company } from '#store/testing/sample-company.ts';
import { orgId, profileWorld } from '#testing/profile-kit.ts';

const minute = 60_000;
const modifiedAt = Date.UTC(2026, 3, 1);

/** The profile of a ticket of the customer Shop, whose record has these facts. */
function world(facts: CustomerFacts = {}, crm = fakeCrm({ [orgId]: company(orgId, { modifiedAt }) })) {
  const w = profileWorld({ crm, made: { custom_orgid: null } });
  w.desk.customers.set('Shop', { platformOrgId: orgId, ...facts });
  w.desk.setsCustomer('61307', 'Shop');
  const show = async (refresh = false) => {
    await w.get(refresh);
    await w.background.idle();
    return w.desk.customers.get('Shop')?.lastCheckedAt;
  };
  return { ...w, show };
}

describe('the time of the CRM’s answer on the customer of a profile', () => {
  test('is recorded once an answer: never the time of a hit', async () => {
    const w = world();
    const checkedAt = w.clock();
    expect(await w.show()).toBe(checkedAt);
    const checks = () => w.desk.calls.filter((call) => call === 'customers.read').length;
    const before = checks();
    w.clock.advance(30 * minute);
    expect(await w.show()).toBe(checkedAt);
    expect([w.desk.writes, checks()]).toEqual([['update Shop lastCheckedAt'], before]);
    // A refresh brings all of the customer up to date.
    expect(await w.show(true)).toBe(checkedAt + 30 * minute);
    expect(w.desk.writes.slice(1)).toEqual([expect.stringMatching(/^update Shop .* lastCheckedAt$/), 'snapshot 69001']);
  });

  test('is recorded of an answer from the cache too, where the record’s is older', async () => {
    const w = world();
    // The first one to ask about the company has a ticket without its customer.
    w.desk.changes('61307', 'an@desk.example', { custom_orgid: orgId, customer: null });
    const checkedAt = w.clock();
    expect(await w.show()).toBeUndefined();
    w.desk.changes('61307', 'an@desk.example', { custom_orgid: null, customer: 'Shop' });
    w.clock.advance(minute);
    expect(await w.show()).toBe(checkedAt);
    expect(w.crm.requests).toHaveLength(1);
  });

  test('stays where a later one is there, or the customer has become another company’s', async () => {
    const w = world({ lastCheckedAt: Date.UTC(2030, 0) });
    await w.show();
    const other = world();
    other.desk.before('update', () => other.desk.customers.edit('Shop', { platformOrgId: growing }));
    expect(await other.show()).toBeUndefined();
    expect([...w.desk.writes, ...other.desk.writes]).toEqual([]);
  });

  test('no refresh makes a customer the company again whose org id has been taken off by then', async () => {
    const w = world();
    await w.get(true);
    w.desk.put('HD Customer', 'Shop', { custom_platform_orgid: null });
    await w.background.idle();
    expect(w.desk.customers.get('Shop')?.platformOrgId).toBeUndefined();
    expect(w.desk.writes).toEqual([]);
  });

  test('is recorded where the CRM has no company, and not where it failed', async () => {
    expect(await world({}, fakeCrm()).show()).toBeDefined();
    const crm = fakeCrm();
    crm.answer = () => ({ kind: 'failed', code: 'server_error' });
    expect(await world({}, crm).show()).toBeUndefined();
  });

  test('waits where the CRM has news that nobody has written yet: a refresh of all goes by it', async () => {
    expect(await world({ companyModifiedAt: modifiedAt - minute }).show()).toBeUndefined();
    expect(await world({ companyModifiedAt: modifiedAt }).show()).toBeDefined();
  });
});
