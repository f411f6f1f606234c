import { isRecord, jsonOf } from '@deskside/shared/json';
import type { EgressError } from '#net/egress.ts';

export type HelpdeskErrorKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'rejected'
  | 'conflict'
  | 'unavailable'
  | 'timeout'
  | 'bad_answer';

export type CertificateFault = 'untrusted' | 'expired' | 'other_name';

/** Every way a helpdesk call can fail. The message is our own: an upstream body never gets into it. */
export class HelpdeskError extends Error {
  override readonly name = 'HelpdeskError';
  readonly kind: HelpdeskErrorKind;
  /** Why the helpdesk's certificate is not accepted; null unless it was that. */
  readonly certificate: CertificateFault | null;
  /** Name of Frappe's exception class, such as QueryDeadlockError; null unless Frappe itself refused. */
  readonly excType: string | null;
  constructor(
    kind: HelpdeskErrorKind,
    message: string,
    { certificate = null, excType = null }: { certificate?: CertificateFault | null; excType?: string | null } = {},
  ) {
    super(message);
    this.kind = kind;
    this.certificate = certificate;
    this.excType = excType;
  }
}

/** The response was larger or deeper than the limit: someone has put very much into a document. */
export class AnswerTooLarge extends HelpdeskError {}

/**
 * Classifies a response by its status and exception class alone; its texts may contain tracebacks, SQL and other
 * people's data (docs/helpdesk.md#errors). Returns null for a success.
 *
 * A refusal counts only in Frappe's own envelope: a 404 or 403 page from something in front of it says nothing about
 * tickets or permissions.
 *
 * @param call what was tried, in our own words, for the message
 */
export function refusalOf(status: number, body: unknown, call: string): HelpdeskError | null {
  if (status >= 200 && status < 300) return null;
  const excType = excTypeOf(body);
  const message = `${call}: the helpdesk answered ${status}${excType === null ? '' : ` ${excType}`}.`;
  return new HelpdeskError(kindOf(status, excType), message, { excType });
}

function kindOf(status: number, excType: string | null): HelpdeskErrorKind {
  if (status >= 500 || status === 429) return 'unavailable';
  if (excType === null) return 'bad_answer';
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 409 || excType === 'TimestampMismatchError') return 'conflict';
  return status >= 400 ? 'rejected' : 'bad_answer';
}

function excTypeOf(body: unknown): string | null {
  const value = isRecord(body) ? body.exc_type : null;
  return typeof value === 'string' && /^[A-Za-z]{1,60}$/.test(value) ? value : null;
}

/** A call without a complete response. */
export function unanswered(error: EgressError, call: string): HelpdeskError {
  const message = `${call}: ${error.message}`;
  if (error.code === 'too_large') return new AnswerTooLarge('bad_answer', message);
  if (error.code === 'timeout') return new HelpdeskError('timeout', message);
  const kind = error.code === 'blocked' ? 'rejected' : 'unavailable';
  return new HelpdeskError(kind, message, { certificate: error.certificate });
}

/** A refusal of the service account must not look as if the caller had been refused: to them, the helpdesk does not work. */
export function refusalAsOutage(error: HelpdeskError): HelpdeskError {
  if (error.kind !== 'unauthenticated' && error.kind !== 'forbidden') return error;
  return new HelpdeskError('unavailable', `The service account is refused. ${error.message}`, error);
}

/** Whether Frappe lets the account that asked not do this, be it the service's. */
export function isForbidden(error: unknown): boolean {
  return error instanceof HelpdeskError && (error.kind === 'forbidden' || error.excType === 'PermissionError');
}

/** For `catch`: `instead` for failures of these kinds; rethrows everything else. */
export function unless<T>(kinds: readonly HelpdeskErrorKind[], instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof HelpdeskError && kinds.includes(error.kind)) return instead;
    throw error;
  };
}

export function noSuch(doctype: string): HelpdeskError {
  return new HelpdeskError('not_found', `The helpdesk has no ${doctype} with this name.`);
}

/** The messages that Frappe would show to the user: a JSON list of JSON texts. Empty if there are none. */
export function messagesOf(body: unknown): string[] {
  const list = jsonOf(textIn(body, '_server_messages') ?? '');
  return Array.isArray(list) ? list.flatMap((entry) => textIn(jsonOf(String(entry)), 'message') ?? []) : [];
}

function textIn(value: unknown, key: string): string | null {
  const text = isRecord(value) ? value[key] : null;
  return typeof text === 'string' ? text : null;
}
