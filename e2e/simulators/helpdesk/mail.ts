import type { Mail } from './api.ts';
import { updateDocument } from './documents/documents.ts';
import { storeMessage } from './hooks/ticket.ts';
import { escapeHtml } from './http/html.ts';
import { insertWithScripts } from './server-scripts/run.ts';
import type { Actor } from './site/actor.ts';
import { lookup, type Site } from './site/site.ts';

/**
 * Makes a ticket of a message, as the helpdesk's inbox does: Administrator inserts it with subject and sender alone, so
 * webhooks see no description; the message itself and the description come with a later save
 * (docs/helpdesk.md#inserting-a-ticket). Gives the ticket's name.
 */
export async function receiveMail(site: Site, { from, subject, text, group }: Mail): Promise<string> {
  const actor: Actor = { user: 'Administrator', messages: [] };
  const doctype = site.metadata.get('HD Ticket');
  const { name } = await insertWithScripts(site, actor, doctype, {
    ...{ subject, raised_by: from },
    ...(group !== undefined && { agent_group: group }),
  });
  const description = `<div>${escapeHtml(text).replaceAll(/\r?\n/g, '<br>')}</div>`;
  const ticket = lookup(site, 'HD Ticket', name);
  if (ticket !== undefined) storeMessage(site, ticket, description);
  updateDocument(site, actor, doctype, name, { description });
  return name;
}
