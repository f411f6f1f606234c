import { isRecord, jsonOf } from '@deskside/shared/json';
import { HelpdeskError, type HelpdeskErrorKind } from './helpdesk.ts';

/** A refusal in Frappe's own terms, for the few places that act on the kind of exception. */
export class FrappeError extends HelpdeskError {
  /** Name of Frappe's exception class, such as QueryDeadlockError; null if there was none. */
  readonly excType: string | null;
  constructor(kind: HelpdeskErrorKind, message: string, excType: string | null) {
    super(kind, message);
    this.excType = excType;
  }
}

/**
 * Classifies a response by its status and exception class alone; its texts may contain tracebacks, SQL and other
 * people's data (docs/helpdesk.md#errors). Returns null for a success.
 *
 * A refusal counts only in Frappe's own envelope: a 404 or 403 page from something in front of it says nothing about
 * tickets or permissions.
 *
 * @param call what was tried, in our own words, for the message
 */
export function refusalOf(status: number, body: unknown, call: string): FrappeError | null {
  if (status >= 200 && status < 300) return null;
  const excType = excTypeOf(body);
  const message = `${call}: the helpdesk answered ${status}${excType === null ? '' : ` ${excType}`}.`;
  return new FrappeError(kindOf(status, excType), message, excType);
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

/**
 * Waits for a request made as the service account. A refusal of that account must not look as if the caller had been
 * refused: to the caller, the helpdesk does not work.
 */
export async function refusalAsOutage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof HelpdeskError) || (error.kind !== 'unauthenticated' && error.kind !== 'forbidden'))
      throw error;
    throw new HelpdeskError('unavailable', `The service account is refused. ${error.message}`);
  }
}

/** For `catch`: returns `instead` for refusals by Frappe of these kinds, and rethrows everything else. */
export function unless<T>(kinds: HelpdeskErrorKind | readonly HelpdeskErrorKind[], instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof FrappeError && [kinds].flat().includes(error.kind)) return instead;
    throw error;
  };
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
