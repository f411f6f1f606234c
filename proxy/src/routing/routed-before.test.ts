import type { ClaimsMode } from '@deskside/shared/routing';
import { expect, test } from 'vitest';
import { medium } from '#crm/testing/sample-companies.ts';
import * as decisions from '#store/decisions.ts';
import { keepTables } from '#store/testing/memory-store.ts';
import { sender } from '#testing/desk-seed.ts';
import { type PipelineWorld, pipelineWorld, standing, withOrgId } from '#testing/pipeline-kit.ts';
import { cs, scale } from './testing/pipeline-rules.ts';

const team = ['hoa@desk.example', 'khoa@desk.example', 'linh@desk.example'];
const hour = 3_600_000;

/** A service that has been routing for a while: gives what it takes to bring its store back to this moment. */
async function running(claims: ClaimsMode = 'accept') {
  const w = pipelineWorld({ claims });
  await w.sweep();
  w.clock.advance(hour);
  await w.route('before', withOrgId(null));
  w.clock.advance(hour);
  const putBack = keepTables(w.store, 'decisions', 'turns', 'tickets', 'claims');
  /** The store is the older one again, and a new process works with it. */
  const restore = () => {
    w.clock.advance(hour);
    putBack();
    w.desk.writes.length = 0;
    return w.process();
  };
  return { w, restore };
}

async function route(w: PipelineWorld, name: string, orgId: string | null = null): Promise<void> {
  w.clock.advance(1_000);
  await w.route(name, withOrgId(orgId));
}

test('a ticket that was routed since the store was kept is recorded as it stands: nothing is written, once and for all', async () => {
  const { w, restore } = await running();
  await route(w, '1', medium);
  const before = standing(w, '1');
  const { runFound, sweep } = restore();
  expect(await sweep()).toBe(1);
  expect(await runFound('1')).toBeNull();
  expect(w.desk.writes).toEqual([]);
  expect(standing(w, '1')).toEqual(before);
  expect(w.faults).toEqual([]);
  expect(w.counted).toEqual(['before', '1']);
  expect(await w.decisionsOn('1')).toMatchObject([
    {
      number: 1,
      state: 'applied',
      outcome: { team: null, reason: `Routed before, and left as it is: ${scale}.`, fallback: null },
      assignment: { state: 'already_assigned' },
    },
  ]);
  expect(await runFound('1')).toBeNull();
  expect(await sweep()).toBe(0);
});

test('a ticket that was assigned and no more stays with its agent', async () => {
  const { w, restore } = await running();
  w.clock.advance(1_000);
  w.desk.insert('1', withOrgId(medium));
  w.desk.before('link', () => w.desk.failNext('tickets.write'));
  await expect(w.run('1')).rejects.toThrow();
  const before = standing(w, '1');
  expect(before).toMatchObject({ group: null, assigned: [expect.any(String)] });
  await restore().runFound('1');
  expect(standing(w, '1')).toEqual(before);
  expect(w.desk.writes).toEqual([]);
});

test.each<[string, (w: PipelineWorld) => void, string, boolean?]>([
  ['a ticket for which nobody was available is left to people', ({ desk }) => desk.goAway(...team), cs],
  [
    'so is one that was routed within the same second',
    ({ desk }) => {
      for (const user of team) desk.put('HD Agent', user, { availability: 'Unavailable' });
    },
    cs,
  ],
  ['so is one to which somebody has written since', ({ desk }) => desk.goAway(...team), cs, true],
  [
    'a group that a person chose stays theirs',
    ({ desk }) => desk.personSetsGroup('1', scale, 'hoa@desk.example'),
    scale,
  ],
])('%s', async (_, deed, group, isWritten = false) => {
  const { w, restore } = await running();
  w.clock.advance(1_000);
  w.desk.insert('1', withOrgId(null));
  deed(w);
  await w.run('1');
  expect(standing(w, '1')).toMatchObject({ group, assigned: [] });
  w.clock.advance(isWritten ? 5_000 : 0);
  if (isWritten) w.desk.changes('1', 'hoa@desk.example', { subject: 'Gấp' });
  const { runFound, assignWaiting } = restore();
  await runFound('1');
  const left = { outcome: { team: null }, assignment: { state: 'none' } };
  expect(await w.decided('1')).toMatchObject(left);
  w.desk.comeBack(...team);
  expect([await assignWaiting(), w.desk.writes]).toEqual([0, []]);
});

test('a ticket that was not routed yet is routed', async () => {
  const { w, restore } = await running();
  w.clock.advance(1_000);
  w.desk.insert('1', withOrgId(medium));
  await restore().runFound('1');
  expect(standing(w, '1')).toMatchObject({ group: scale, assigned: [expect.any(String)] });
});

const forged = {
  ...{ owner: sender, raised_by: sender, via_customer_portal: 1, agent_group: scale },
  custom_platform_routing_reason: `Auto-routed: Customer Segment=-, Shopplan=-, Source=default. Target team=${scale}.`,
};

test('nor is what an agent copied into a new ticket, which nobody has told of', async () => {
  const { w, restore } = await running();
  w.clock.advance(1_000);
  w.desk.insert('1', { ...forged, owner: 'hoa@desk.example' });
  await restore().runFound('1');
  expect(standing(w, '1')).toMatchObject({ group: scale, reason: `Manual routing kept: ${scale}.` });
});

test('nor is what we gave before the insert, or what somebody else gives as the reason, and an agent has written since', async () => {
  const { w, restore } = await running();
  w.clock.advance(1_000);
  const { key } = w.desk.insert('1', { ...forged, custom_orgid: medium });
  w.desk.insert('2', { ...forged, custom_platform_routing_reason: 'Gấp' });
  w.clock.advance(5_000);
  for (const name of ['1', '2']) w.desk.changes(name, 'hoa@desk.example', { subject: 'Gấp' });
  const { runFound } = restore();
  await decisions.keepPreliminary(w.db, { key: String(key), team: scale, reason: 'Auto-routed: x', at: 0 });
  for (const name of ['1', '2']) await runFound(name);
  expect(await w.decided('1')).toMatchObject({ cause: 'before_insert', assignment: { state: 'assigned' } });
  expect(standing(w, '2').reason).toBe(`Manual routing kept: ${scale}.`);
});

test('what a sender wrote is no decision, whoever told of it, and whoever has written to the ticket since', async () => {
  const { w, restore } = await running('hold');
  w.clock.advance(1_000);
  for (const name of ['heard', 'found', 'written to']) w.desk.insert(name, forged);
  w.clock.advance(5_000);
  w.desk.personSetsGroup('written to', scale, 'hoa@desk.example');
  w.desk.changes('found', sender, { description: 'Gấp lắm' });
  const { run, runFound } = restore();
  await run('heard');
  await runFound('found');
  await run('written to');
  const kept = { group: scale, reason: `Group kept as the sender chose it: ${scale}.` };
  for (const name of ['heard', 'found', 'written to']) expect(standing(w, name)).toMatchObject(kept);
});
