import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OrgId } from '@deskside/shared/orgid';
import Sqlite from 'better-sqlite3';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ReplayTable, replayCommand } from '#commands/replay.ts';
import { growing, medium, small } from '#crm/testing/sample-companies.ts';
import type { CustomerFacts } from '#helpdesk/fields.ts';
import type { RoutingConfig } from '#rules.ts';
import { openStore } from '#store/database.ts';
import * as decisions from '#store/decisions.ts';
import { pipelineWorld, withOrgId } from '#testing/pipeline-kit.ts';
import { type DecisionReplay, replayDecisions } from './replay.ts';
import { decisionDraft } from './testing/decision-draft.ts';
import { cs, routingConfig } from './testing/pipeline-rules.ts';

const config = routingConfig;

async function routed(claims: RoutingConfig['claims']) {
  const w = pipelineWorld({ claims });
  w.desk.setTeam('Service Ecom', []);
  for (const [name, orgId] of [
    ['1', medium],
    ['2', growing],
    ['3', small],
    ['4', null],
  ] as const) {
    await w.route(name, withOrgId(orgId));
    w.clock.advance(86_400_000);
  }
  w.desk.insert('5', withOrgId(medium));
  w.desk.personSetsGroup('5', 'Service Ecom');
  await w.run('5');
  return w;
}

/** Routed once for each mode of claims: a replay changes nothing. */
const worlds = { accept: await routed('accept'), hold: await routed('hold') };
const { accept: world } = worlds;

async function replay(
  w: Awaited<ReturnType<typeof routed>>,
  change: Partial<RoutingConfig>,
  options: Partial<Parameters<typeof replayDecisions>[2]> = {},
) {
  const rows: DecisionReplay[] = [];
  const wanted = { tickets: [], since: null, ...options };
  for await (const row of replayDecisions(w.db, { ...config, ...change }, wanted)) rows.push(row);
  return { rows, moved: rows.filter(({ moves }) => moves).map(({ ticket, would }) => [ticket, would?.team]) };
}

/** The table for people; `looked`: rows that it is told of, of which it shows the given ones. */
function tableOf(shown: readonly DecisionReplay[], looked: readonly DecisionReplay[]): string {
  const table = new ReplayTable();
  for (const row of looked) table.add(row, shown.includes(row));
  return table.lines().join('\n');
}

test('under the same rules nobody moves', async () => {
  const { rows, moved } = await replay(world, {});
  expect(rows).toHaveLength(5);
  expect(moved).toEqual([]);
});

test('under others those move whom they concern, and nothing is asked or written', async () => {
  const w = world;
  const before = [w.crm.asked.length, w.desk.reads, w.desk.writes.length, (await w.decisionsOn('1')).length];
  expect((await replay(w, { claims: 'hold' })).moved).toEqual([]);
  expect((await replay(w, { medium_segments: ['Enterprise'] })).moved).toEqual([
    ['1', cs],
    ['2', cs],
  ]);
  const teams = { ...config.teams, medium_grow: 'Growth' };
  expect((await replay(w, { teams })).moved).toEqual([['2', 'Growth']]);
  expect((await replay(w, { medium_segments: ['Medium', 'SME'] })).moved).toEqual([]);
  expect([w.crm.asked.length, w.desk.reads, w.desk.writes.length, (await w.decisionsOn('1')).length]).toEqual(before);
});

test('one ticket, several, none that is known, or those since a day', async () => {
  const w = world;
  const names = async (options: Parameters<typeof replay>[2]) =>
    (await replay(w, {}, options)).rows.map(({ ticket }) => ticket);
  expect(await names({ tickets: ['3'] })).toEqual(['3']);
  expect(await names({ tickets: ['3', '1', '9'] })).toEqual(['3', '1']);
  const since = w.clock() - 86_400_000;
  expect(await names({ since })).toEqual(['4', '5']);
  expect(await names({ tickets: ['5', '3', '4'], since })).toEqual(['5', '4']);
});

test('a decision that was recorded a little before an older one is one since then, too', async () => {
  const w = pipelineWorld();
  const at = w.clock();
  for (const [name, minutes] of [
    ['younger', 5],
    ['older', 0],
  ] as const)
    await decisions.add(
      w.db,
      { ...decisionDraft(name), decided_at: new Date(at + minutes * 60_000).toISOString() },
      0,
      null,
    );
  const { rows } = await replay(w, {}, { since: at + 60_000 });
  expect(rows.map(({ ticket }) => ticket)).toEqual(['younger']);
});

test('the table tells who would move, and how many from where to where', async () => {
  const { rows } = await replay(world, { medium_segments: ['Enterprise'] });
  const table = tableOf(
    rows.filter(({ moves }) => moves),
    rows,
  );
  expect(table.split('\n')).toEqual([
    'Ticket  Decided           Went to         Would go to  Because of',
    '------  ----------------  --------------  -----------  ------------------',
    '1       2026-05-08 00:00  Medium - Scale  CS 60p       medium_scale → sme',
    '2       2026-05-09 00:00  Medium - Grow   CS 60p       medium_grow → sme',
    '',
    '2 of 5 tickets would go elsewhere.',
    '  Medium - Scale → CS 60p: 1',
    '  Medium - Grow → CS 60p: 1',
  ]);
});

describe('other modes of claims are compared from what the records hold', () => {
  const teamsUnder = async (w: Awaited<ReturnType<typeof routed>>, claims: RoutingConfig['claims']) =>
    (await replay(w, { claims })).rows.map(({ would }) => would?.team);

  test.each(['hold', 'accept'] as const)('decided under %s, each mode gives what it decides itself', async (was) => {
    for (const mode of ['hold', 'accept'] as const) {
      const decided = (await replay(worlds[mode], { claims: mode })).rows.map(({ was: { team } }) => team);
      expect([mode, ...(await teamsUnder(worlds[was], mode))]).toEqual([mode, ...decided]);
    }
  });

  const scale = { segment: 'Medium', shopPlan: 'Scale' };
  const nobodys = '1234567' as OrgId;
  test.each<[string, CustomerFacts, Record<string, unknown>, boolean]>([
    ['a customer without org id', {}, { customer: 'Khách' }, true],
    ['a customer of another company', { platformOrgId: small }, { customer: 'Khách' }, true],
    ['a customer of its company', { platformOrgId: medium, ...scale }, { customer: 'Khách' }, true],
    [
      'an org id that the helpdesk has and the CRM has not',
      { platformOrgId: nobodys, ...scale },
      { custom_orgid: nobodys },
      false,
    ],
  ])('a ticket with %s', async (_, facts, made, canBeTold) => {
    const decided = async (claims: RoutingConfig['claims']) => {
      const w = pipelineWorld({ claims });
      w.desk.customers.set('Khách', facts);
      await w.route('1', withOrgId(medium, made));
      return { w, team: (await w.decided('1'))?.outcome.team };
    };
    const [hold, accept] = [await decided('hold'), await decided('accept')];
    expect(await teamsUnder(hold.w, 'accept')).toEqual([accept.team]);
    expect(await teamsUnder(accept.w, 'hold')).toEqual([canBeTold ? hold.team : undefined]);
  });

  test('a claim that was decided by what the CRM had answered before', async () => {
    const w = pipelineWorld({ claims: 'hold', ttlMinutes: 60 });
    for (const name of ['1', '2']) await w.route(name, withOrgId(medium));
    const { inputs, outcome } = (await w.decided('2')) ?? expect.fail();
    expect([inputs.crm?.status, outcome.team]).toEqual(['cached', 'Medium - Scale']);
    expect(await teamsUnder(w, 'accept')).toEqual([outcome.team, outcome.team]);
  });

  test('a claim of a company that nobody knew cannot be told, and that is said', async () => {
    const w = pipelineWorld({ claims: 'accept', ticket: withOrgId('1700000009') });
    await w.run('1');
    const { rows } = await replay(w, { claims: 'hold' });
    expect(rows.map(({ would }) => would)).toEqual([null]);
    expect(await teamsUnder(w, 'accept')).toEqual([cs]);
    expect(tableOf(rows, rows)).toBe(
      [
        'Ticket  Decided           Went to  Would go to  Because of',
        '------  ----------------  -------  -----------  ----------',
        '1       2026-05-08 00:00  CS 60p   cannot tell  sme',
        '',
        '0 of 1 ticket would go elsewhere.',
        '1 cannot be told: they rest on a claim, and their records lack what the company is.',
      ].join('\n'),
    );
  });

  test('a claim by what only the helpdesk had of it is held by that, and accepted without', async () => {
    const w = pipelineWorld();
    const trust = { level: 'claimed' as const, evidence: [] };
    const org_id = { value: nobodys, source: 'ticket' as const, field: 'custom_orgid', trust };
    const crm = { status: 'error', error: 'timeout', checked_at: null, stale: false } as const;
    const looked_up = { segment: 'Medium', shop_plan: 'Scale', source: 'hd_customer', checked_at: null } as const;
    for (const claims of ['hold', 'accept'] as const)
      await decisions.add(w.db, decisionDraft(claims, { org_id, crm, looked_up, claims }), 0, null);
    expect(await teamsUnder(w, 'hold')).toEqual(['Medium - Scale', 'Medium - Scale']);
    expect(await teamsUnder(w, 'accept')).toEqual([cs, 'Medium - Scale']);
  });

  test.each([
    ['a person has set stays', 'person', { team: null, rule: 'group_kept' }],
    ['was decided before the insert does not tell what its claim would have done', 'deskside', null],
  ] as const)('a group that %s', async (_, set_by, would) => {
    const w = pipelineWorld();
    const trust = { level: 'claimed' as const, evidence: [] };
    const org_id = { value: nobodys, source: 'ticket' as const, field: 'custom_orgid', trust };
    const draft = decisionDraft('1', { org_id, agent_group: { name: cs, set_by } });
    await decisions.add(w.db, draft, 0, null);
    expect((await replay(w, { claims: 'hold' })).rows.map((row) => row.would)).toEqual([would]);
  });
});

test('the command prints a line for each decided ticket, makes no store where there is none, and cannot read one of 0.1', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-replay-'));
  const rules = join(folder, 'rules.json');
  writeFileSync(rules, '{}');
  vi.stubEnv('DATABASE_URL', `file:${folder}/store`);
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    written.mockRestore();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  const replay = async () => {
    await replayCommand().parseAsync(['--json', '--all', '--rules', rules], { from: 'user' });
    return written.mock.calls.map(([text]) => text).join('');
  };
  expect(await replay()).toBe('');
  expect(readdirSync(folder)).toEqual(['rules.json']);

  const store = await openStore(`file:${folder}/store`);
  await decisions.add(store.db, decisionDraft('T1'), 0, null);
  await store.close();
  expect(JSON.parse(await replay())).toMatchObject({ ticket: 'T1', moves: false });

  rmSync(join(folder, 'store'), { recursive: true });
  mkdirSync(join(folder, 'store'));
  const old = new Sqlite(join(folder, 'store', 'state.db'));
  old.exec('create table pipeline_migration_lock (id text)');
  old.close();
  await expect(replay()).rejects.toThrow('was written by Deskside 0.1');
});
