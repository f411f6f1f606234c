import { EgressError, type Upstream } from '#net/egress.ts';
import { unlessAborted } from '#runtime/concurrency.ts';

/** As the real ones have it, of text that is in ASCII. */
const maxLength = 4 * 2 ** 20;

/** An upstream that asks a handler in this process instead of a server. Has no time-out: what hangs ends with its signal. */
export function inProcess(answer: (request: Request) => Promise<Response>): Upstream {
  const origin = 'http://help.example';
  return {
    origin,
    async request({ path, signal, ...sent }) {
      signal.throwIfAborted();
      const response = await unlessAborted(answer(new Request(`${origin}${path}`, sent)), signal);
      const text = await response.text().catch(() => {
        throw new EgressError('cut', 'The connection broke before the response was complete.');
      });
      if (text.length > maxLength) throw new EgressError('too_large', 'The response is too large.');
      return { status: response.status, headers: Object.fromEntries(response.headers), text };
    },
  };
}
