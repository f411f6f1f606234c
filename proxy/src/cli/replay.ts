import { existsSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { openStore } from '#adapters/store-sql/store.ts';
import { type Replayed, replayDecisions } from '#app/routing/replay-decisions.ts';
import { Environment, parseSome } from '#config/environment.ts';
import { Rules } from '#config/rules.ts';
import { printTable } from './print-table.ts';
import { sayWaiting } from './say-waiting.ts';

/**
 * `proxy replay`: which tickets would move under a changed configuration. Reads only our own records: writes nothing,
 * asks neither helpdesk nor CRM.
 */
export function replayCommand(): Command {
  return new Command('replay')
    .description('Show which past tickets a changed RULES_FILE would have sent elsewhere')
    .requiredOption('--rules <file>', 'the changed rules, a JSON file')
    .option('--ticket <name...>', 'only these tickets')
    .option('--since <date>', 'only tickets decided since this date, such as 2026-11-01', instant)
    .option('--all', 'also list tickets that would stay')
    .option('--json', 'print one JSON object per line instead of a table')
    .action(async (options: ReplayOptions) => {
      if (existsSync('.env')) process.loadEnvFile('.env');
      const { DATABASE_URL } = parseSome(Environment.pick({ DATABASE_URL: true }), process.env);
      const inFile = parseSome(Environment.pick({ RULES_FILE: true }), { RULES_FILE: options.rules });
      const rules = Rules.parse(inFile.RULES_FILE);
      const store = await openStore(DATABASE_URL.reveal(), Date.now, sayWaiting);
      try {
        const max = options.ticket?.length ?? (await store.decisions.count());
        const watched = process.stderr.isTTY && !options.json;
        const onProgress = (looked: number) => {
          if (watched && looked % 1_000 === 0) console.error(`${looked} of ${max} decisions replayed`);
        };
        const desired = { tickets: options.ticket ?? [], since: options.since ?? null };
        const rows: Replayed[] = [];
        for await (const row of replayDecisions(store.decisions, rules, desired, onProgress)) rows.push(row);
        const shown = rows.filter(({ moves, would }) => moves || would === null || options.all);
        if (options.json) for (const row of shown) console.log(JSON.stringify(row));
        else console.log(tableOf(shown, rows.length));
      } finally {
        await store.close();
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

/** The table for people: one line per ticket, and how many would move from where to where. */
export function tableOf(rows: readonly Replayed[], looked: number): string {
  const head = ['Ticket', 'Decided', 'Went to', 'Would go to', 'Because of'];
  const team = (name: string | null) => name ?? '(no team of ours)';
  const lines = rows.map(({ ticket, decidedAt, was, would, moves }) => [
    ticket,
    decidedAt.slice(0, 16).replace('T', ' '),
    team(was.team),
    would === null ? 'cannot tell' : moves ? team(would.team) : 'the same',
    would === null || was.rule === would.rule ? was.rule : `${was.rule} → ${would.rule}`,
  ]);
  const ways = new Map<string, number>();
  for (const { was, would, moves } of rows) {
    if (would === null || !moves) continue;
    const way = `${team(was.team)} → ${team(would.team)}`;
    ways.set(way, (ways.get(way) ?? 0) + 1);
  }
  const moved = [...ways.values()].reduce((sum, count) => sum + count, 0);
  const untold = rows.filter(({ would }) => would === null).length;
  return [
    ...(rows.length > 0 ? [...printTable(head, lines), ''] : []),
    `${moved} of ${looked} ${looked === 1 ? 'ticket' : 'tickets'} would go elsewhere.`,
    ...[...ways].map(([way, count]) => `  ${way}: ${count}`),
    ...(untold > 0
      ? [`${untold} cannot be told: they rest on a claim, and their records lack what the company is.`]
      : []),
  ].join('\n');
}

function instant(text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new InvalidArgumentError('Expected a date such as 2026-11-01.');
  return at;
}
