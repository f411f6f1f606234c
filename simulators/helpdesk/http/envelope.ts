import { randomBytes } from 'node:crypto';
import type { FrappeError, ServerMessage } from '#helpdesk/errors.ts';

/** Stands for what a real site leaks in its error bodies, so that tests can look for it elsewhere. */
const traceback =
  'Traceback (most recent call last):\n  File "apps/frappe/frappe/app.py", line 115, in application\n' +
  "    response = frappe.api.handle(request)\nSELECT `name` FROM `_f00dfeed1234`.`tabHD Ticket` WHERE `name` = '2'\n";

/** `_server_messages`: a JSON string of an array of JSON strings. */
export function packMessages(messages: ServerMessage[]): string {
  return JSON.stringify(messages.map((message) => JSON.stringify(message)));
}

/** The body of an error answer; `messages` are those said before it. */
export function errorBody(
  error: FrappeError,
  messages: ServerMessage[],
  allowTraceback: boolean,
): Record<string, unknown> {
  const { details } = error;
  const body: Record<string, unknown> = {};
  const full = allowTraceback && details.traceback !== false;
  const name = `frappe.exceptions.${details.excType}`;
  if (full) body.exception = details.exception ?? (details.message ? `${name}: ${details.message}` : name);
  body.exc_type = details.excType;
  if (full && details.source !== undefined) body._exc_source = details.source;
  if (full) body.exc = JSON.stringify([`${traceback}${String(body.exception)}\n`]);
  const said = [...messages];
  if (details.message !== undefined && details.message !== null) said.push(messageOf(error));
  if (said.length > 0) body._server_messages = packMessages(said);
  if (details.errorMessage !== undefined) body._error_message = details.errorMessage;
  return body;
}

/** The message of an error as it stands in `_server_messages`. */
function messageOf(error: FrappeError): ServerMessage {
  const { details } = error;
  const message: ServerMessage = { message: details.message ?? '', title: details.title ?? 'Message' };
  if (details.plain === true) return details.indicator ? { ...message, indicator: details.indicator } : message;
  return { ...message, indicator: 'red', raise_exception: 1, __frappe_exc_id: randomBytes(28).toString('hex') };
}

/** Escapes text for HTML, also inside quoted attributes. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** The small page that accompanies a redirect. */
export function redirectPage(target: string): string {
  const link = escapeHtml(target);
  return `<!doctype html>\n<html lang=en>\n<title>Redirecting...</title>\n<h1>Redirecting...</h1>\n<p>You should be redirected automatically to the target URL: <a href="${link}">${link}</a>. If not, click the link.\n`;
}
