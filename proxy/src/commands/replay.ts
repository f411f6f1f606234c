import { Command, InvalidArgumentError } from 'commander';
import { Environment, parseSome } from '#config.ts';
import { type DecisionReplay, replayDecisions } from '#routing/replay.ts';
import { Rules } from '#rules.ts';
import { openRecords } from '#store/database.ts';
import { databaseUrl } from './settings.ts';
import { printLines, streamTable } from './terminal.ts';

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
