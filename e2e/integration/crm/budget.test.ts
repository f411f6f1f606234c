import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { profileOf, world } from '../kit.ts';

const { matched, responsibleSet } = demo.tickets;

/** Requests that the service account made after an answer do not count against it. */
function asCaller(journal: { user: string | null }[]) {
  return journal.filter(({ user }) => user === demo.agent.name);
}

describe.each(['1.24', '1.28'] as const)('Helpdesk %s', (generation) => {
  test('a cold profile makes 1 CRM request and at most 2 helpdesk requests before it answers', async () => {
    const w = await world({ generation });
    expect((await fetch(`${w.proxyUrl}/readyz`)).status).toBe(200);
    await w.idle();
    w.helpdesk.clearJournal();
    // What comes later is answered later, so the profile cannot have waited for it.
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    w.helpdesk.latency = () => (w.helpdesk.journal.length > 2 ? answered : 0);
    expect((await profileOf(w, matched)).bitrix.status).toBe('matched');
    expect(w.crm.journal).toMatchObject([{ method: 'batch' }]);
    expect(asCaller(w.helpdesk.journal)).toHaveLength(2);
    answer();
  });

  test('a cached profile makes no CRM request, and within 10 s no helpdesk request either', async () => {
    const w = await world({ generation });
    // Its owner's address stands there already: a write would make the ticket be read again.
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

test('a company that changed in the CRM is asked for again at the next open, inside its lifetime', async () => {
  const token = 'canary-event-token-0001';
  let now = Date.now();
  const w = await world({ clock: () => now, environment: { CRM_EVENT_TOKEN: token } });
  const nameIn = async () => (await profileOf(w, matched)).bitrix.company?.company_name;
  const before = await nameIn();
  w.crm.putCompany({ ...w.crm.company('63002'), ID: '63002', UF_CRM_STORENAME: 'Gốm Mới' });
  expect(await nameIn()).toBe(before);
  // What follows a profile asks the CRM again, too, if the event has come by then.
  await w.idle();
  const event = { event: 'ONCRMCOMPANYUPDATE', 'data[FIELDS][ID]': '63002', 'auth[application_token]': token };
  for (const _ of [1, 2]) {
    const body = new URLSearchParams(event);
    expect((await fetch(`${w.proxyUrl}/webhooks/crm/company`, { method: 'POST', body })).status).toBe(200);
  }
  // What was asked for in the very millisecond of an event may not reflect it.
  now += 1;
  expect([await nameIn(), await nameIn()]).toEqual(['Gốm Mới', 'Gốm Mới']);
  expect(w.crm.journal).toHaveLength(2);
});
