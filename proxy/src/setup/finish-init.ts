import { setTimeout as wait } from 'node:timers/promises';
import { untilInterrupted } from '#commands/arguments.ts';
import { installed } from '#commands/environment-file.ts';
import type { Terminal } from '#commands/terminal.ts';
import type { Config } from '#config.ts';
import { withEgress } from '#net/egress.ts';
import type { Secret } from '#runtime/secret.ts';
import { StartError } from '#server/http-server.ts';
import { type Met, meetDeskside } from './check-here.ts';
import { fieldsOfCrm } from './crm-fields.ts';
import { examine } from './doctor.ts';
import { reloading } from './provision-command.ts';
import { type Checked, isHealthy, printReport } from './report.ts';
import { reloadService, startingWith, startService } from './start-service.ts';
import { printProof, proveWithTicket } from './ticket-proof.ts';

/** Longest wait for one response, and for a service that has just been started. */
const answerWithinMs = 15_000;
const startWithinMs = 60_000;
/** How long somebody who sits there is waited for. */
const patienceMs = 15 * 60_000;

/** What `init` has set up. */
interface SetUp {
  /** Where the settings are. */
  file: string;
  adminKey: Secret;
  options: { yes?: boolean; start: boolean; ticket: boolean };
  /** Whether a service that runs has older settings. */
  isChanged: boolean;
  io: Terminal;
}

/**
 * Starts the service or says how, then looks at everything, sees a ticket come through, and says what is left to do.
 *
 * @returns the exit code of `init`
 * @throws StartError
 */
export async function finishInit(config: Config, setUp: SetUp): Promise<number> {
  const { adminKey, options, io } = setUp;
  await offerFields(config, io);
  const whyNot = await start(config, setUp);
  const report = await examine(config, adminKey);
  let code = whyNot;
  if (code === null) {
    const notable = report.filter(({ said }) => said.some(({ level }) => level !== 'ok'));
    io.print(`\n${printReport(notable)}\n`);
    const proof = options.ticket ? await proveWithTicket(config, adminKey, untilInterrupted()) : null;
    if (proof) io.print(printProof(proof));
    code = isHealthy(report) && (proof?.problems ?? []).length === 0 ? 0 : 1;
  }
  sayWhoNeedsMembers(report, io);
  return code;
}

/** Starts the service, or says how and waits for whoever sits there; the exit code where it does not run after that, else null. */
async function start(config: Config, { file, options, isChanged, io }: SetUp): Promise<number | null> {
  const starting = startingWith(file);
  const starts = starting.isPossible && options.start;
  let met = await meet(config, 0);
  if (met.who === 'us' && isChanged) {
    const failed = starts ? await reloadService() : null;
    if (failed !== null) throw new StartError(failed);
    if (!starts) io.print(`\nThe settings have changed: ${reloading}`);
  } else if (met.who !== 'us' && starts) {
    const failed = await startService();
    if (failed !== null) throw new StartError(failed);
    met = await meet(config, startWithinMs);
  }
  if (met.who === 'us') return null;
  io.print(`\n${met.said.text} ${met.said.todo}`);
  const again = `deskside init${file === installed.settings ? '' : ` --env-file ${file}`}`;
  io.print(
    `\nStart the service, if it does not run:\n  ${starting.command}\nand then see whether all of it works:\n  ${again}`,
  );
  const mayStart = !starts && met.who === 'absent';
  if (mayStart && options.start && !options.yes && io.ask !== null) {
    io.print('\nThis waits for the service and then goes on by itself. Ctrl-C ends it.');
    met = await meet(config, patienceMs);
  }
  if (met.who === 'us') return null;
  return mayStart ? 0 : 1;
}

/** What is met at PUBLIC_URL, once it is Deskside or after so long. */
async function meet(config: Config, withinMs: number): Promise<Met> {
  const until = Date.now() + withinMs;
  for (;;) {
    const met = await withEgress(config, (egress) => meetDeskside(config, egress, answerWithinMs));
    if (met.who === 'us' || Date.now() >= until) return met;
    await wait(1_000);
  }
}

/** The CRM's own fields: which of them agents should see, is the operator's to say. */
async function offerFields(config: Config, io: Terminal): Promise<void> {
  const fields = await fieldsOfCrm(config);
  const count = fields === null || 'said' in fields ? 0 : fields.filter(({ extra }) => extra !== null).length;
  if (count > 0)
    io.print(
      `\nThe CRM has ${count} more fields of companies that agents could see: "deskside crm-fields" lists them.`,
    );
}

/** A team that was just made has the administrator alone, who is seldom an agent. */
function sayWhoNeedsMembers(report: readonly Checked[], io: Terminal): void {
  const said = report.filter(({ check }) => check === 'Teams').flatMap((teams) => teams.said);
  const empty = said.flatMap(({ text }) => /^Nobody in the team ("[^"]+")/.exec(text)?.[1] ?? []);
  if (empty.length > 0)
    io.print(
      `\nTo do now: add members who are active HD Agents to these teams, to whom no ticket can be assigned until then: ${empty.join(', ')}.`,
    );
}
