import type { VerbInput, VerbOutput } from './protocol.ts';
import { send } from './send.ts';

/** The verbs that can be cancelled, each with the verb that cancels it. */
const cancelVerbs = {
  'profile.get': 'profile.cancel',
  'routing.get': 'routing.cancel',
  'sync.preview': 'sync.cancel',
} as const;
type CancellableVerb = keyof typeof cancelVerbs;

/** Like `send`, but cancels the request in the background when the signal aborts. Throws SendError. */
export async function sendCancellable<V extends CancellableVerb>(
  verb: V,
  input: Omit<VerbInput<V>, 'call'>,
  signal: AbortSignal,
): Promise<VerbOutput<V>> {
  const call = crypto.randomUUID();
  const cancelVerb: (typeof cancelVerbs)[CancellableVerb] = cancelVerbs[verb];
  const cancel = () => void send(cancelVerb, { call }).catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await send(verb, { ...input, call } as VerbInput<V>);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
