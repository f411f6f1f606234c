import { readFileSync } from 'node:fs';
import { OrgId } from '@deskside/shared/orgid';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '#adapters/store-sql/store.ts';

/** A database written by an earlier Deskside and not yet opened by this one. */
export interface OldStore {
  /** Runs one statement directly on the database and returns its rows. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  open(now: number): Promise<Store>;
}

/** The SQL dump of a store written by an earlier Deskside; docs/data.md describes the tables. */
export function oldStoreDump(name: 'sqlite-state' | 'sqlite-cache' | 'postgres'): string {
  return readFileSync(new URL(`../testing/store-2026-11/${name}.sql`, import.meta.url), 'utf8');
}

const formerReason = '"reason":"not_his_turn"}';
const reason = '"reason":"not_their_turn"}';
const isFormer = ({ decision }: Record<string, unknown>) => String(decision).includes(formerReason);
const noon = Date.UTC(2026, 10, 20, 12);
const orgId = OrgId.parse('200000376001');
const customer = 'Gốm Sứ Làng Mơ - 200000376001';
const creation = '2026-11-20 18:59:58.123456';

/** Tests that this Deskside takes over everything that an earlier one stored. */
export function describeOldStore(make: () => Promise<OldStore>): void {
  let old: OldStore;
  const opened: Store[] = [];
  const open = async () => {
    const store = await old.open(noon);
    opened.push(store);
    return store;
  };
  beforeEach(async () => {
    old = await make();
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });

  it('keeps its decisions, cursors and first states', async () => {
    const { decisions } = await open();
    expect(await decisions.count()).toBe(4);
    expect((await decisions.list('101')).map(({ number, cause, state }) => [number, cause, state])).toEqual([
      [2, 'repair', 'applied'],
      [1, 'webhook', 'applied'],
    ]);
    expect((await decisions.waitingForAgent(10)).map(({ ticket }) => ticket)).toEqual(['102']);
    expect(await decisions.firstState('101', creation)).toEqual({
      ticket: '101',
      creation,
      entered: { agent: 'an@support.example', orgId },
      groupSetBy: 'person',
      customer,
    });
    const preliminary = await decisions.preliminary('0d5cb3c1-4a1e-4c1e-9d2f-1f7a5f0f4b11');
    expect(preliminary).toMatchObject({ team: 'CS 60p', at: noon });
    const [, , chi, dung] = ['an', 'bình', 'chi', 'dũng'].map((name) => `${name}@support.example`);
    const [latest] = await decisions.list('102');
    if (!latest || !chi || !dung) throw new Error('the old store has no decision that waits');
    const turn = { team: 'Medium - Scale', members: [chi, dung], eligible: [chi, dung] };
    expect((await decisions.takeTurn(latest.id, turn, []))?.assignment.agent).toBe(dung);
  });

  it('gets its decisions’ reasons renamed, and nothing else', async () => {
    const candidates = [
      { user: 'an@support.example', reason: 'not_their_turn' },
      { user: 'bình@support.example', reason: 'away_while_others_are_active' },
      { user: 'chi@support.example', reason: 'next_in_turn' },
      { user: 'dũng@support.example', reason: 'not_their_turn' },
    ];
    const [latest] = await (await open()).decisions.list('101');
    expect(latest?.assignment.candidates).toEqual(candidates);
    expect(latest?.outcome.reason).toBe('not_his_turn');
    expect(latest?.inputs.findings[0]?.quote).toBe('they wrote "reason":"not_his_turn"} and \'not_his_turn\'');
  });

  it('gets them renamed in a table of many batches with gaps, and a second run changes nothing', async () => {
    await old.query(`insert into routing_decision (ticket, number, latest, waiting, decision)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)
      select 'many-' || i, 1, 1, 0, decision from n, routing_decision where ticket = '103'`);
    await old.query("delete from routing_decision where ticket like 'many-%' and id between 900 and 2100");
    const written = 'select id, ticket, number, latest, waiting, decision from routing_decision order by id';
    const before = await old.query(written);
    expect(before.filter(isFormer)).toHaveLength(1_302);
    await open();
    const after = await old.query(written);
    expect(after).toEqual(
      before.map((row) => ({ ...row, decision: String(row.decision).replaceAll(formerReason, reason) })),
    );
    await old.query("delete from pipeline_migration where name >= '0003'");
    for (const table of ['ticket_memory', 'ticket_tombstone']) await old.query(`drop table ${table}`);
    for (const index of ['ticket_work_finished', 'ticket_event_ticket']) await old.query(`drop index ${index}`);
    await old.query('drop index routing_decision_open_claim');
    await old.query('alter table routing_decision drop column open_claim');
    for (const index of ['waiting_team', 'without_team'])
      await old.query(`drop index if exists routing_decision_${index}`);
    await old.query('alter table routing_decision drop column waiting_team');
    await open();
    expect(await old.query(written)).toEqual(after);
  });

  it('gets every ticket remembered, those of unknown age to be looked at first', async () => {
    await old.query(`insert into first_sight (ticket, creation, sight, at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)
      select 'seen-' || i, 'c', '{}', 5 from n`);
    await old.query(
      "insert into sync_log select 'x', '109', agent, org_id, crm_company_id, customer, null, at, null from sync_log",
    );
    const { ticketMemory } = await open();
    const all = await ticketMemory.lastActiveBefore(noon + 1, 10_000);
    const activeAt = new Map(all.map(({ ticket, activeAt }) => [ticket, activeAt]));
    expect([...activeAt.keys()].filter((ticket) => !ticket.startsWith('seen-')).toSorted()).toEqual([
      ...['101', '102', '103', '104', '109'],
    ]);
    expect(['101', '102', '103', '104', '109'].map((ticket) => activeAt.get(ticket))).toEqual([noon, 0, 0, noon, noon]);
    expect(all).toHaveLength(2_505);
    expect(all.every(({ gone }) => !gone)).toBe(true);
  });

  it('forgets a ticket whose record nobody can read any more', async () => {
    await old.query("update routing_decision set decision = '{' where ticket = '102'");
    const { ticketMemory, decisions } = await open();
    expect(await ticketMemory.forget('102', noon, noon)).toBe(true);
    expect(await decisions.list('102')).toEqual([]);
    expect(await decisions.isForgotten('102', creation)).toBe(true);
  });

  it('may still be written to by the earlier Deskside, whose tickets are then remembered as well', async () => {
    const { ticketMemory } = await open();
    await old.query(`insert into routing_decision (ticket, number, latest, waiting, decision)
      select '106', 1, 1, 0, decision from routing_decision where ticket = '103'`);
    const known = async () => (await ticketMemory.lastActiveBefore(noon + 1, 100)).map(({ ticket }) => ticket).sort();
    expect(await known()).not.toContain('106');
    let last: string | null = null;
    for (let rounds = 0; rounds < 9; rounds += 1) {
      const next = await ticketMemory.adopt(last, 2);
      if (next === null) break;
      last = next;
    }
    expect(await ticketMemory.adopt(last, 2)).toBeNull();
    expect(await known()).toEqual(['101', '102', '103', '104', '106']);
    expect((await ticketMemory.lastActiveBefore(1, 100)).map(({ ticket }) => ticket).sort()).toEqual([
      ...['102', '103', '106'],
    ]);
  });

  it('may still be written to by the earlier Deskside, whose waiting tickets are found as well', async () => {
    const { decisions } = await open();
    const ofTeam = async () => {
      const [team, ...others] = await decisions.waitingTeams();
      expect(others).toEqual([]);
      return (await decisions.waitingIn(team ?? '', { afterId: null, limit: 10 })).map(({ ticket }) => ticket);
    };
    const before = await ofTeam();
    expect(before).toEqual((await decisions.waitingForAgent(10)).map(({ ticket }) => ticket));
    await old.query(`insert into routing_decision (ticket, number, latest, waiting, decision)
      select '107', 1, 1, 1, decision from routing_decision where ticket = '${before[0]}' and waiting = 1`);
    await old.query(
      "insert into routing_decision (ticket, number, latest, waiting, decision) values ('108', 1, 1, 1, '{')",
    );
    expect(await ofTeam()).toEqual([...before, '107']);
  });

  it('may have former reasons written to it', async () => {
    const { decisions } = await open();
    await old.query(`update routing_decision set decision = replace(decision, '${reason}', '${formerReason}')`);
    const [latest] = await decisions.list('103');
    expect(latest?.assignment.candidates[0]).toEqual({ user: 'an@support.example', reason: 'not_their_turn' });
  });

  it('keeps its inbox, sweep mark, sync log, leases and cache', async () => {
    const { inbox, sweepMark, syncLog, leases, profileCache } = await open();
    expect(await inbox.accept({ digest: 'cGFzdA', ticket: '101', at: noon })).toBe('known');
    expect(await inbox.waitingAmong(['101', '105'])).toEqual(new Set(['105']));
    expect(await sweepMark.read()).toEqual({
      from: '2026-11-20 18:00:00.000000',
      until: '2026-11-20 19:00:00.000001',
    });
    expect(await syncLog.latest('101')).toMatchObject({ agent: 'an@support.example', orgId, customer, at: noon });
    expect(await leases.take(['ticket 105'], 'another process', 1_000)).toEqual(new Set());
    const companies = await profileCache.getCompanies('crm.example', 'company_id', [orgId]);
    expect(companies.get(orgId)?.companies[0]?.fields.title_full).toBe(customer);
    expect((await profileCache.getUser('crm.example', '7'))?.user?.email).toBe('an@crm.example');
  });
}
