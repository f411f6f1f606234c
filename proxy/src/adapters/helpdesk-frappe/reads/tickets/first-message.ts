import * as z from 'zod';
import { AnswerTooLarge, DocumentName, type FrappeClient } from '#adapters/helpdesk-frappe/client/client.ts';
import { htmlToText } from './html-to-text.ts';
import { noSuchTicket } from './read-ticket.ts';

const Message = z.object({ content: z.string().nullish(), creation: z.string() });
const Conversation = z.object({
  message: z.object({ name: DocumentName, communications: z.array(Message).optional() }),
});

/**
 * Plain text of a ticket's oldest message; empty if there is none, or if the conversation is too large to read. A
 * ticket that arrived by e-mail may have no description of its own (docs/helpdesk.md#inserting-a-ticket).
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
