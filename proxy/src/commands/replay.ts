import { Command, InvalidArgumentError } from 'commander';
import { Environment, parseSome } from '#config.ts';
import { type DecisionReplay, replayDecisions } from '#routing/replay.ts';
import { Rules } from '#rules.ts';
import { openRecords } from '#store/database.ts';
import { databaseUrl } from './settings.ts';
import { printTable } from './terminal.ts';

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
        const replayed = db === null ? [] : replayDecisions(db, rules, desired);
        const report = new ReplayTable();
        for await (const row of replayed) {
          const isShown = row.moves || row.would === null || options.all === true;
          if (!options.json) report.add(row, isShown);
          else if (isShown) process.stdout.write(`${JSON.stringify(row)}\n`);
        }
        if (!options.json) process.stdout.write(`${report.lines().join('\n')}\n`);
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

const team = (name: string | null) => name ?? '(no team of ours)';

/** The table for people: one line per ticket, and how many would move from where to where. */
export class ReplayTable {
  private readonly rows: string[][] = [];
  private readonly ways = new Map<string, number>();
  private looked = 0;
  private untold = 0;

  add({ ticket, decidedAt, was, would, moves }: DecisionReplay, isShown: boolean): void {
    this.looked += 1;
    if (would === null) this.untold += 1;
    else if (moves) {
      const way = `${team(was.team)} → ${team(would.team)}`;
      this.ways.set(way, (this.ways.get(way) ?? 0) + 1);
    }
    if (!isShown) return;
    this.rows.push([
      ticket,
      decidedAt.slice(0, 16).replace('T', ' '),
      team(was.team),
      would === null ? 'cannot tell' : moves ? team(would.team) : 'the same',
      would === null || was.rule === would.rule ? was.rule : `${was.rule} → ${would.rule}`,
    ]);
  }

  lines(): string[] {
    const { rows, ways, looked, untold } = this;
    const head = ['Ticket', 'Decided', 'Went to', 'Would go to', 'Because of'];
    const moved = [...ways.values()].reduce((sum, count) => sum + count, 0);
    return [
      ...(rows.length > 0 ? [...printTable(head, rows), ''] : []),
      `${moved} of ${looked} ${looked === 1 ? 'ticket' : 'tickets'} would go elsewhere.`,
      ...[...ways].map(([way, count]) => `  ${way}: ${count}`),
      ...(untold > 0
        ? [`${untold} cannot be told: they rest on a claim, and their records lack what the company is.`]
        : []),
    ];
  }
}

function instant(text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new InvalidArgumentError('Expected a date such as 2026-11-01.');
  return at;
}
