import { describe, expect, test } from 'vitest';
import { sender } from '#app/testing/desk-seed.ts';
import { enrichmentWorld, newName, orgId, otherAgent, ticket } from '#app/testing/enrichment-kit.ts';
import { failed } from '#app/testing/fakes.ts';
import { matched, notFound, sampleCompany } from '#app/testing/sample-companies.ts';

const caller = 'an@desk.example';
const refused = {
  code: 'customer_not_writable',
  message: expect.stringContaining('permission to write this customer'),
};

describe('giving a customer its first org id takes the caller’s own permission to write it', () => {
  /** `Theirs` has no org id yet, and the caller may read it only. */
  function world(facts: { crmCompanyId?: string } = {}) {
    const w = enrichmentWorld();
    w.desk.customers.set('Theirs', facts);
    w.desk.demote(caller);
    return w;
  }

  test.each([
    ['without any identity', {}],
    ['known by its CRM id only', { crmCompanyId: '63001' }],
  ])('named by the caller, %s', async (_, facts) => {
    const w = world(facts);
    await expect(w.enrich({ hdCustomer: 'Theirs' })).rejects.toMatchObject(refused);
    // Nor by naming a ticket of somebody else's beside it.
    await expect(w.enrich({ hdCustomer: 'Theirs', ticket })).rejects.toMatchObject(refused);
    expect(w.desk.writes).toEqual([]);
    w.desk.promote(caller);
    expect((await w.enrich({ hdCustomer: 'Theirs' })).hd_customer).toBe('Theirs');
    expect(w.desk.customers.get('Theirs')?.platformOrgId).toBe(orgId);
  });

  test.each([{ ticket }, { ticket, hdCustomer: 'Theirs' }])(
    'but the ticket’s customer takes the permission to write the ticket, %o',
    async (input) => {
      const w = world();
      w.link('Theirs');
      w.desk.agentsMay('HD Ticket', { write: false });
      await expect(w.enrich(input)).rejects.toMatchObject({ code: 'ticket_not_writable' });
      w.desk.agentsMay('HD Ticket', { write: true });
      expect(await w.enrich(input)).toMatchObject({ hd_customer: 'Theirs', created: false, ticket: { linked: true } });
      expect([...w.desk.customers.keys()]).toEqual(['Theirs']);
      expect(w.adoptions.entries).toMatchObject([
        { customer: 'Theirs', orgId, by: 'an@desk.example', via: 'enrichment', ticket },
      ]);
    },
  );

  test('nobody profits from another caller’s permission, even at the same moment', async () => {
    const w = world();
    const [mine, theirs] = await Promise.allSettled([
      w.enrich({ hdCustomer: 'Theirs', caller: otherAgent }),
      w.enrich({ hdCustomer: 'Theirs' }),
    ]);
    expect(mine).toMatchObject({ status: 'fulfilled', value: { hd_customer: 'Theirs' } });
    // By the time that it is this one's turn, the customer may be bound; before, it is refused.
    if (theirs.status === 'rejected') expect(theirs.reason).toMatchObject(refused);
    else expect(theirs.value.changes).toEqual([]);
  });

  test('refreshing a customer that has one does not', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', { platformOrgId: orgId });
    w.desk.demote(caller);
    expect(await w.enrich({ hdCustomer: 'Shop' })).toMatchObject({ hd_customer: 'Shop', status: 'matched' });
  });

  test('noting that the CRM has no company, or failed, gives no identity and needs none', async () => {
    for (const [status, answer] of [
      ['not_found', notFound],
      ['error', failed],
    ] as const) {
      const w = world();
      w.crm.answer = () => answer;
      expect(await w.enrich({ hdCustomer: 'Theirs' })).toMatchObject({ status, hd_customer: 'Theirs' });
    }
  });

  test('a Sync makes a customer of its own, as before', async () => {
    const w = world();
    w.link('Theirs');
    expect((await w.sync()).customer).toEqual({ name: newName, created: true });
    expect(w.desk.customers.get('Theirs')).toEqual({});
  });
});

describe('a binding that was made on a claim vouches for nobody (decision 9)', () => {
  const known = () => matched(sampleCompany({ emails: [sender] }));
  const bound = async (w: ReturnType<typeof enrichmentWorld>) =>
    Object.fromEntries(await w.bindings.customersOf(orgId));

  test('it is kept as one, also where the ticket’s own customer got the org id', async () => {
    const made = enrichmentWorld();
    await made.enrich({ ticket });
    expect(await bound(made)).toEqual({ [newName]: { onClaim: true } });
    const given = enrichmentWorld();
    given.desk.customers.set('Theirs', {});
    given.link('Theirs');
    await given.enrich({ ticket });
    expect(await bound(given)).toEqual({ Theirs: { onClaim: true } });
  });

  test('the sender’s next tickets are claims like the first, though the desk has made them a member', async () => {
    const w = enrichmentWorld();
    await w.enrich({ ticket });
    w.desk.addMember(newName, sender);
    for (const isProtected of [true, false]) {
      w.desk.protect('custom_platform_orgid', isProtected);
      w.clock.advance(600_000);
      await w.enrich({ ticket });
      expect(await bound(w)).toEqual({ [newName]: { onClaim: true } });
      w.link('theirs');
      w.desk.customers.set('theirs', { platformOrgId: '1234567' as typeof orgId });
      // More than a claim would take the ticket from it.
      expect((await w.enrich({ ticket })).ticket?.linked).toBe(false);
      w.link(null);
    }
  });

  test('a sender of the company makes the customer that was made for it an ordinary one', async () => {
    const w = enrichmentWorld();
    await w.enrich({ ticket });
    w.crm.answer = known;
    await w.enrich();
    expect(await bound(w)).toEqual({ [newName]: { onClaim: true } });
    await w.enrich({ ticket });
    expect(await bound(w)).toEqual({ [newName]: { onClaim: false } });
  });

  test('but never a customer that a claim has put in its place: that takes an agent’s word', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Theirs', {});
    w.link('Theirs');
    await w.enrich({ ticket });
    w.crm.answer = known;
    await w.enrich({ ticket });
    expect(await bound(w)).toEqual({ Theirs: { onClaim: true } });
    await w.sync();
    expect(await bound(w)).toEqual({ Theirs: { onClaim: false } });
  });

  test('without a ticket there is no claim', async () => {
    const w = enrichmentWorld();
    await w.enrich();
    expect(await bound(w)).toEqual({ [newName]: { onClaim: false } });
  });
});
