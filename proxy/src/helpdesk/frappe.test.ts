import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { serve } from '#net/testing/servers.ts';
import { Frappe, NamedDocument } from './frappe.ts';

const { signal } = new AbortController();
const secret = 'token key:canary-31337';

/** Waits long, so that a busy machine is not taken for a helpdesk that says nothing. */
const clientOf = async (listener: RequestListener, timeoutMs = 60_000) =>
  new Frappe(await serve(listener, { timeoutMs }), secret);

const ping = (client: Frappe) => client.call('ping', {}, z.object({ message: z.string() }), signal);

describe('a request', () => {
  it('carries the credential of whom it is for and never a cookie, also after the helpdesk set one', async () => {
    const seen: unknown[] = [];
    const client = await clientOf(({ headers: { authorization, cookie } }, response) => {
      seen.push({ authorization, cookie });
      response.setHeader('Set-Cookie', 'sid=Guest; Path=/').end('{"message":"pong"}');
    });
    for (const _ of [1, 2]) await ping(client);
    expect(seen).toEqual([1, 2].map(() => ({ authorization: secret, cookie: undefined })));
  });

  it('reaches the document of any name, and no other path', async () => {
    const client = await clientOf((request, response) => {
      const segments = (request.url ?? '').split('/').map(decodeURIComponent);
      response.end(JSON.stringify({ data: { name: segments.at(-1), segments: segments.length } }));
    });
    const update = (name: string) => client.update('HD Customer', name, {}, NamedDocument, signal);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), async (name) => {
        fc.pre(name !== '.' && name !== '..');
        expect(await update(name)).toEqual({ name });
      }),
      { numRuns: 100 },
    );
    await expect(update('..')).rejects.toMatchObject({ kind: 'rejected' });
  });
});

const saying =
  (status: number, text: string): RequestListener =>
  (_, response) =>
    response.writeHead(status).end(text);

it.each<[string, string, RequestListener]>([
  ['JSON of another shape', 'bad_answer', saying(200, '{"message":{"secret":1}}')],
  ['a redirect', 'bad_answer', (_, response) => response.writeHead(302, { location: '/login' }).end()],
  ['silence', 'timeout', () => {}],
  ['more than anybody needs', 'bad_answer', saying(200, ' '.repeat(5 * 2 ** 20))],
  ['a traceback', 'unavailable', saying(500, '{"exc_type":"OperationalError","exc":"[\\"canary-31337\\"]"}')],
])('%s is %s, and neither credential nor body stand in the error', async (_, kind, listener) => {
  const client = await clientOf(listener, kind === 'timeout' ? 100 : undefined);
  const error: unknown = await ping(client).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'HelpdeskError', kind });
  expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/canary|html/);
});

it.each(['<html>maintenance</html>', '', 'null', '"ok"', '[]'])(
  'a call that reads nothing of its answer fails by %s, too',
  async (body) => {
    const client = await clientOf(saying(200, body));
    const running = client.run('delete', {}, z.unknown(), signal);
    await expect(running).rejects.toMatchObject({ name: 'HelpdeskError', kind: 'bad_answer' });
  },
);
