import type { Config } from '#config.ts';
import type { HelpdeskAdmin } from '#helpdesk/admin.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { Egress } from '#net/egress.ts';
import type { Clock } from '#runtime/memory.ts';
import { StoreError } from '#store/database.ts';

/** What `doctor` examines; its checks are functions of this, and change nothing. */
export interface CheckInput {
  config: Config;
  /** Where the settings are; null for the environment alone. */
  file: string | null;
  egress: Egress;
  /** The helpdesk as the service account. */
  service: HelpdeskAdmin;
  /** The longest wait for one response. */
  withinMs: number;
  clock: Clock;
}

/** One thing that a check found. `todo`: what to do about it; '' where there is nothing to do. */
export interface Remark {
  /** `fault`: it keeps Deskside from working. `unchecked`: it could not be looked at; the text says why. */
  level: 'ok' | 'warning' | 'fault' | 'unchecked';
  text: string;
  todo: string;
}

export const ok = (text: string): Remark => ({ level: 'ok', text, todo: '' });
export const warning = (text: string, todo: string): Remark => ({ level: 'warning', text, todo });
export const fault = (text: string, todo: string): Remark => ({ level: 'fault', text, todo });
export const unchecked = (text: string): Remark => ({ level: 'unchecked', text, todo: '' });

/** What one check of `doctor` says, by its name. */
export interface CheckReport {
  check: string;
  said: Remark[];
}

/** What a check yields as it finds it, and returns where it has found nothing. */
export type Findings = AsyncGenerator<Remark, Remark>;

/** Runs a check. What the helpdesk or the store does not answer is said, and does not end the others. */
export async function run(check: string, findings: Findings | Promise<Remark>): Promise<CheckReport> {
  const said: Remark[] = [];
  try {
    if (findings instanceof Promise) return { check, said: [await findings] };
    for (;;) {
      const { value, done } = await findings.next();
      if (!done || said.length === 0) said.push(value);
      if (done) return { check, said };
    }
  } catch (error) {
    return { check, said: [...said, unchecked(whyUnread(error))] };
  }
}

/** Why something could not be read, in our own words. Throws what is a fault of ours. */
export function whyUnread(error: unknown): string {
  if (error instanceof HelpdeskError)
    return error.kind === 'forbidden' ? `The key may not read it. ${error.message}` : error.message;
  if (error instanceof StoreError) return error.message;
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'There was no response in time.';
  throw error;
}

/** Whether nothing keeps Deskside from working. */
export const isHealthy = (report: readonly CheckReport[]): boolean =>
  report.every(({ said }) => said.every(({ level }) => level !== 'fault'));

const signs = { fault: '✗ ', warning: '! ', ok: '✓ ', unchecked: '– not checked: ' };

/** The report for people, by check; the last line counts. */
export function printReport(report: readonly CheckReport[]): string {
  const blocks = report.map(({ check, said }) =>
    [
      check,
      ...said.flatMap(({ level, text, todo }) => [`  ${signs[level]}${text}`, ...(todo ? [`    → ${todo}`] : [])]),
    ].join('\n'),
  );
  const count = (level: Remark['level']) =>
    report.flatMap(({ said }) => said).filter((one) => one.level === level).length;
  const [faults, warnings] = [count('fault'), count('warning')];
  const left = count('unchecked') > 0 ? ' in what was checked' : '';
  const found =
    faults + warnings === 0
      ? `Nothing is wrong${left}.`
      : `${faults} ${faults === 1 ? 'fault' : 'faults'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`;
  return [...blocks, found].join('\n\n');
}

/** The report for programs. `more`: what else is in it. */
export function jsonReport(report: readonly CheckReport[], more: object = {}): string {
  const said = report.flatMap(({ check, said }) => said.map((one) => ({ check, ...one })));
  return JSON.stringify({ healthy: isHealthy(report), said, ...more }, null, 2);
}

/** The names as a list within a sentence; only the first eight of many. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 8).join(', ');
  return names.length > 8 ? `${shown} and ${names.length - 8} more` : shown;
}
