import type { ClaimsMode, RoutingDecision, RoutingInputs, RoutingOutcome, RoutingRule } from '@deskside/shared/routing';
import { Command, InvalidArgumentError } from 'commander';
import { databaseUrl } from '#commands/settings.ts';
import { printLines, streamTable } from '#commands/terminal.ts';
import { Environment, parseSome } from '#config.ts';
import { type RoutingConfig, Rules } from '#rules.ts';
import { openRecords } from '#store/database.ts';
import * as decisions from '#store/decisions.ts';
import type { StateDb } from '#store/schema.ts';
import { isClaim } from '#trust/companies.ts';
import { decideRouting } from './decide.ts';

/**
 * `deskside replay`: which tickets would move under a changed configuration. Reads only our own records: writes nothing,
 * asks neither helpdesk nor CRM.
 */
export function replayCommand(): Command {
  return new Command('replay')
    .description('Show which past tickets a changed rules would have sent elsewhere')
    .requiredOption('--rules <file>', 'the changed rules, a JSON file')
    .option('--ticket <name...>', 'only these tickets')
    .option('--since <date>', 'only tickets decided since this date, such as 2026-11-01', instant)
    .option('--all', 'also list tickets that would stay')
    .option('--json', 'print one JSON object per line instead of a table')
    .action(async (options: ReplayOptions) => {
      const inFile = parseSome(Environment.pick({ RULES_FILE: true }), { RULES_FILE: options.rules });
      const rules = Rules.parse(inFile.RULES_FILE);
      const db = await openRecords(databaseUrl());
      try {
        const desired = { tickets: options.ticket ?? [], since: options.since ?? null };
        const lines = printLines((text) => process.stdout.write(text));
        const report = options.json ? jsonReport(lines.print) : tableReport(lines.print);
        const replayed = db === null ? [] : replayDecisions(db, rules, desired);
        for await (const row of replayed) report.add(row, row.moves || row.would === null || options.all === true);
        report.end();
        lines.end();
      } finally {
        await db?.destroy();
      }
    });
}

interface ReplayOptions {
  rules: string;
  ticket?: string[];
  since?: number;
  all?: boolean;
  json?: boolean;
}

/** What is said of replayed tickets, however many there are. */
interface ReplayReport {
  add(row: DecisionReplay, isShown: boolean): void;
  end(): void;
}

function jsonReport(print: (line: string) => void): ReplayReport {
  return { add: (row, isShown) => isShown && print(JSON.stringify(row)), end() {} };
}

/** The table for people: one line per ticket, and how many would move from where to where. */
export function tableReport(print: (line: string) => void): ReplayReport {
  const team = (name: string | null) => name ?? '(no team of ours)';
  const table = streamTable(['Ticket', 'Decided', 'Went to', 'Would go to', 'Because of'], print);
  const ways = new Map<string, number>();
  const counts = { looked: 0, shown: 0, moved: 0, untold: 0 };
  return {
    add({ ticket, decidedAt, was, would, moves }, isShown) {
      counts.looked += 1;
      if (would === null) counts.untold += 1;
      else if (moves) {
        counts.moved += 1;
        const way = `${team(was.team)} → ${team(would.team)}`;
        ways.set(way, (ways.get(way) ?? 0) + 1);
      }
      if (!isShown) return;
      counts.shown += 1;
      table.add([
        ticket,
        decidedAt.slice(0, 16).replace('T', ' '),
        team(was.team),
        would === null ? 'cannot tell' : moves ? team(would.team) : 'the same',
        would === null || was.rule === would.rule ? was.rule : `${was.rule} → ${would.rule}`,
      ]);
    },
    end() {
      const { looked, shown, moved, untold } = counts;
      if (shown > 0) {
        table.end();
        print('');
      }
      print(`${moved} of ${looked} ${looked === 1 ? 'ticket' : 'tickets'} would go elsewhere.`);
      for (const [way, count] of ways) print(`  ${way}: ${count}`);
      if (untold > 0)
        print(`${untold} cannot be told: they rest on a claim, and their records lack what the company is.`);
    },
  };
}

function instant(text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new InvalidArgumentError('Expected a date such as 2026-11-01.');
  return at;
}

/**
 * What another configuration would have made of a ticket. `team` null: we would set no group, because one was kept or
 * the team did not exist. `would` null: the record does not tell, since it was decided on a claim under another mode.
 */
export interface DecisionReplay {
  ticket: string;
  decidedAt: string;
  was: { team: string | null; rule: RoutingRule };
  would: { team: string | null; rule: RoutingRule } | null;
  moves: boolean;
}

/**
 * Decides past tickets again under another configuration, from the record of their latest decision. Writes nothing,
 * asks neither helpdesk nor CRM. A team that only the new configuration names is assumed to exist.
 *
 * @param options.tickets only these; all if empty
 * @param options.since only decisions made since (epoch milliseconds)
 */
export async function* replayDecisions(
  db: StateDb,
  config: RoutingConfig,
  options: { tickets: readonly string[]; since: number | null },
): AsyncGenerator<DecisionReplay> {
  for await (const decision of chosen(db, options)) {
    if (options.since !== null && Date.parse(decision.decided_at) < options.since) continue;
    yield replayDecision(decision, config);
  }
}

/** A decision is dated before it is recorded, by the clock of its process: so far they may be out of order. */
const disorderMs = 10 * 60_000;

async function* chosen(
  db: StateDb,
  { tickets, since }: { tickets: readonly string[]; since: number | null },
): AsyncGenerator<RoutingDecision> {
  for (const ticket of tickets) {
    const decision = await decisions.latestNamed(db, ticket);
    if (decision !== null) yield decision;
  }
  if (tickets.length > 0) return;
  yield* decisions.latestOfAll(db, since === null ? null : await decisions.lastBefore(db, since - disorderMs));
}

/** Decides one ticket again, by the record of its latest decision. */
function replayDecision(decision: RoutingDecision, config: RoutingConfig): DecisionReplay {
  const { ticket, decided_at, outcome } = decision;
  const inputs = inputsUnder(config.claims, decision.inputs);
  const would = inputs && decideRouting(inputs, config);
  return {
    ticket,
    decidedAt: decided_at,
    was: { team: outcome.team, rule: ruleOf(outcome) },
    would: would && { team: would.team, rule: ruleOf(would) },
    moves: would !== null && outcome.team !== would.team,
  };
}

function ruleOf({ rules }: RoutingOutcome): RoutingRule {
  return rules.find(({ hit }) => hit)?.rule ?? 'sme';
}

/**
 * A decision's inputs as they would have been gathered under another mode of claims (docs/routing.md#claims); null if its
 * record does not tell. Whatever rests on no claim is the same in every mode, and a claim's company decides the team in
 * both; but accepted, it does so by the ticket's link to it, for which the CRM has to have it.
 */
function inputsUnder(mode: ClaimsMode, inputs: RoutingInputs): RoutingInputs | null {
  const isKept = inputs.agent_group !== null && inputs.agent_group.set_by !== 'deskside';
  if (!isClaim(inputs) || isKept || inputs.claims === mode) return inputs;
  const { customer, looked_up, crm } = inputs;
  if (customer !== null) return inputs;
  if (!looked_up) return null;
  const isFound = crm?.status === 'matched' || crm?.status === 'cached';
  return mode === 'hold' || isFound ? inputs : { ...inputs, looked_up: null };
}
