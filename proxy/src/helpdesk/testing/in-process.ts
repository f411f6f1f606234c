import type { ApiAnswer, ApiRequest } from '@deskside/simulators/helpdesk/api';
import { EgressError, type Upstream } from '#net/egress.ts';
import { unlessAborted } from '#runtime/concurrency.ts';

/** As the real ones have it, of text that is in ASCII. */
const maxLength = 4 * 2 ** 20;

/** An upstream that asks a handler in this process instead of a server. Has no time-out: what hangs ends with its signal. */
export function inProcess(answer: (request: ApiRequest) => Promise<ApiAnswer>): Upstream {
  const origin = 'http://help.example';
  return {
    origin,
    async request({ method, path, headers = {}, body = '', signal }) {
      signal.throwIfAborted();
      const url = new URL(`${origin}${path}`);
      const asked = { method, url, headers: { get: (name: string) => headers[name] ?? null }, text: async () => body };
      const answered = await unlessAborted(answer(asked), signal);
      const { status, body: text } = answered;
      if (text === null) throw new EgressError('cut', 'The connection broke before the response was complete.');
      if (text.length > maxLength) throw new EgressError('too_large', 'The response is too large.');
      return { status, headers: Object.fromEntries(answered.headers), text };
    },
  };
}
