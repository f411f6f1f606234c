import { expect, test } from 'vitest';
import { cs, growing, medium, pipelineWorld, routingConfig, small, withOrgId } from '#app/testing/pipeline-kit.ts';
import { tableOf } from '#cli/replay.ts';
import type { RoutingConfig } from '#domain/routing/decide-routing.ts';
import { type Replayed, replayDecisions } from './replay-decisions.ts';

const config = routingConfig;

async function routed() {
  const w = pipelineWorld();
  for (const [name, orgId] of [
    ['1', medium],
    ['2', growing],
    ['3', small],
    ['4', null],
  ] as const) {
    w.tickets.insert(name, withOrgId(orgId));
    await w.run(name);
    w.clock.advance(86_400_000);
  }
  w.tickets.insert('5', { ...withOrgId(medium, { agentGroup: 'Service Ecom' }), modifiedBy: 'an@desk.example' });
  await w.run('5');
  return w;
}

async function replay(
  w: Awaited<ReturnType<typeof routed>>,
  change: Partial<RoutingConfig>,
  options: Partial<Parameters<typeof replayDecisions>[2]> = {},
) {
  const rows: Replayed[] = [];
  const progress: number[] = [];
  const wanted = { tickets: [], since: null, ...options };
  for await (const row of replayDecisions(w.decisions, { ...config, ...change }, wanted, (n) => progress.push(n)))
    rows.push(row);
  return { rows, progress, moved: rows.filter(({ moves }) => moves).map(({ ticket, would }) => [ticket, would.team]) };
}

test('under the same rules nobody moves', async () => {
  const { rows, moved, progress } = await replay(await routed(), {});
  expect(rows).toHaveLength(5);
  expect(moved).toEqual([]);
  expect(progress).toEqual([1, 2, 3, 4, 5]);
});

test('under others those move whom they concern, and nothing is asked or written', async () => {
  const w = await routed();
  const before = [w.asked.length, w.tickets.reads, w.tickets.writes.length, (await w.decisions.list('1')).length];
  expect((await replay(w, { claims: 'propose' })).moved).toEqual([
    ['1', cs],
    ['2', cs],
  ]);
  const teams = { ...config.teams, medium_grow: 'Growth' };
  expect((await replay(w, { teams })).moved).toEqual([['2', 'Growth']]);
  expect((await replay(w, { medium_segments: ['Medium', 'SME'] })).moved).toEqual([]);
  expect([w.asked.length, w.tickets.reads, w.tickets.writes.length, (await w.decisions.list('1')).length]).toEqual(
    before,
  );
});

test('one ticket, several, none that is known, or those since a day', async () => {
  const w = await routed();
  const names = async (options: Parameters<typeof replay>[2]) =>
    (await replay(w, {}, options)).rows.map(({ ticket }) => ticket);
  expect(await names({ tickets: ['3'] })).toEqual(['3']);
  expect(await names({ tickets: ['3', '1', '9'] })).toEqual(['3', '1']);
  expect(await names({ since: w.clock() - 86_400_000 })).toEqual(['4', '5']);
});

test('the table tells who would move, and how many from where to where', async () => {
  const { rows } = await replay(await routed(), { claims: 'propose' });
  const table = tableOf(
    rows.filter(({ moves }) => moves),
    rows.length,
  );
  expect(table.split('\n')).toEqual([
    'Ticket  Decided           Went to         Would go to  Because of',
    '------  ----------------  --------------  -----------  --------------------------------',
    '1       2026-05-08 00:00  Medium - Scale  CS 60p       medium_scale → claim_not_trusted',
    '2       2026-05-09 00:00  Medium - Grow   CS 60p       medium_grow → claim_not_trusted',
    '',
    '2 of 5 tickets would go elsewhere.',
    '  Medium - Scale → CS 60p: 1',
    '  Medium - Grow → CS 60p: 1',
  ]);
});
