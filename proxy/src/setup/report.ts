import type { Config } from '#config.ts';
import type { HelpdeskAdmin } from '#helpdesk/admin.ts';
import { type CertificateFault, HelpdeskError } from '#helpdesk/errors.ts';
import type { Egress } from '#net/egress.ts';
import type { Clock } from '#runtime/clock.ts';
import { StoreError } from '#store/store.ts';

/** What `doctor` examines; its checks are functions of this, and change nothing. */
export interface Examined {
  config: Config;
  egress: Egress;
  /** The helpdesk as the service account, and as an administrator if a key was given. */
  service: HelpdeskAdmin;
  admin: HelpdeskAdmin | null;
  /** A new one for each request: the longest wait for one response is `withinMs`. */
  deadline: () => AbortSignal;
  withinMs: number;
  clock: Clock;
}

/** One thing that a check found. `todo`: what to do about it; '' where there is nothing to do. */
export interface Said {
  /** `fault`: it keeps Deskside from working. `unchecked`: it could not be looked at; the text says why. */
  level: 'ok' | 'warning' | 'fault' | 'unchecked';
  text: string;
  todo: string;
}

export const ok = (text: string): Said => ({ level: 'ok', text, todo: '' });
export const warning = (text: string, todo: string): Said => ({ level: 'warning', text, todo });
export const fault = (text: string, todo: string): Said => ({ level: 'fault', text, todo });
export const unchecked = (text: string): Said => ({ level: 'unchecked', text, todo: '' });

/** What one check of `doctor` says, by its name. */
export interface Checked {
  check: string;
  said: Said[];
}

/** Runs a check. What the helpdesk or the store does not answer is said, and does not end the others. */
export async function run(check: string, work: () => Promise<Said | Said[]>): Promise<Checked> {
  try {
    return { check, said: [await work()].flat() };
  } catch (error) {
    return { check, said: [unchecked(whyUnread(error))] };
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
export const isHealthy = (report: readonly Checked[]): boolean =>
  report.every(({ said }) => said.every(({ level }) => level !== 'fault'));

const signs = { fault: '✗ ', warning: '! ', ok: '✓ ', unchecked: '– not checked: ' };

/** The report for people, by check; the last line counts. */
export function printReport(report: readonly Checked[]): string {
  const blocks = report.map(({ check, said }) =>
    [
      check,
      ...said.flatMap(({ level, text, todo }) => [`  ${signs[level]}${text}`, ...(todo ? [`    → ${todo}`] : [])]),
    ].join('\n'),
  );
  const count = (level: Said['level']) =>
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
export function jsonReport(report: readonly Checked[], more: object = {}): string {
  const said = report.flatMap(({ check, said }) => said.map((one) => ({ check, ...one })));
  return JSON.stringify({ healthy: isHealthy(report), said, ...more }, null, 2);
}

/** The names as a list within a sentence; only the first eight of many. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 8).join(', ');
  return names.length > 8 ? `${shown} and ${names.length - 8} more` : shown;
}

/**
 * What is wrong with a certificate and what to do about it.
 *
 * @param whose such as "the helpdesk"
 * @param variable where its address stands
 */
export function certificateFault(why: CertificateFault, whose: string, variable: string): Said {
  const certificate = `The certificate of ${whose}`;
  const faults = {
    untrusted: fault(
      `${certificate} is not from an authority that Deskside trusts.`,
      'Have this machine trust your authority (update-ca-certificates) and restart Deskside, which trusts what the machine trusts; if it is no authority of yours, have the whole chain sent along.',
    ),
    expired: fault(
      `${certificate} has expired or is not valid yet.`,
      "Renew it there; if it is valid, check this machine's clock.",
    ),
    other_name: fault(
      `${certificate} is for another name than ${variable} has.`,
      `Set ${variable} to a name that is in the certificate.`,
    ),
  };
  return faults[why];
}

/** Why the helpdesk does not do what the service account asks: what `doctor` and `/readyz` say of it. */
export function helpdeskFault(error: unknown): Said {
  const { kind, certificate, message } =
    error instanceof HelpdeskError
      ? error
      : { kind: 'timeout', certificate: null, message: 'There was no response in time.' };
  if (kind === 'unauthenticated' || kind === 'forbidden')
    return fault(
      "The helpdesk refuses the service account's key: it is another one, or its user is disabled.",
      'Enable the user in the helpdesk, or create a new key there (User, Settings, API Access), and set HELPDESK_API_KEY and _SECRET.',
    );
  if (certificate) return certificateFault(certificate, 'the helpdesk', 'HELPDESK_URL');
  if (kind === 'rate_limited')
    return fault(
      `The helpdesk limits how often it is asked. ${message}`,
      "Raise rate_limit in the site's configuration, or take the service account out of it.",
    );
  if (kind === 'unavailable' || kind === 'timeout') {
    const status = / answered (\d{3})\b/.exec(message)?.[1];
    return status === undefined
      ? fault(
          `The helpdesk does not respond. ${message}`,
          'Check HELPDESK_URL, the network between the two machines, and whether the helpdesk is running.',
        )
      : fault(
          `The helpdesk's web server answers with an error (HTTP ${status}).`,
          'Look whether the helpdesk behind it is running, and into its own log.',
        );
  }
  return fault(
    `The server is not a Frappe Helpdesk. ${message}`,
    'Set HELPDESK_URL to the address of the site where the app Helpdesk is installed.',
  );
}
