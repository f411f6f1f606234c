/** A message that Frappe shows to the user, as it stands inside `_server_messages`. */
export interface ServerMessage {
  message: string;
  title: string;
  indicator?: string;
  raise_exception?: 1;
  __frappe_exc_id?: string;
}

interface Details {
  status: number;
  excType: string;
  /** Shown to the user; null where Frappe raises without a message. */
  message?: string | null;
  title?: string;
  /** Instead of the exception's name and the message, as `exception` has them by default. */
  exception?: string;
  /** Frappe leaves the traceback out for some errors even where tracebacks are allowed. */
  traceback?: boolean;
  errorMessage?: string;
  /** A message without the `raise_exception` mark, as permission checks leave it. */
  plain?: boolean;
  indicator?: string;
  /** The app that raised it, where that is not the framework. */
  source?: string;
}

/** An error that the API answers with Frappe's envelope (docs/helpdesk.md#reading). */
export class FrappeError extends Error {
  override readonly name = 'FrappeError';
  readonly details: Details;
  constructor(details: Details) {
    super(details.message ?? details.excType);
    this.details = details;
  }
  get status(): number {
    return this.details.status;
  }
}

const bold = (text: string): string => `<strong>${text}</strong>`;

export function validationError(message: string, excType = 'ValidationError', title = 'Message'): FrappeError {
  return new FrappeError({ status: 417, excType, message, title });
}

export function notFound(doctype: string, name: string): FrappeError {
  const message = `${doctype} ${name} not found`;
  return new FrappeError({ status: 404, excType: 'DoesNotExistError', message, traceback: false });
}

export function fieldNotPermitted(field: string): FrappeError {
  return validationError(`Field not permitted in query: ${field}`, 'DataError');
}

/** A validation of Helpdesk's own, which names its app. */
export function helpdeskError(message: string): FrappeError {
  return new FrappeError({ status: 417, excType: 'ValidationError', message, source: 'helpdesk (app)' });
}

/** A DocType that the site does not have, asked for as a document (docs/helpdesk.md#reading). */
export function missingModule(doctype: string): FrappeError {
  const module = doctype.toLowerCase().replaceAll(' ', '_').replaceAll('-', '_');
  const exception = `Error: No module named 'frappe.core.doctype.${module}'`;
  return new FrappeError({ status: 500, excType: 'ImportError', message: null, exception });
}

export function duplicate(doctype: string, name: string): FrappeError {
  const cause = `IntegrityError(1062, "Duplicate entry '${name}' for key 'PRIMARY'")`;
  return new FrappeError({
    status: 409,
    excType: 'DuplicateEntryError',
    message: `${doctype} ${bold(name)} already exists`,
    title: 'Duplicate Name',
    indicator: 'red',
    plain: true,
    exception: `frappe.exceptions.DuplicateEntryError: ('${doctype}', '${name}', ${cause})`,
  });
}

const permission = { status: 403, excType: 'PermissionError' } as const;
const denial = { ...permission, plain: true, exception: 'frappe.exceptions.PermissionError' } as const;

/** The whole DocType is closed to the user. Lists carry a traceback, document calls do not. */
export function doctypeDenied(user: string, doctype: string, traceback: boolean): FrappeError {
  return new FrappeError({
    ...denial,
    message: `User ${bold(user)} does not have doctype access via role permission for document ${bold(doctype)}`,
    traceback,
    errorMessage: `No permission for ${doctype}`,
  });
}

/** This one document is closed to the user. */
export function documentDenied(user: string, doctype: string, name: string, action: string): FrappeError {
  const reason = `User ${bold(user)} does not have access to this document: ${doctype} - ${name}`;
  return new FrappeError({
    ...denial,
    message: `Not allowed via controller permission check<br>${reason}`,
    errorMessage: `You need the '${action}' permission on ${bold(doctype)} ${name} to perform this action.`,
  });
}

/** A method that is not open to this caller; for Guest every method without `allow_guest`. */
export function notWhitelisted(method: string): FrappeError {
  const summary = 'You are not permitted to access this resource. Login to access';
  const message = `<details><summary>${summary}</summary>Function ${bold(method)} is not whitelisted.</details>`;
  return new FrappeError({ ...permission, message, title: 'Method Not Allowed' });
}

export function permissionDenied(message: string | null): FrappeError {
  return new FrappeError({ ...permission, message });
}

export function notAuthenticated(): FrappeError {
  return new FrappeError({ status: 401, excType: 'AuthenticationError', message: null });
}

export function csrfError(): FrappeError {
  return new FrappeError({ status: 400, excType: 'CSRFTokenError', message: 'Invalid Request', traceback: false });
}

export function methodMissing(method: string): FrappeError {
  return validationError(`Failed to get method for command ${method} with No module named '${method.split('.')[0]}'`);
}

/** What the database says when it refuses a value; the text names table and column, as the real one does. */
export function databaseError(excType: string, code: number, text: string): FrappeError {
  const exception = `pymysql.err.${excType}: (${code}, "${text}")`;
  return new FrappeError({ status: 500, excType, message: null, exception });
}
