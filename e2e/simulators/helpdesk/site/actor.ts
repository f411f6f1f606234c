import type { ServerMessage } from '#helpdesk/errors.ts';

/** Who does something, and where what Frappe says along the way is collected. */
export interface Actor {
  user: string;
  messages: ServerMessage[];
}
