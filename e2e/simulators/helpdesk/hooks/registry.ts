import { contactHooks } from './contact.ts';
import { customDocPermHooks } from './custom-docperm.ts';
import { customFieldHooks } from './custom-field.ts';
import { doctypeHooks } from './doctype.ts';
import { oauthClientHooks } from './oauth-client.ts';
import { serverScriptHooks } from './server-script.ts';
import { teamHooks } from './team.ts';
import { ticketHooks } from './ticket.ts';
import { todoHooks } from './todo.ts';
import type { Hooks } from './types.ts';
import { userHooks } from './user.ts';
import { webhookHooks } from './webhook.ts';

const registry = new Map<string, Hooks>([
  ['HD Ticket', ticketHooks],
  ['HD Team', teamHooks],
  ['Contact', contactHooks],
  ['ToDo', todoHooks],
  ['Custom Field', customFieldHooks],
  ['Custom DocPerm', customDocPermHooks],
  ['DocType', doctypeHooks],
  ['Server Script', serverScriptHooks],
  ['OAuth Client', oauthClientHooks],
  ['User', userHooks],
  ['Webhook', webhookHooks],
]);

const none: Hooks = {};

/** The controller of a DocType; an empty one where it has nothing to add. */
export function hooksFor(doctype: string): Hooks {
  return registry.get(doctype) ?? none;
}
