import { describe, expect, test } from 'vitest';
import { enrichmentWorld, newName, orgId, ticket } from '#app/testing/enrichment-kit.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';

const refused = {
  code: 'customer_not_writable',
  message: expect.stringContaining('permission to write this customer'),
};

describe('giving a customer its first org id takes the caller’s own permission to write it', () => {
  /** `Theirs` has no org id yet, and the caller may read it only. */
  function world(facts: { crmCompanyId?: string } = {}) {
    const w = enrichmentWorld();
    w.records.customers.set('Theirs', facts);
    w.records.readOnly.add('Theirs');
    return w;
  }

  test.each([
    ['without any identity', {}],
    ['known by its CRM id only', { crmCompanyId: '63001' }],
  ])('named by the caller or by the ticket, %s', async (_, facts) => {
    for (const input of [{ hdCustomer: 'Theirs' }, { ticket }]) {
      const w = world(facts);
      w.link('Theirs');
      await expect(w.enrich(input)).rejects.toMatchObject(refused);
      expect(w.records.writes).toEqual([]);
      w.records.readOnly.clear();
      expect((await w.enrich(input)).hd_customer).toBe('Theirs');
      expect(w.records.customers.get('Theirs')?.platformOrgId).toBe(orgId);
    }
  });

  test('nobody profits from another caller’s permission, even at the same moment', async () => {
    const w = world();
    w.records.requireCustomerWrite = async ({ authorization }) => {
      if (authorization === 'token agent') throw new HelpdeskError('forbidden', 'denied');
    };
    const manager = { authorization: 'token manager', digest: 'manager' };
    w.helpdesk.identify = async () => ({ id: 'x@desk.example', fullName: null, language: null, isAgent: true });
    const [mine, theirs] = await Promise.allSettled([
      w.enrich({ hdCustomer: 'Theirs', caller: manager }),
      w.enrich({ hdCustomer: 'Theirs' }),
    ]);
    expect(mine).toMatchObject({ status: 'fulfilled', value: { hd_customer: 'Theirs' } });
    // By the time that it is this one's turn, the customer may be bound; before, it is refused.
    if (theirs.status === 'rejected') expect(theirs.reason).toMatchObject(refused);
    else expect(theirs.value.changes).toEqual([]);
  });

  test('refreshing a customer that has one does not', async () => {
    const w = enrichmentWorld();
    w.records.customers.set('Shop', { platformOrgId: orgId });
    w.records.readOnly.add('Shop');
    expect(await w.enrich({ hdCustomer: 'Shop' })).toMatchObject({ hd_customer: 'Shop', status: 'matched' });
  });

  test('noting that the CRM has no company, or failed, gives no identity and needs none', async () => {
    for (const [status, outcome] of [
      ['not_found', 'not_found'],
      ['error', null],
    ] as const) {
      const w = world();
      w.crm.answer = () => ({ status, outcome });
      expect(await w.enrich({ hdCustomer: 'Theirs' })).toMatchObject({ status, hd_customer: 'Theirs' });
    }
  });

  test('a Sync makes a customer of its own, as before', async () => {
    const w = world();
    w.link('Theirs');
    expect((await w.sync()).customer).toEqual({ name: newName, created: true });
    expect(w.records.customers.get('Theirs')).toEqual({});
  });
});
