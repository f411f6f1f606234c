import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { profileOf, world, writesOf } from '../kit.ts';

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
    // What comes later is answered later, so the profile cannot have waited for it.
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    w.helpdesk.latency = () => (w.helpdesk.journal.length > 2 ? answered : 0);
    expect((await profileOf(w, ticket)).bitrix.status).toBe('matched');
    expect(w.crm.journal).toMatchObject([{ method: 'batch' }]);
    expect(asCaller(w.helpdesk.journal)).toHaveLength(2);
    answer();
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

const ticketWritesOf = (w: Parameters<typeof writesOf>[0]) =>
  writesOf(w).filter((write) => write.startsWith('PUT HD Ticket'));

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
