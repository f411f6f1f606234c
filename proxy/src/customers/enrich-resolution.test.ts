import { describe, expect, test } from 'vitest';
import { matched, sampleCompany } from '#crm/testing/sample-companies.ts';
import { sender } from '#testing/desk-seed.ts';
import { enrichmentWorld, newName, orgId, otherAgent, otherOrgId, ticket } from '#testing/enrichment-kit.ts';

describe('customer resolution, in the specification’s order', () => {
  const four = (w: ReturnType<typeof enrichmentWorld>) => {
    w.desk.customers.set('passed', {});
    w.desk.customers.set('of ticket', {});
    w.desk.customers.set('by org id', { platformOrgId: orgId });
    w.desk.customers.set('by crm id', { crmCompanyId: '63001' });
    w.link('of ticket');
  };

  test.each<[string, { hd_customer?: string; ticket?: string }, string, string[]]>([
    ['1: passed by the caller', { hd_customer: 'passed', ticket }, 'passed', []],
    ['2: the ticket’s', { ticket }, 'of ticket', ['by org id']],
    ['3: by org id', {}, 'by org id', []],
    ['4: by CRM id', {}, 'by crm id', ['by org id']],
  ])('%s', async (_, asked, expected, without) => {
    const w = enrichmentWorld();
    four(w);
    for (const name of without) w.desk.customers.delete(name);
    expect((await w.enrich(asked)).hd_customer).toBe(expected);
  });

  test('1: passed by the caller, an agent: the ticket is linked, also over another customer and to a held claim', async () => {
    const w = enrichmentWorld({ claims: 'hold' });
    four(w);
    expect(await w.enrich({ hd_customer: 'passed', ticket })).toMatchObject({
      ticket: { linked: true, previous_customer: 'of ticket' },
      conflict: null,
    });
    expect(w.desk.customerOf(ticket)).toBe('passed');
    w.link(null);
    expect((await w.enrich({ hd_customer: 'passed', ticket })).ticket).toMatchObject({ linked: true });
    expect(w.desk.customerOf(ticket)).toBe('passed');
  });

  test('1: passed by an integration: a ticket that has another customer keeps it, and the caller is told', async () => {
    const w = enrichmentWorld({ made: { custom_orgid: orgId, owner: 'ba@desk.example' } });
    four(w);
    w.desk.employ('ba@desk.example', ['System Manager']);
    w.desk.remove('HD Agent', 'ba@desk.example');
    expect(await w.enrich({ hd_customer: 'passed', ticket, caller: otherAgent })).toMatchObject({
      ticket: { linked: false, previous_customer: 'of ticket' },
      conflict: { code: 'ticket_has_other_customer', asked: 'passed', found: 'of ticket' },
    });
    expect(w.desk.customerOf(ticket)).toBe('of ticket');
  });

  test('2: the ticket’s, of two that have the org id', async () => {
    const w = enrichmentWorld();
    for (const name of ['by org id', 'of ticket']) {
      w.desk.customers.set(name, { platformOrgId: orgId });
      w.clock.advance(60_000);
    }
    w.link('of ticket');
    expect((await w.enrich()).hd_customer).toBe('by org id');
    expect((await w.enrich({ ticket })).hd_customer).toBe('of ticket');
  });

  test('1: not passed by an agent who may not write customers; once it is the company’s, nobody is asked', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('passed', {});
    w.desk.demote('an@desk.example');
    await expect(w.enrich({ hd_customer: 'passed' })).rejects.toMatchObject({ code: 'customer_not_writable' });
    expect(w.desk.customers.get('passed')).toEqual({});
    w.desk.customers.edit('passed', { platformOrgId: orgId });
    expect((await w.enrich({ hd_customer: 'passed' })).hd_customer).toBe('passed');
  });

  test.each(['may', 'may not'])(
    '2: not the ticket’s where a website user manages it: who asks %s write customers',
    async (may) => {
      const w = enrichmentWorld();
      w.desk.customers.set('of ticket', {});
      w.link('of ticket');
      const { isDeskOnly } = w.desk.helpdesk.rights;
      w.desk.helpdesk.rights.isDeskOnly = async () => false;
      if (may === 'may not') w.desk.demote('an@desk.example');
      const conflict = { code: 'ticket_has_other_customer', asked: orgId, found: 'of ticket' };
      await expect(w.enrich({ ticket })).rejects.toMatchObject({ code: 'identity_conflict', conflict });
      expect(w.desk.customers.get('of ticket')).toEqual({});
      w.desk.helpdesk.rights.isDeskOnly = isDeskOnly;
      expect((await w.enrich({ ticket })).hd_customer).toBe('of ticket');
    },
  );

  test('the ticket’s, made by hand, does not become a twin: who has the org id comes first', async () => {
    const w = enrichmentWorld();
    four(w);
    expect(await w.enrich({ ticket })).toMatchObject({
      hd_customer: 'by org id',
      ticket: { linked: false, previous_customer: 'of ticket' },
      conflict: { code: 'ticket_has_other_customer' },
    });
    expect(w.desk.customers.get('of ticket')).toEqual({});
    // Nor does the ticket change hands for a sender whom the CRM knows.
    w.crm.answer = () => matched(sampleCompany({ emails: [sender] }));
    expect((await w.enrich({ ticket })).ticket).toMatchObject({ linked: false });
    expect(w.desk.customerOf(ticket)).toBe('of ticket');
  });

  describe('where a portal user could have written the CRM id', () => {
    const open = () => {
      const w = enrichmentWorld();
      w.desk.protect('custom_crm_company_id', false);
      w.desk.customers.set('theirs', { crmCompanyId: '63001' });
      return w;
    };

    test('it leads to no customer: a new one is made, and a sync makes one too', async () => {
      const w = open();
      expect(await w.enrich()).toMatchObject({ hd_customer: newName, created: true, conflict: null });
      const again = open();
      again.link('theirs');
      expect((await again.sync()).customer).toEqual({ name: newName, created: true });
      expect(again.desk.customers.get('theirs')).toEqual({ crmCompanyId: '63001' });
    });

    test('it still does where the customer has this org id', async () => {
      const w = open();
      w.desk.customers.edit('theirs', { platformOrgId: orgId });
      expect((await w.enrich()).hd_customer).toBe('theirs');
    });
  });

  describe('a customer that has the org id only in its name', () => {
    /** Website users may write customers that they manage. */
    const named = ({ isManaged = false } = {}) => {
      const w = enrichmentWorld();
      const { desk } = w;
      desk.customers.set(newName, {});
      desk.protect('custom_crm_company_id', false);
      if (!isManaged) return w;
      desk.openToAll('HD Customer');
      desk.put('Contact', 'Sly', { first_name: 'Sly', user: 'sly@else.example', email_ids: [], links: [] });
      desk.save('HD Customer', newName, { contacts: [{ contact_name: 'Sly', is_manager: 1 }] });
      return w;
    };
    const untouched = (w: ReturnType<typeof named>) => {
      expect(w.desk.customers.get(newName)).toEqual({});
      expect(w.desk.writes).toEqual([]);
    };
    const taken = { code: 'identity_conflict', conflict: { code: 'name_taken', asked: orgId, found: newName } };
    const numbered = `Shop ${orgId} (2) - ${orgId}`;

    test('is found by nobody: where the desk has called it so, no twin is made', async () => {
      const w = named();
      await expect(w.enrich()).rejects.toMatchObject(taken);
      // Nor for a sender whom the CRM knows.
      w.crm.answer = () => matched(sampleCompany({ emails: [sender] }));
      await expect(w.enrich({ ticket })).rejects.toMatchObject(taken);
      untouched(w);
    });

    test('is found by nobody: where a website user may have called it so, the company’s own has a number', async () => {
      const w = named({ isManaged: true });
      expect((await w.enrich()).hd_customer).toBe(numbered);
      expect(w.desk.customers.get(newName)).toEqual({});
    });

    test('is taken as the ticket’s own, or the caller’s, where no website user may rename it', async () => {
      const ofTicket = named();
      ofTicket.link(newName);
      expect(await ofTicket.enrich({ ticket })).toMatchObject({ hd_customer: newName, ticket: { linked: true } });
      expect(ofTicket.desk.customers.get(newName)).toMatchObject({ platformOrgId: orgId });
      const synced = named();
      synced.link(newName);
      expect((await synced.sync()).customer).toEqual({ name: newName, created: false });
      const passed = named();
      expect((await passed.enrich({ hd_customer: newName })).hd_customer).toBe(newName);
    });

    test('is nobody’s where a website user may: an agent may say that it is the company, by a Sync', async () => {
      const w = named({ isManaged: true });
      w.link(newName);
      const { adoptable } = await w.sync({ action: 'preview' });
      expect(adoptable).toEqual([{ name: newName, of_ticket: true, may_adopt: true, outsiders: ['everyone'] }]);
      expect((await w.sync({ adopt: newName })).customer).toMatchObject({ name: newName, adopted: true });
    });
  });

  test('passed, but with another org id: 409 with both, nothing written (decision 11)', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('theirs', { platformOrgId: otherOrgId });
    await expect(w.enrich({ hd_customer: 'theirs' })).rejects.toMatchObject({
      code: 'identity_conflict',
      conflict: { code: 'customer_has_other_orgid', asked: orgId, found: otherOrgId },
    });
    expect(w.desk.writes).toEqual([]);
  });
});
