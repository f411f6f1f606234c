import { describe, expect, test } from 'vitest';
import { sender, service } from '#app/testing/desk-seed.ts';
import {
  agent,
  enrichmentWorld,
  newName,
  orgId,
  otherOrgId,
  portalCustomer,
  ticket,
} from '#app/testing/enrichment-kit.ts';
import { matched, modifiedAt, sampleCompany } from '#app/testing/sample-companies.ts';
import { enrichRecords } from './enrich-records.ts';

const own = { platformOrgId: orgId, crmCompanyId: '63001', companyModifiedAt: modifiedAt };

describe('linking the ticket (decision 10)', () => {
  const withOther = () => {
    const w = enrichmentWorld();
    w.desk.customers.set('theirs', { platformOrgId: otherOrgId });
    w.link('theirs');
    return w;
  };
  /** The CRM knows the sender, so the match is more than a claim. */
  const know = ({ crm }: ReturnType<typeof enrichmentWorld>) => {
    crm.answer = () => matched(sampleCompany({ emails: [sender] }));
  };

  test.each([
    ['accept', { linked: true, previous_customer: null }, null],
    ['route', { linked: false, previous_customer: null }, { code: 'claim_not_confirmed', asked: newName, found: '' }],
    ['propose', { linked: false, previous_customer: null }, { code: 'claim_not_confirmed', asked: newName, found: '' }],
  ] as const)('a claim on a ticket without customer, where claims %s', async (claims, linked, conflict) => {
    const w = enrichmentWorld({ claims });
    const data = await w.enrich({ ticket });
    expect(data.ticket).toEqual({ name: ticket, ...linked });
    expect(data.conflict ?? null).toEqual(conflict);
    expect(w.desk.customerOf(ticket)).toBe(linked.linked ? newName : null);
  });

  test('where claims route, what is more than a claim is linked', async () => {
    const w = enrichmentWorld({ claims: 'hold' });
    know(w);
    expect((await w.enrich({ ticket })).ticket).toMatchObject({ linked: true });
  });

  test('a claim never replaces a customer that the ticket has', async () => {
    const w = withOther();
    const data = await w.enrich({ ticket });
    expect(data.ticket).toEqual({ name: ticket, linked: false, previous_customer: 'theirs' });
    expect(w.desk.customerOf(ticket)).toBe('theirs');
  });

  test('what is more than a claim does, and the previous customer is told', async () => {
    const w = withOther();
    know(w);
    const data = await w.enrich({ ticket });
    expect(data.ticket).toEqual({ name: ticket, linked: true, previous_customer: 'theirs' });
    expect(w.desk.customerOf(ticket)).toBe(newName);
  });

  test('not even that replaces a customer that an agent linked by Sync', async () => {
    const w = withOther();
    know(w);
    const entry = { ticket, agent: 'an', orgId: otherOrgId, crmCompanyId: '9', previousCustomer: null, at: 1 };
    await w.syncLog.record({ ...entry, customer: 'theirs' });
    expect((await w.enrich({ ticket })).ticket).toMatchObject({ linked: false });
  });

  test('a customer whom somebody puts on the ticket meanwhile stays', async () => {
    const w = enrichmentWorld();
    w.desk.before('link', () => w.link('theirs'));
    const data = await w.enrich({ ticket });
    expect(data).toMatchObject({
      ticket: { linked: false, previous_customer: 'theirs' },
      conflict: { code: 'ticket_has_other_customer', asked: newName, found: 'theirs' },
    });
  });

  test('not even what is more than a claim takes it from a customer whom somebody puts there meanwhile', async () => {
    const w = withOther();
    know(w);
    w.desk.before('link', () => w.link('by hand'));
    expect((await w.enrich({ ticket })).ticket).toMatchObject({ linked: false, previous_customer: 'by hand' });
  });

  test('who vouches is judged once', async () => {
    const likely = () => {
      const w = enrichmentWorld({ claims: 'hold' });
      w.desk.customers.set('Shop', { platformOrgId: orgId });
      w.desk.addMember('Shop', sender);
      return w;
    };
    for (const [given, claims, times] of [
      [withOther(), 'accept', 1],
      [enrichmentWorld({ claims: 'hold' }), 'route', 1],
      [enrichmentWorld({ claims: 'accept' }), 'accept', 1],
      [likely(), 'route', 1],
    ] as const) {
      await given.enrich({ ticket });
      const asked = given.desk.calls.filter((call) => call === 'readSenderTies');
      expect(asked, claims).toHaveLength(times);
    }
  });

  test('the caller’s judgement counts where there is one: an agent’s entry that no decision holds yet', async () => {
    const w = withOther();
    const ctx = { ...w.ctx, crm: w.layers };
    const input = {
      orgId,
      force: false,
      lane: 'open',
      hdCustomer: null,
      requireBind: null,
      linksClaims: false,
    } as const;
    const file = await w.desk.fileOf(ticket);
    const claimed = await enrichRecords(ctx, { ...input, level: 'claimed', file });
    expect(claimed.data.ticket).toMatchObject({ linked: false });
    const entered = await enrichRecords(ctx, { ...input, level: 'confirmed', file });
    expect(entered.data.ticket).toEqual({ name: ticket, linked: true, previous_customer: 'theirs' });
    expect(w.desk.calls).not.toContain('readSenderTies');
    // Nobody but an agent takes a ticket from a customer that was made by hand.
    w.link('Walk-ins');
    const handMade = await w.desk.fileOf(ticket);
    const kept = await enrichRecords(ctx, { ...input, level: 'confirmed', file: handMade });
    expect(kept.data.ticket).toEqual({ name: ticket, linked: false, previous_customer: 'Walk-ins' });
  });

  test('an already linked ticket is not written again', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', { ...own, syncStatus: 'matched' });
    w.link('Shop');
    expect((await w.enrich({ ticket })).ticket).toEqual({ name: ticket, linked: true, previous_customer: 'Shop' });
    expect(w.desk.writes.some((write) => write.startsWith('link'))).toBe(false);
  });

  test('what is remembered of a linked ticket is dropped', async () => {
    const w = enrichmentWorld();
    const signal = new AbortController().signal;
    await w.ctx.gate.openTicket(agent, ticket, signal);
    await w.enrich({ ticket });
    const before = w.desk.calls.filter((call) => call === 'readTicket').length;
    await w.ctx.gate.openTicket(agent, ticket, signal);
    expect(w.desk.calls.filter((call) => call === 'readTicket')).toHaveLength(before + 1);
  });
});

describe('who may', () => {
  test('a portal customer may not, whatever the request', async () => {
    for (const input of [{}, { orgId: null }, { ticket }]) {
      const w = enrichmentWorld();
      await expect(w.enrich({ ...input, caller: portalCustomer })).rejects.toMatchObject({ code: 'not_an_agent' });
      expect(w.asked).toEqual([]);
    }
  });

  test('an agent who may only read the ticket may not', async () => {
    const w = enrichmentWorld();
    w.desk.agentsMay('HD Ticket', { write: false });
    await expect(w.enrich({ ticket })).rejects.toMatchObject({ code: 'ticket_not_writable' });
    expect([w.asked, w.desk.writes]).toEqual([[], []]);
  });

  test('a service account that the helpdesk refuses does not look like a refusal of the caller', async () => {
    const w = enrichmentWorld();
    w.desk.simulator.setRoles(service, []);
    await expect(w.enrich()).rejects.toMatchObject({ code: 'helpdesk_unavailable' });
  });
});
