import type { VerbInput, VerbOutput } from './protocol.ts';
import { SendError, send } from './send.ts';

/** The verbs that can be cancelled, each with the verb that cancels it. */
const cancelVerbs = {
  'profile.get': 'profile.cancel',
  'routing.get': 'routing.cancel',
  'around.get': 'around.cancel',
  'find.search': 'find.cancel',
  'sync.preview': 'sync.cancel',
} as const;
type CancellableVerb = keyof typeof cancelVerbs;

/**
 * Like `send`, but cancels the request in the background when the signal aborts. Without an answer it asks once more, as the
 * browser may just have ended the background: none of these verbs changes anything. Throws SendError.
 */
export async function sendCancellable<V extends CancellableVerb>(
  verb: V,
  input: Omit<VerbInput<V>, 'call'>,
  signal: AbortSignal,
): Promise<VerbOutput<V>> {
  // Not randomUUID: a helpdesk on http under a name of this machine's own has no secure context, and so none of it.
  const call = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const cancelVerb: (typeof cancelVerbs)[CancellableVerb] = cancelVerbs[verb];
  const cancel = () => void send(cancelVerb, { call }).catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const request = () => send(verb, { ...input, call } as VerbInput<V>);
    return await request().catch((error: unknown) => {
      if (signal.aborted || !(error instanceof SendError && error.code === 'refused')) throw error;
      return request();
    });
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
