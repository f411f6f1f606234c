import type { ErrorCode } from '@deskside/shared/status';
import type { CertificateFault } from '#net/egress.ts';
import { certificateProblem, type EgressError } from '#net/egress.ts';
import { AppError, NamedError } from '#runtime/app-error.ts';
import { isRecord, jsonOf } from '#runtime/json.ts';
import { machine } from '#runtime/machine.ts';
import type { DoctypeFields, SiteField } from './values.ts';

export type HelpdeskErrorKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'rejected'
  | 'rate_limited'
  | 'conflict'
  | 'unavailable'
  | 'timeout'
  | 'bad_answer';

/** Every way a helpdesk call can fail. The message is our own: an upstream body never gets into it. */
export class HelpdeskError extends NamedError {
  override readonly name = 'HelpdeskError';
  readonly kind: HelpdeskErrorKind;
  /** Why the helpdesk's certificate is not accepted; null unless it was that. */
  readonly certificate: CertificateFault | null = null;
  /** Name of Frappe's exception class, such as QueryDeadlockError; null unless Frappe itself refused. */
  readonly excType: string | null = null;
  /** What the helpdesk has against a write, for people: "HD Customer needs Industry". Null unless it refused one. */
  readonly refusal: string | null = null;
  /** Names of the fields that it is about, as far as the helpdesk says. */
  readonly refusedFields: readonly string[] = [];
  /** When it may be asked again; null unless it limits how often it is asked. */
  readonly retryAfterSeconds: number | null = null;
  constructor(
    kind: HelpdeskErrorKind,
    message: string,
    details: Partial<Omit<HelpdeskError, keyof NamedError | 'kind'>> = {},
  ) {
    super(message);
    Object.assign(this, details);
    this.kind = kind;
  }

  get code(): string {
    return `helpdesk_${this.kind}`;
  }
}

/** The response was larger or deeper than the limit: someone has put very much into a document. */
export class AnswerTooLarge extends HelpdeskError {}

/**
 * Classifies a response by its status and exception class alone; its texts may contain tracebacks, SQL and other
 * people's data (docs/helpdesk.md#reading). Returns null for a success.
 *
 * A refusal counts only in Frappe's own envelope: a 404 or 403 page from something in front of it says nothing about
 * tickets or permissions.
 *
 * @param call what was tried, in our own words, for the message
 * @param retryAfter header of that name
 */
export function refusalOf(status: number, body: unknown, call: string, retryAfter?: string): HelpdeskError | null {
  if (status >= 200 && status < 300) return null;
  const excType = excTypeOf(body);
  if (status === 429) {
    const seconds = secondsOf(retryAfter);
    const message = `${call}: the helpdesk limits how often it is asked; it may be asked again in ${seconds} s.`;
    return new HelpdeskError('rate_limited', message, { excType, retryAfterSeconds: seconds });
  }
  const message = `${call}: the helpdesk answered ${status}${excType === null ? '' : ` ${excType}`}.`;
  return new HelpdeskError(kindOf(status, excType), message, { excType });
}

/** From `Retry-After`, in seconds or as a date: between one second and an hour. */
function secondsOf(retryAfter = ''): number {
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - machine.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.min(3_600, Math.max(1, Math.ceil(seconds))) : usualPauseSeconds;
}

const usualPauseSeconds = 10;

function kindOf(status: number, excType: string | null): HelpdeskErrorKind {
  // A background job has the document for a moment.
  if (status >= 500 || excType === 'DocumentLockedError') return 'unavailable';
  if (excType === null) return 'bad_answer';
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (excType === 'DuplicateEntryError' || excType === 'TimestampMismatchError') return 'conflict';
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

/**
 * The refusal of a write in the helpdesk's own terms. Only names of fields get into it, as the DocType has them: the
 * helpdesk's text may hold values, which are other people's data.
 *
 * @param what DocType, or the function that was run
 * @param fields of the DocType, as far as they can be read
 */
export function refusedWrite(error: HelpdeskError, what: string, fields: DoctypeFields, body: unknown): HelpdeskError {
  const found = namedFields(error, fields, textsOf(body));
  const refusal = reasonOf(
    error,
    what,
    found.map(({ fieldname, label }) => label || fieldname),
  );
  const refusedFields = found.map(({ fieldname }) => fieldname);
  const message = `${error.message} ${refusal}.`;
  return new HelpdeskError('rejected', message, { excType: error.excType, refusal, refusedFields });
}

function reasonOf({ excType }: HelpdeskError, what: string, labels: string[]): string {
  if (excType === 'PermissionError') return `Deskside's account may not write ${what}`;
  if (excType === 'MandatoryError')
    return `${what} needs ${labels.join(', ') || 'a field that Deskside does not fill'}`;
  return `${what} refuses ${labels[0] ?? 'the write'} (${excType})`;
}

/** The fields that the texts name: of missing values all, of other reasons the one that is named first. */
function namedFields({ excType }: HelpdeskError, fields: DoctypeFields, texts: string): SiteField[] {
  const isMandatory = excType === 'MandatoryError';
  const found = [...fields.values()].flatMap((field) => {
    if (isMandatory && !field.required) return [];
    const at = [field.fieldname, field.label].map((name) => indexOfWord(texts, name)).filter((index) => index >= 0);
    return at.length === 0 ? [] : [{ field, at: Math.min(...at) }];
  });
  // Of two that begin alike, such as Customer and Customer Name, the longer one is meant.
  const ordered = found.toSorted((a, b) => a.at - b.at || b.field.label.length - a.field.label.length);
  return ordered.slice(0, isMandatory ? 5 : 1).map(({ field }) => field);
}

function indexOfWord(text: string, word: string): number {
  if (word === '') return -1;
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.search(new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'u'));
}

function textsOf(body: unknown): string {
  const exception = textIn(body, 'exception')?.slice(0, 2_000) ?? '';
  return [...messagesOf(body).map((text) => text.slice(0, 2_000)), exception].join('\n').replace(/<[^>]*>/g, '');
}

/** A refusal of the service account must not look as if the caller had been refused: to them, the helpdesk does not work. */
export function refusalAsOutage(error: HelpdeskError): HelpdeskError {
  if (error.kind !== 'unauthenticated' && error.kind !== 'forbidden') return error;
  return new HelpdeskError('unavailable', `The service account is refused. ${error.message}`, {
    excType: error.excType,
  });
}

/** Whether Frappe lets the account that asked not do this, be it the service's. */
export function isForbidden(error: unknown): boolean {
  return error instanceof HelpdeskError && (error.kind === 'forbidden' || error.excType === 'PermissionError');
}

/** Whether Frappe does not know the key of the account that asked, be it the service's. */
export function isUnknownKey(error: unknown): boolean {
  return (
    error instanceof HelpdeskError && (error.kind === 'unauthenticated' || error.excType === 'AuthenticationError')
  );
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

/** Why the helpdesk does not do what the service account asks, and what to do. */
export function helpdeskProblem(error: unknown): { text: string; todo: string } {
  const { kind, certificate, message } =
    error instanceof HelpdeskError ? error : new HelpdeskError('timeout', 'There was no response in time.');
  if (kind === 'unauthenticated' || kind === 'forbidden')
    return {
      text: "The helpdesk refuses the service account's key: it is another one, or its user is disabled.",
      todo: 'Enable the user in the helpdesk, or create a new key there (User, Settings, API Access), and set HELPDESK_API_KEY and _SECRET.',
    };
  if (certificate) return certificateProblem(certificate, 'the helpdesk', 'HELPDESK_URL');
  if (kind === 'rate_limited')
    return {
      text: `The helpdesk limits how often it is asked. ${message}`,
      todo: "Raise rate_limit in the site's configuration, or take the service account out of it.",
    };
  const status = / answered (\d{3})\b/.exec(message)?.[1];
  if (status !== undefined && kind === 'unavailable')
    return {
      text: `The helpdesk's web server answers with an error (HTTP ${status}).`,
      todo: 'Look whether the helpdesk behind it is running, and into its own log.',
    };
  if (kind === 'unavailable' || kind === 'timeout')
    return {
      text: `The helpdesk does not respond. ${message}`,
      todo: 'Check HELPDESK_URL, the network between the two machines, and whether the helpdesk is running.',
    };
  return {
    text: `The server is not a Frappe Helpdesk. ${message}`,
    todo: 'Set HELPDESK_URL to the address of the site where the app Helpdesk is installed.',
  };
}

const codes: Record<HelpdeskErrorKind, ErrorCode> = {
  unauthenticated: 'unauthenticated',
  forbidden: 'ticket_not_readable',
  not_found: 'ticket_not_found',
  rejected: 'helpdesk_bad_answer',
  rate_limited: 'helpdesk_rate_limited',
  conflict: 'helpdesk_bad_answer',
  unavailable: 'helpdesk_unavailable',
  timeout: 'helpdesk_timeout',
  bad_answer: 'helpdesk_bad_answer',
};

/** What a caller is answered whose request, made as the caller, ended so. */
export function answerFor({ kind, refusal, retryAfterSeconds }: HelpdeskError): AppError {
  if (refusal === null) return new AppError(codes[kind], [], null, retryAfterSeconds ?? undefined);
  const refused = new AppError('helpdesk_refused', [], { code: 'write_refused', asked: '', found: refusal });
  refused.message = `The helpdesk refuses what Deskside would write: ${refusal}.`;
  return refused;
}

/**
 * A refusal of the service account must not look as if the caller had been refused, so it is reported as a helpdesk
 * that does not work. Throws AppError.
 */
export async function hideServiceRefusal<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof HelpdeskError)) throw error;
    const isAboutThem = error.kind === 'not_found' || error.kind === 'forbidden' || error.kind === 'unauthenticated';
    throw isAboutThem ? new AppError('helpdesk_bad_answer') : answerFor(error);
  });
}

/** For requests made as the caller. Throws AppError. */
export function refuse(error: unknown): never {
  throw error instanceof HelpdeskError ? answerFor(error) : error;
}

/** For requests made as the caller with a customer or contact: a refusal is about that record. Throws AppError. */
export async function explainCustomerRefusal<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof HelpdeskError)) throw error;
    if (error.kind === 'not_found') throw new AppError('customer_not_found');
    if (error.kind === 'forbidden') throw new AppError('customer_not_readable');
    throw answerFor(error);
  });
}
