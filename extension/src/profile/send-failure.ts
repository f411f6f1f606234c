import type { PanelError } from '../messaging/protocol.ts';
import { SendError } from '../messaging/send.ts';

/** What the agent is told where a message to the background got no answer. */
export function sendFailure(cause: unknown): PanelError['code'] {
  return cause instanceof SendError && cause.code === 'extension_updated' ? 'extension_updated' : 'internal';
}
