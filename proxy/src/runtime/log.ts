import { AsyncLocalStorage } from 'node:async_hooks';
import type { RoutingDecision } from '@deskside/shared/routing';
import type { LookupStatus } from '@deskside/shared/status';
import { type DestinationStream, destination, pino, stdTimeFunctions } from 'pino';

/**
 * Codes and counts, never bodies, credentials or addresses of the CRM. `fault` wants somebody's attention, and
 * `fault_ended` says that it is over; where the same `kind` stands in both, they belong together.
 */
export interface LogFields {
  fault?: Fault;
  fault_ended?: LastingFault;
  kind?: unknown;
  [field: string]: unknown;
}

/** Structured log lines. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

let standardOutput: DestinationStream | undefined;

/** One for the process, as there is one standard output: its timer never ends. */
function toStandardOutput(): DestinationStream {
  standardOutput ??= destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 250 });
  return standardOutput;
}

/**
 * Writes log lines as JSON, each as a whole passed through the redactor. What is logged in the name of a request has its
 * `request_id`. Lines are written a few at a time, within a quarter of a second, and when the process ends.
 */
export function createLogger(
  level: LogLevel,
  redact: (text: string) => string,
  output: DestinationStream = toStandardOutput(),
): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: stdTimeFunctions.isoTime,
      redact: { paths: ['authorization', 'password', 'token', 'secret'], censor: '[secret]' },
      mixin: () => ({ request_id: currentRequestId() }),
      // A line that is written in no request's name is not copied.
      mixinMergeStrategy: (fields, { request_id }: { request_id?: string }) =>
        request_id === undefined ? fields : { request_id, ...fields },
      hooks: { streamWrite: redact },
    },
    output,
  );
}

/** Shortest part of a secret that is hidden; shorter ones would black out ordinary words. */
const shortest = 6;

/** As it follows `Authorization:`. */
const credential = /\b(token|bearer|basic)\s+[^\s"'\\,}]{6,}/gi;

/**
 * Returns a function that removes secrets from a line of text: the given ones, also URL-encoded, whatever `maskOthers`
 * recognises by its form, and credentials in Authorization form. A last line of defence: secrets should not get this far.
 */
export function createRedactor(
  secrets: readonly string[],
  maskOthers: (text: string) => string,
): (text: string) => string {
  const known = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))]
    .filter((secret) => secret.length >= shortest)
    .sort((a, b) => b.length - a.length);
  // One pass for all of them; without any, a pattern that matches nothing.
  const anyKnown = known.length > 0 ? new RegExp(known.map(RegExp.escape).join('|'), 'g') : /(?!)/g;
  return (text) => replaced(maskOthers(replaced(text, anyKnown, '[secret]')), credential, '$1 [secret]');
}

/** To look is cheaper than to replace, and hardly a line has anything to replace. */
function replaced(text: string, pattern: RegExp, by: string): string {
  return text.search(pattern) < 0 ? text : text.replace(pattern, by);
}

/** What a log line may say about an unforeseen error: where it happened. Its message may quote data. */
export function unexpected(error: unknown): { error: string; stack: string[] } {
  const { name, stack = '' } = error instanceof Error ? error : new Error('not an Error');
  const places = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return { error: name, stack: places.slice(0, 7) };
}

const ids = new AsyncLocalStorage<string>();

/** Does the work, and whatever it begins, in the name of a request. */
export function inRequest<T>(id: string, work: () => T): T {
  return ids.run(id, work);
}

/** The request in whose name the current work is done; several that share it go by the first. Undefined: in none's. */
function currentRequestId(): string | undefined {
  return ids.getStore();
}

/** Faults that last until the service notices that they are over (docs/operate.md#health). */
export const lastingFaults = [
  'crm_unauthorized',
  'crm_insufficient_scope',
  'crm_redirected',
  'crm_overloaded',
  'crm_operation_limit',
  'crm_timeout',
  'crm_unreachable',
  'crm_server_error',
  'crm_budget_store',
  'store_failing',
  'helpdesk_unreachable',
  'service_key_refused',
  'service_account_limited',
  'helpdesk_field_missing',
  'target_team_missing',
  'settings_unusable',
] as const;
export type LastingFault = (typeof lastingFaults)[number];

/** Faults of which each stands for itself: nothing reports an end. */
export const singleFaults = [
  'ticket_write_rejected',
  'ticket_unreadable',
  'company_data_taken_back',
  'helpdesk_page_changed',
  'unhandled_rejection',
  'uncaught_exception',
] as const;
export type Fault = LastingFault | (typeof singleFaults)[number];

/** How a request of ours ended: served, refused with a 4xx, failed with a 5xx, or nobody was there any more. */
export type AnswerOutcome = 'ok' | 'refused' | 'failed' | 'client_left';

/**
 * What the service counts about itself (docs/operate.md#metrics). Nothing here can name a customer, an agent or a
 * ticket: every value comes from a closed list, except teams, which are those of the rules. Never throws.
 */
export interface Metrics {
  /** `route`: the pattern, never the path. `code`: the error in the answer, if there is one. */
  requestAnswered(request: { route: string; outcome: AnswerOutcome; code: string | undefined; seconds: number }): void;
  /** So many org ids were looked for in a layer, with this result. */
  companiesRead(layer: 'memory' | 'store' | 'crm', result: 'hit' | 'miss' | 'failed', count: number): void;
  /** What became of a look-up, whichever layers it went through. */
  companyAnswered(answer: { status: LookupStatus; stale: boolean }): void;
  /** One request to the CRM. `outcome`: `ok` or why it failed. */
  crmAnswered(request: { kind: CrmRequestKind; outcome: string; seconds: number }): void;
  ticketDecided(decision: RoutingDecision): void;
  /** The decision's agent has the ticket. */
  ticketAssigned(decision: RoutingDecision): void;
  /** `part`: what it is limited to, such as a kind of request; empty where it is not. */
  faultNoted(fault: Fault, part: string): void;
  /** `part`: null for all of them. Harmless if it was never noted. */
  faultEnded(fault: LastingFault, part: string | null): void;
}

export type CrmRequestKind = 'companies' | 'users' | 'searches' | 'segments';
