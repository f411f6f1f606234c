import type { Conflict, Issue } from '@deskside/shared/envelope';
import type { ErrorCode } from '@deskside/shared/status';

const messages: Record<ErrorCode, string> = {
  bad_input: 'The request cannot be used as it is; data.issues says why.',
  unauthenticated: 'The helpdesk does not know this credential. Sign in again.',
  not_an_agent: 'Only helpdesk agents may see customer profiles.',
  not_a_manager: 'Only agents with the role Agent Manager may see what all teams got.',
  ticket_not_readable: 'You do not have permission to read this ticket.',
  ticket_not_writable: 'You can read this ticket, but not change it.',
  customer_not_readable: 'You do not have permission to read this customer or contact.',
  customer_not_writable:
    'This customer has no org id yet, and giving it one takes permission to write this customer, which you do not have. ' +
    'Ask someone who has it, or name a ticket of this customer.',
  ticket_not_found: 'There is no such ticket.',
  ticket_read_by_other: 'Somebody else reads this ticket, who is not its sender.',
  customer_not_found: 'There is no such customer or contact.',
  sync_not_found: 'There is no such sync on this ticket.',
  rejection_not_found: 'There is no such rejection for this ticket or its sender.',
  route_not_found: 'There is no such endpoint.',
  method_not_allowed: 'This endpoint does not support this method.',
  identity_conflict: 'Two different records claim to be this customer; data.conflict names both.',
  changed_since: 'Someone else has changed this record in the meantime; it was left as it is.',
  other_revision:
    'Extension and proxy are of versions that do not work together; update the one that is older, as a rule the proxy.',
  body_too_large: 'The request body is too large.',
  rate_limited: 'Too many requests; try again in a moment.',
  internal: 'Something went wrong on our side; look for the request id in the log.',
  helpdesk_bad_answer: 'The helpdesk sent a response that could not be understood.',
  helpdesk_refused: 'The helpdesk refuses what Deskside would write.',
  helpdesk_rate_limited: 'The helpdesk limits how often it is asked; try again in a moment.',
  helpdesk_unavailable: 'The helpdesk cannot be reached or is not working right now.',
  helpdesk_timeout: 'The helpdesk did not answer in time.',
  store_unavailable: 'The database cannot be reached right now; try again in a moment.',
};

const mayBeTriedAgain: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'helpdesk_rate_limited', 'store_unavailable']);

/** An error that has been named: its code may stand in the log, where a message could quote customer data. */
export abstract class NamedError extends Error {
  abstract readonly code: string;
}

/** An outcome that ends a request with an error of the contract. Its message is fixed and quotes nothing. */
export class AppError extends NamedError {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly issues: Issue[];
  /** The two records of an identity conflict. */
  readonly conflict: Conflict | null;
  /** When to try again; set for every `rate_limited`, `helpdesk_rate_limited` and `store_unavailable`, and for nothing else. */
  readonly retryAfterSeconds: number | null;

  constructor(code: ErrorCode, issues: Issue[] = [], conflict: Conflict | null = null, retryAfterSeconds = 1) {
    super(messages[code]);
    this.code = code;
    this.issues = issues;
    this.conflict = conflict;
    this.retryAfterSeconds = mayBeTriedAgain.has(code) ? retryAfterSeconds : null;
  }

  /** The database went away: it may be back in a moment. */
  static storeUnavailable(): AppError {
    return new AppError('store_unavailable', [], null, 2);
  }

  /** Too many requests: the caller may try again after this many whole seconds. */
  static rateLimited(retryAfterSeconds: number): AppError {
    return new AppError('rate_limited', [], null, retryAfterSeconds);
  }

  /** Somebody else reads the ticket: the message names their account. */
  static readByOther(ticket: string, account: string): AppError {
    const error = new AppError('ticket_read_by_other', [], { code: 'read_by_other', asked: ticket, found: account });
    error.message =
      `${account} reads this ticket, too, and is not its sender. ` +
      "Mend the ticket's contact first, or open a ticket for the true sender.";
    return error;
  }

  /** An integration may not write what its call is about. */
  static lacksRight(doctype: 'HD Ticket' | 'HD Customer'): AppError {
    const error = new AppError(doctype === 'HD Ticket' ? 'ticket_not_writable' : 'customer_not_writable');
    error.message = `Enriching this takes the right to write ${doctype}, which this account does not have.`;
    return error;
  }

  static conflict(conflict: Conflict): AppError {
    return new AppError('identity_conflict', [], conflict);
  }
}

/**
 * Reads, decides and writes, and all of it again if somebody else has written in between: only the first time does what
 * the caller has read count. Throws `changed_since` if others keep being first.
 */
export async function retryIfChanged<T>(write: (isFirst: boolean) => Promise<T | 'changed_meanwhile'>): Promise<T> {
  let written = await write(true);
  if (written === 'changed_meanwhile') written = await write(false);
  if (written !== 'changed_meanwhile') return written;
  throw new AppError('changed_since');
}

/** The start failed for a reason outside the configuration; the message is one sentence for a person. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
