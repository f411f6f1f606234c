import type { ClaimsMode } from '@deskside/shared/routing';
import { describe, expect, test } from 'vitest';
import { sender, service } from '#testing/desk-seed.ts';
import { agent, enrichmentWorld, newName, orgId, otherOrgId, ticket } from '#testing/enrichment-kit.ts';
import { matched, sampleCompany } from '#testing/sample-companies.ts';
import { enrichRecords } from './enrich.ts';

describe('linking the ticket (decision 9)', () => {
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

  test('where claims are held, a claim is no customer, and the answer says so', async () => {
    const w = enrichmentWorld({ claims: 'hold' });
    expect(await w.enrich({ ticket })).toMatchObject({
      ticket: { name: ticket, linked: false, previous_customer: null },
      conflict: { code: 'claim_not_confirmed', asked: newName, found: '' },
    });
    expect(w.desk.customerOf(ticket)).toBeNull();
  });

  test.each([
    ['a claim', (_: ReturnType<typeof enrichmentWorld>) => {}],
    ['what is more than a claim', know],
  ])('%s never replaces a customer that the ticket has: a Sync alone does', async (_, given) => {
    const w = withOther();
    given(w);
    const data = await w.enrich({ ticket });
    expect(data).toMatchObject({
      hd_customer: newName,
      ticket: { name: ticket, linked: false, previous_customer: 'theirs' },
      conflict: { code: 'customer_has_other_orgid', asked: orgId, found: otherOrgId },
    });
    expect(w.desk.customerOf(ticket)).toBe('theirs');
    expect(w.desk.customers.get('theirs')).toEqual({ platformOrgId: otherOrgId });
    await w.sync();
    expect(w.desk.customerOf(ticket)).toBe(newName);
  });

  test.each([
    ['a claim', (_: ReturnType<typeof enrichmentWorld>) => {}],
    ['what is more than a claim', know],
  ])('%s leaves a customer whom somebody puts on the ticket meanwhile', async (_, given) => {
    const w = enrichmentWorld();
    given(w);
    w.desk.before('link', () => w.link('theirs'));
    expect(await w.enrich({ ticket })).toMatchObject({
      ticket: { linked: false, previous_customer: 'theirs' },
      conflict: { code: 'ticket_has_other_customer', asked: newName, found: 'theirs' },
    });
    expect(w.desk.customerOf(ticket)).toBe('theirs');
  });

  test('the caller’s judgement counts where there is one', async () => {
    const w = enrichmentWorld({ claims: 'hold' });
    const input = { orgId, how: { refresh: false, lane: 'open' }, file: await w.desk.fileOf(ticket) } as const;
    const linked = async (level: 'claimed' | 'likely') =>
      (await enrichRecords({ ...w.ctx, crm: w.layers }, { ...input, level })).data.ticket?.linked;
    expect([await linked('claimed'), await linked('likely')]).toEqual([false, true]);
  });

  test('what is remembered of a linked ticket is dropped', async () => {
    const w = enrichmentWorld();
    const signal = new AbortController().signal;
    await w.ctx.gate.openTicket(agent, ticket, signal);
    await w.enrich({ ticket });
    const before = w.desk.calls.filter((call) => call === 'tickets.readAs').length;
    await w.ctx.gate.openTicket(agent, ticket, signal);
    expect(w.desk.calls.filter((call) => call === 'tickets.readAs')).toHaveLength(before + 1);
  });
});

test.each<ClaimsMode>(['accept', 'hold'])(
  'a ticket that somebody else reads from the moment at which it is linked loses its customer again (claims %s)',
  async (claims) => {
    const stranger = 'ke@hopthu.example';
    const w = enrichmentWorld({ claims });
    w.crm.answer = () => matched(sampleCompany({ emails: [sender] }));
    w.desk.put('User', stranger, { user_type: 'Website User', enabled: 1, roles: [] });
    w.desk.put('Contact', stranger, { owner: stranger, email_id: sender });
    w.desk.before('link', () => w.desk.put('HD Ticket', ticket, { contact: stranger }));
    await expect(w.enrich({ ticket })).rejects.toMatchObject({
      code: 'ticket_read_by_other',
      conflict: { code: 'read_by_other', asked: ticket, found: stranger },
    });
    expect(w.desk.customerOf(ticket)).toBeNull();
    expect(w.desk.routingOf(ticket)).toMatchObject({ crmLastCheckedAt: null });
  },
);

describe('who may', () => {
  test('an agent who may only read the ticket may not', async () => {
    const w = enrichmentWorld();
    w.desk.agentsMay('HD Ticket', { write: false });
    await expect(w.enrich({ ticket })).rejects.toMatchObject({ code: 'ticket_not_writable' });
    expect([w.asked, w.desk.writes]).toEqual([[], []]);
  });

  test('a service account that the helpdesk refuses does not look like a refusal of the caller', async () => {
    const w = enrichmentWorld();
    w.desk.simulator.setRoles(service, []);
    await expect(w.enrich()).rejects.toMatchObject({ code: 'helpdesk_refused' });
  });
});
