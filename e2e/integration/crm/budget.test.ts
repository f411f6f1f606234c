import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { writesOf } from '../enrichment-kit.ts';
import { keyOf, profileOf, world } from '../kit.ts';

const ticket = demo.tickets.matched;
const generations = ['1.24', '1.28'] as const;

/** Requests that the service account made after an answer do not count against it. */
function asCaller(journal: { user: string | null }[]) {
  return journal.filter(({ user }) => user === demo.agent.name);
}

describe.each(generations)('Helpdesk %s', (generation) => {
  test('a cold profile makes 1 CRM request and at most 2 helpdesk requests before it answers', async () => {
    const w = await world({ generation });
    expect((await fetch(`${w.proxyUrl}/readyz`)).status).toBe(200);
    await w.idle();
    w.helpdesk.clearJournal();
    // What comes later is not answered, so the profile cannot have waited for it.
    w.helpdesk.fault = () => (w.helpdesk.journal.length > 2 ? 'hang' : null);
    expect((await profileOf(w, ticket)).bitrix.status).toBe('matched');
    expect(w.crm.journal).toMatchObject([{ method: 'batch' }]);
    expect(asCaller(w.helpdesk.journal)).toHaveLength(2);
  });

  test('a cached profile makes no CRM request, and within 10 s no helpdesk request either', async () => {
    const w = await world({ generation });
    // Its owner's address stands there already: a write would make the ticket be read again.
    const { responsibleSet } = demo.tickets;
    await profileOf(w, responsibleSet);
    await w.idle();
    expect((await profileOf(w, responsibleSet)).pending).toEqual([]);
    w.crm.clearJournal();
    w.helpdesk.clearJournal();
    expect((await profileOf(w, responsibleSet)).bitrix).toMatchObject({
      status: 'cached',
      cached: true,
      outcome: 'matched',
    });
    expect(w.crm.journal).toEqual([]);
    expect(asCaller(w.helpdesk.journal)).toEqual([]);
  });
});

test('with a webhook of its own for owners, a cold profile makes 2 CRM requests', async () => {
  const w = await world({ withResponsibleWebhook: true });
  const { bitrix } = await profileOf(w, ticket);
  expect(bitrix.responsible?.status).toBe('active');
  expect(w.crm.journal.map(({ method, webhook }) => [method, webhook])).toEqual([
    ['batch', 'crm_only'],
    ['user.get', 'responsible'],
  ]);
});

test('50 agents who open tickets of one company at once make 1 CRM request', async () => {
  const w = await world();
  const credentials = [demo.agent, demo.manager].map(keyOf);
  const opens = Array.from({ length: 50 }, (_, i) => profileOf(w, ticket, { authorization: credentials[i % 2] ?? '' }));
  const profiles = await Promise.all(opens);
  expect(new Set(profiles.map(({ bitrix }) => bitrix.company?.company_id)).size).toBe(1);
  expect(w.crm.journal).toHaveLength(1);
});

test('a refresh asks the CRM once, also inside the TTL', async () => {
  const w = await world();
  await profileOf(w, ticket);
  expect((await profileOf(w, ticket, { refresh: 1 })).bitrix).toMatchObject({ status: 'matched', cached: false });
  expect(w.crm.journal).toHaveLength(2);
});

test('several candidates are one CRM request', async () => {
  const w = await world();
  const { bitrix } = await profileOf(w, demo.tickets.secondCandidate);
  expect(bitrix).toMatchObject({
    lookup_candidates: ['200000317825', '1900000017'],
    lookup_value: '1900000017',
    status: 'matched',
  });
  expect(w.crm.journal).toHaveLength(1);
});

const ticketWritesOf = (w: Parameters<typeof writesOf>[0]) =>
  writesOf(w).filter((write) => write.startsWith('PUT HD Ticket'));

test("the owner's e-mail is written to the ticket after the answer, once, and only while it differs", async () => {
  const w = await world();
  const [first] = await Promise.all(Array.from({ length: 10 }, () => profileOf(w, ticket)));
  const email = first?.bitrix.responsible?.email;
  await w.idle();
  expect(w.helpdesk.document('HD Ticket', ticket)?.custom_responsible).toBe(email);
  await profileOf(w, ticket, { refresh: 1 });
  await profileOf(w, demo.tickets.responsibleSet);
  await w.idle();
  expect(ticketWritesOf(w)).toHaveLength(1);
});

test.each([
  ['inactive', demo.tickets.ownerDismissed, 'inactive'],
  ['hidden by the CRM', demo.tickets.ownerHidden, 'not_found'],
  ['nobody that the CRM knows', demo.tickets.ownerNonExistent, 'not_found'],
  ['without an address', demo.tickets.ownerWithoutEmail, 'active'],
  ['empty', demo.tickets.ownerEmpty, undefined],
  ['missing', demo.tickets.ownerMissing, undefined],
])('an owner who is %s is not written, and one who takes over is', async (_, name, status) => {
  const w = await world();
  // Behind the first answer it is read who vouches for the sender: only after that an owner may be written.
  const look = async () => {
    await profileOf(w, name, { refresh: 1 });
    await w.idle();
    const { bitrix } = await profileOf(w, name, { refresh: 1 });
    await w.idle();
    return bitrix;
  };
  const { company, responsible } = await look();
  expect(responsible?.status).toBe(status);
  expect(w.helpdesk.document('HD Ticket', name)?.custom_responsible || null).toBeNull();
  expect(ticketWritesOf(w)).toEqual([]);

  const record = w.crm.company(company?.bitrix_id ?? '');
  w.crm.putCompany({ ...record, ID: company?.bitrix_id ?? '', ASSIGNED_BY_ID: '338' });
  const { lookup_trust } = await look();
  expect(lookup_trust?.level).not.toBe('claimed');
  expect(w.helpdesk.document('HD Ticket', name)?.custom_responsible).toBe('phutrach338@crm.example');
});

test("the operator's own fields are part of the profile, each in its group", async () => {
  const w = await world();
  const { company } = (await profileOf(w, demo.tickets.extraFields)).bitrix;
  expect(company?.metrics?.map(({ label }) => label)).toEqual(['GMV 30 ngày', 'Đơn 30 ngày']);
  expect(company?.profit).toEqual([
    { key: 'profit_margin', label: 'Biên lợi nhuận (%)', value: '19.5' },
    { key: 'lifetime_profit', label: 'Lợi nhuận lũy kế', value: '245 000 000 VND' },
  ]);
  expect(company?.context).toEqual([{ key: 'channels', label: 'Kênh bán', value: 'Shopee, TikTok Shop' }]);
});
