import type { ClaimsMode } from '@deskside/shared/routing';
import { expect, test } from 'vitest';
import { sender } from '#app/testing/desk-seed.ts';
import { type PipelineWorld, pipelineWorld, standing, withOrgId } from '#app/testing/pipeline/pipeline-kit.ts';
import { cs, scale } from '#app/testing/pipeline/pipeline-rules.ts';
import { medium } from '#app/testing/sample-companies.ts';
import { keepTables } from '#store/testing/memory-store.ts';

const team = ['hoa@desk.example', 'khoa@desk.example', 'linh@desk.example'];
const hour = 3_600_000;

/** A service that has been routing for a while: gives what it takes to bring its records back to this moment. */
async function running(claims: ClaimsMode = 'accept') {
  const w = pipelineWorld({ claims });
  await w.sweep();
  w.clock.advance(hour);
  w.desk.insert('before', withOrgId(null));
  await w.run('before');
  w.clock.advance(hour);
  const backup = { putBack: keepTables(w.store, 'routing_decision', 'team_cursor'), at: w.clock() };
  /** The records are those of the backup again, and a new process works with them. */
  const restore = async () => {
    w.clock.advance(hour);
    backup.putBack();
    await w.upkeep.noteRestore({ at: w.clock(), backedUpAt: backup.at, turnsKnown: false });
    w.desk.writes.length = 0;
    return w.process();
  };
  return { w, restore };
}

async function route(w: PipelineWorld, ...names: string[]): Promise<void> {
  for (const name of names) {
    w.clock.advance(1_000);
    w.desk.insert(name, withOrgId(null));
    await w.run(name);
  }
}

test('tickets routed since the backup are recorded as they stand: nothing is written, nobody is told', async () => {
  const { w, restore } = await running();
  w.clock.advance(1_000);
  w.desk.insert('1', withOrgId(medium));
  await w.run('1');
  const before = standing(w, '1');
  const { run, sweep } = await restore();
  expect(await sweep()).toBe(1);
  expect(await run('1')).toEqual({ again: null });
  expect(w.desk.writes).toEqual([]);
  expect(standing(w, '1')).toEqual(before);
  expect(w.faults).toEqual([]);
  expect(w.counted).toEqual(['before', '1']);
  expect(await w.decisions.list('1')).toMatchObject([
    {
      number: 1,
      state: 'applied',
      outcome: { team: scale, segment: 'Medium', shopplan: 'Medium Scale', reason: before.reason, fallback: null },
      assignment: { state: 'assigned', agent: before.assigned[0] },
    },
  ]);
  expect(await run('1')).toEqual({ again: null });
  expect(await sweep()).toBe(0);
});

test('so are those that by the helpdesk’s clock came just after the restore', async () => {
  const { w, restore } = await running();
  await route(w, '1');
  const { run } = await restore();
  const restored = await w.upkeep.lastRestore();
  if (restored) await w.upkeep.noteRestore({ ...restored, at: w.clock() - 3_600_000 });
  await run('1');
  expect(w.faults).toEqual([]);
  expect(await w.decisions.latest('1')).toMatchObject({ assignment: { state: 'assigned', agent: team[1] } });
});

test('the turns go on where they had come to, whichever ticket is met first', async () => {
  const { w, restore } = await running();
  await route(w, '1', '2', '3', '4');
  expect(standing(w, '4').assigned).toEqual([team[1]]);
  const { run } = await restore();
  w.clock.advance(1_000);
  w.desk.insert('new', withOrgId(null));
  await run('new');
  expect(standing(w, 'new').assigned).toEqual([team[2]]);
  for (const name of ['3', '1', '4', '2']) await run(name);
  w.desk.insert('newer', withOrgId(null));
  await run('newer');
  expect(standing(w, 'newer').assigned).toEqual([team[0]]);
});

test('turns that the backup knew do not count again', async () => {
  const { w, restore } = await running();
  const { run } = await restore();
  w.desk.insert('new', withOrgId(null));
  await run('new');
  expect(standing(w, 'before').assigned).toEqual([team[0]]);
  expect(standing(w, 'new').assigned).toEqual([team[1]]);
  expect((await w.upkeep.lastRestore())?.turnsKnown).toBe(true);
});

test('a ticket that was assigned and no more is finished with the same agent', async () => {
  const { w, restore } = await running();
  w.clock.advance(1_000);
  w.desk.insert('1', withOrgId(medium));
  w.desk.failNext('writeRouting');
  await expect(w.run('1')).rejects.toThrow();
  const { assigned } = standing(w, '1');
  expect(standing(w, '1')).toMatchObject({ group: null, assigned: [expect.any(String)] });
  await (await restore()).run('1');
  expect(standing(w, '1')).toMatchObject({ group: scale, assigned });
  expect(w.desk.writes.filter((write) => write.startsWith('assign'))).toEqual([]);
  expect(w.faults).toEqual([]);
});

test('a ticket for which nobody was available goes on waiting, and gets somebody', async () => {
  const { w, restore } = await running();
  w.desk.goAway(...team);
  await route(w, '1');
  expect(standing(w, '1')).toMatchObject({ group: cs, assigned: [] });
  const { run, assignWaiting } = await restore();
  await run('1');
  expect(w.desk.writes).toEqual([]);
  w.desk.comeBack(...team);
  expect(await assignWaiting()).toBe(1);
  expect(standing(w, '1').assigned).toEqual([team[1]]);
  expect(standing(w, '1').reason).not.toContain('Nobody is available');
});

test('a group that a person chose stays theirs', async () => {
  const { w, restore } = await running();
  w.clock.advance(1_000);
  w.desk.setTeam('After Sales', []);
  w.desk.insert('1', withOrgId(medium));
  w.desk.personSetsGroup('1', 'After Sales', 'hoa@desk.example');
  await w.run('1');
  expect(standing(w, '1')).toMatchObject({ group: 'After Sales', reason: 'Manual routing kept: After Sales.' });
  await (await restore()).run('1');
  expect(w.desk.writes).toEqual([]);
  expect(await w.decisions.latest('1')).toMatchObject({ outcome: { team: null }, assignment: { state: 'none' } });
});

test('what fell back because the CRM failed is repaired', async () => {
  const { w, restore } = await running();
  w.clock.advance(1_000);
  w.desk.insert('1', withOrgId(medium));
  w.crm.isDown = true;
  await w.run('1');
  expect(standing(w, '1')).toMatchObject({ group: cs, reason: expect.stringContaining('CRM error: timeout.') });
  const { run } = await restore();
  expect((await run('1')).again).not.toBeNull();
  expect(w.desk.writes).toEqual([]);
  w.crm.isDown = false;
  await run('1');
  expect(standing(w, '1')).toMatchObject({ group: scale, assigned: [expect.any(String)] });
});

test('what a sender wrote is no decision', async () => {
  const { w, restore } = await running('hold');
  w.clock.advance(1_000);
  const bySender = { owner: sender, raised_by: sender, via_customer_portal: 1, agent_group: scale };
  const reason = `Auto-routed: Customer Segment=-, Shopplan=-, Source=default. Target team=${scale}.`;
  w.desk.insert('forged', { ...bySender, custom_platform_routing_reason: reason });
  const { run } = await restore();
  await run('forged');
  expect(standing(w, 'forged').group).toBe(cs);
});
