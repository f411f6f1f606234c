import { describe, expect, test } from 'vitest';
import {
  enrichmentWorld,
  modifiedAt,
  newName,
  orgId,
  otherOrgId,
  portalCustomer,
  ticket,
} from '#app/testing/enrichment-kit.ts';
import { hdCustomer, ticketFile } from '#app/testing/fake-helpdesk.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import { enrichRecords } from './enrich-records.ts';

const own = { platformOrgId: orgId, crmCompanyId: '63001', companyModifiedAt: modifiedAt };

describe('linking the ticket (decision 10)', () => {
  const withOther = (origin = ticketFile(ticket, orgId).ticket.origin) => {
    const w = enrichmentWorld({ file: ticketFile(ticket, orgId, { origin }) });
    w.records.customers.set('theirs', { platformOrgId: otherOrgId });
    w.link('theirs');
    return w;
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
    expect(w.records.tickets.get(ticket)).toBe(linked.linked ? newName : null);
  });

  test('where claims route, what is more than a claim is linked', async () => {
    const w = enrichmentWorld({ claims: 'route' });
    w.helpdesk.ties = { customers: [{ name: newName, linkedBy: 'desk' }] };
    expect((await w.enrich({ ticket })).ticket).toMatchObject({ linked: true });
  });

  test('a claim never replaces a customer that the ticket has', async () => {
    const w = withOther();
    const data = await w.enrich({ ticket });
    expect(data.ticket).toEqual({ name: ticket, linked: false, previous_customer: 'theirs' });
    expect(w.records.tickets.get(ticket)).toBe('theirs');
  });

  test('what is more than a claim does, and the previous customer is told', async () => {
    const w = withOther();
    w.helpdesk.ties = { customers: [{ name: newName, linkedBy: 'desk' }] };
    const data = await w.enrich({ ticket });
    expect(data.ticket).toEqual({ name: ticket, linked: true, previous_customer: 'theirs' });
    expect(w.records.tickets.get(ticket)).toBe(newName);
  });

  test('not even that replaces a customer that an agent linked by Sync', async () => {
    const w = withOther();
    w.helpdesk.ties = { customers: [{ name: newName, linkedBy: 'desk' }] };
    const entry = { ticket, agent: 'an', orgId: otherOrgId, crmCompanyId: '9', previousCustomer: null, at: 1 };
    await w.syncLog.record({ ...entry, customer: 'theirs' });
    expect((await w.enrich({ ticket })).ticket).toMatchObject({ linked: false });
  });

  test('a customer whom somebody puts on the ticket meanwhile stays', async () => {
    const w = enrichmentWorld();
    w.records.meanwhile = [() => {}, () => w.records.setTicket(ticket, 'theirs')];
    const data = await w.enrich({ ticket });
    expect(data).toMatchObject({
      ticket: { linked: false, previous_customer: 'theirs' },
      conflict: { code: 'ticket_has_other_customer', asked: newName, found: 'theirs' },
    });
  });

  test('not even what is more than a claim takes it from a customer whom somebody puts there meanwhile', async () => {
    const w = withOther();
    w.helpdesk.ties = { customers: [{ name: newName, linkedBy: 'desk' }] };
    w.records.meanwhile = [() => {}, () => w.records.setTicket(ticket, 'by hand')];
    expect((await w.enrich({ ticket })).ticket).toMatchObject({ linked: false, previous_customer: 'by hand' });
  });

  test('who vouches is judged once', async () => {
    const likely = () => {
      const w = enrichmentWorld({ claims: 'route' });
      w.helpdesk.ties = { customers: [{ name: newName, linkedBy: 'desk' }] };
      return w;
    };
    for (const [given, claims, times] of [
      [withOther(), 'accept', 1],
      [enrichmentWorld({ claims: 'route' }), 'route', 1],
      [enrichmentWorld({ claims: 'accept' }), 'accept', 1],
      [likely(), 'route', 1],
    ] as const) {
      await given.enrich({ ticket });
      const asked = given.helpdesk.calls.filter((call) => call === 'readSenderTies');
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
    const file = ticketFile(ticket, orgId, { customer: 'theirs' });
    file.customer = hdCustomer('theirs', { custom_platform_orgid: otherOrgId });
    const claimed = await enrichRecords(ctx, { ...input, level: 'claimed', file });
    expect(claimed.data.ticket).toMatchObject({ linked: false });
    const entered = await enrichRecords(ctx, { ...input, level: 'confirmed', file });
    expect(entered.data.ticket).toEqual({ name: ticket, linked: true, previous_customer: 'theirs' });
    expect(w.helpdesk.calls).not.toContain('readSenderTies');
    // Nobody but an agent takes a ticket from a customer that was made by hand.
    w.link('Walk-ins');
    const handMade = { ...ticketFile(ticket, orgId, { customer: 'Walk-ins' }), customer: hdCustomer('Walk-ins') };
    const kept = await enrichRecords(ctx, { ...input, level: 'confirmed', file: handMade });
    expect(kept.data.ticket).toEqual({ name: ticket, linked: false, previous_customer: 'Walk-ins' });
  });

  test('an already linked ticket is not written again', async () => {
    const w = enrichmentWorld();
    w.records.customers.set('Shop', { ...own, syncStatus: 'matched' });
    w.link('Shop');
    expect((await w.enrich({ ticket })).ticket).toEqual({ name: ticket, linked: true, previous_customer: 'Shop' });
    expect(w.records.writes.some((write) => write.startsWith('link'))).toBe(false);
  });

  test('what is remembered of a linked ticket is dropped', async () => {
    const w = enrichmentWorld();
    const signal = new AbortController().signal;
    const caller = { authorization: 'token agent:agent', digest: 'agent' };
    await w.ctx.gate.openTicket(caller, ticket, signal);
    await w.enrich({ ticket });
    const before = w.helpdesk.calls.filter((call) => call === 'readTicket').length;
    await w.ctx.gate.openTicket(caller, ticket, signal);
    expect(w.helpdesk.calls.filter((call) => call === 'readTicket')).toHaveLength(before + 1);
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
    w.records.denied.add(ticket);
    await expect(w.enrich({ ticket })).rejects.toMatchObject({ code: 'ticket_not_writable' });
    expect([w.asked, w.records.writes]).toEqual([[], []]);
  });

  test('a service account that the helpdesk refuses does not look like a refusal of the caller', async () => {
    const w = enrichmentWorld();
    w.records.failure = new HelpdeskError('forbidden', 'no');
    await expect(w.enrich()).rejects.toMatchObject({ code: 'helpdesk_bad_answer' });
  });
});
