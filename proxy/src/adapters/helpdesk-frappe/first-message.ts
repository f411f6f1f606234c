import * as z from 'zod';
import { htmlToText } from '../../domain/html-to-text.ts';
import { AnswerTooLarge, DocumentName, type FrappeClient } from './client.ts';
import { noSuchTicket } from './read-ticket.ts';

const Message = z.object({ content: z.string().nullish(), creation: z.string() });
const Conversation = z.object({
  message: z.object({ name: DocumentName, communications: z.array(Message).optional() }),
});

/**
 * Plain text of the oldest message of a ticket; empty where there is none, or where the conversation is too large to be
 * read. A ticket that came by e-mail may have no description of its own (facts/frappe.md 6.1).
 *
 * @param service Authorization header of the service account
 */
export async function readFirstMessage(
  client: FrappeClient,
  service: string,
  ticket: string,
  signal: AbortSignal,
): Promise<string> {
  const method = 'helpdesk.helpdesk.doctype.hd_ticket.api.get_one';
  try {
    const { message } = await client.call(method, { name: ticket }, Conversation, service, signal);
    if (message.name !== ticket) throw noSuchTicket();
    const [first] = (message.communications ?? []).toSorted((a, b) => (a.creation < b.creation ? -1 : 1));
    return htmlToText(first?.content ?? '');
  } catch (error) {
    if (error instanceof AnswerTooLarge) return '';
    throw error;
  }
}
