import { setTimeout as wait } from 'node:timers/promises';
import { installed } from '#commands/settings.ts';
import { type Terminal, untilInterrupted } from '#commands/terminal.ts';
import type { Config } from '#config.ts';
import { withEgress } from '#net/egress.ts';
import type { Secret } from '#runtime/secret.ts';
import { examine } from '#setup/doctor/doctor.ts';
import { type DesksideAnswer, meetDeskside } from '#setup/doctor/meet-deskside.ts';
import { printProof, proveWithTicket } from '#setup/doctor/ticket-proof.ts';
import { reloading } from '#setup/provision/provision.ts';
import { isHealthy, printReport } from '#setup/report.ts';
import { offerMembers } from './helpdesk.ts';
import { restartService, runsOlderThan, startingWith, startService } from './systemd.ts';

// What `init` does once everything is set up.

/** Longest wait for one response, and for a service that has just been started. */
const answerWithinMs = 15_000;
const startWithinMs = 60_000;

/** What `init` has set up. */
interface Installation {
  /** Where the settings are. */
  file: string;
  adminKey: Secret;
  options: { start: boolean; ticket: boolean };
  /** Whether a service that runs has older settings. */
  isChanged: boolean;
  io: Terminal;
}

/**
 * Starts the service or says how, then looks at everything, sees a ticket come through, and says what is left to do.
 *
 * @returns the exit code of `init`: 0 also where nothing but members of teams is missing
 * @throws StartError
 */
export async function finishInit(config: Config, setUp: Installation): Promise<number> {
  const { adminKey, io } = setUp;
  const whyNot = await start(config, setUp);
  const toDo = await offerMembers(config, adminKey, io);
  const code = whyNot ?? (await look(config, setUp));
  if (toDo !== null) io.print(`\n${toDo}`);
  return code;
}

/** Looks at everything, and sees a ticket come through. */
async function look(config: Config, { file, adminKey, options, io }: Installation): Promise<number> {
  const report = await examine(config, file, adminKey);
  const notable = report.filter(({ said }) => said.some(({ level }) => level !== 'ok'));
  io.print(`\n${printReport(notable)}\n`);
  const proof = options.ticket ? await proveWithTicket(config, adminKey, untilInterrupted()) : null;
  if (proof) io.print(printProof(proof));
  const others = report.map((one) =>
    one.check === 'Teams'
      ? { ...one, said: one.said.filter(({ text }) => !text.startsWith('Nobody in the team')) }
      : one,
  );
  return isHealthy(others) && (proof?.problems ?? []).length === 0 ? 0 : 1;
}

/** Starts the service, or says how; the exit code where it does not run after that, else null. */
async function start(config: Config, { file, options, isChanged, io }: Installation): Promise<number | null> {
  const starting = startingWith(file);
  const starts = starting.isPossible && options.start;
  let met = await meet(config, 0, io);
  if (met.who === 'us' && starts && (isChanged || (await runsOlderThan(file)))) {
    await restartService();
    met = await meet(config, startWithinMs, io);
  } else if (met.who === 'us' && isChanged && !starts) io.print(`\nThe settings have changed: ${reloading}`);
  else if (met.who !== 'us' && starts) {
    await startService();
    met = await meet(config, startWithinMs, io);
  }
  if (met.who === 'us') return null;
  io.print(`\n${met.said.text} ${met.said.todo}`);
  const again = `deskside init${file === installed.settings ? '' : ` --env-file ${file}`}`;
  io.print(
    `\nStart the service, if it does not run:\n  ${starting.command}\nand then see whether all of it works:\n  ${again}`,
  );
  return !starts && met.who === 'absent' ? 0 : 1;
}

/** What is met at PUBLIC_URL, once it is Deskside or after so long. */
async function meet(config: Config, withinMs: number, io: Terminal): Promise<DesksideAnswer> {
  const until = Date.now() + withinMs;
  if (withinMs > 0) io.print(`\nWaiting for Deskside at ${config.PUBLIC_URL}, for a minute at most …`);
  for (;;) {
    const met = await withEgress(config, (egress) => meetDeskside(config, egress, answerWithinMs));
    if (met.who === 'us' || Date.now() >= until) return met;
    await wait(1_000);
  }
}
