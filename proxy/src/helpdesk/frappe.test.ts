import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createEgress } from '#net/egress.ts';
import { Frappe, Named } from './frappe.ts';

const { signal } = new AbortController();
const secret = 'token key:canary-31337';
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Waits long, so that a busy machine is not taken for a helpdesk that says nothing. */
async function clientOf(listener: RequestListener, timeoutMs = 60_000): Promise<Frappe> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const egress = createEgress({ allowInsecure: true });
  closers.push(() => egress.close());
  const { port } = server.address() as AddressInfo;
  return new Frappe(egress.upstream(`http://127.0.0.1:${port}`, { timeoutMs }), secret);
}

const ping = (client: Frappe) => client.call('ping', {}, z.object({ message: z.string() }), signal);

describe('a request', () => {
  it('carries the credential of whom it is for and never a cookie, also after the helpdesk set one', async () => {
    const seen: IncomingMessage['headers'][] = [];
    const client = await clientOf((request, response) => {
      seen.push(request.headers);
      response.setHeader('Set-Cookie', 'sid=Guest; Path=/').end('{"message":"pong"}');
    });
    await ping(client);
    await ping(client);
    expect(seen.map(({ authorization, cookie }) => ({ authorization, cookie }))).toEqual(
      [1, 2].map(() => ({ authorization: secret, cookie: undefined })),
    );
  });

  it('reaches the document of any name, and no other path', async () => {
    const client = await clientOf((request, response) => {
      const segments = (request.url ?? '').split('/').map(decodeURIComponent);
      response.end(JSON.stringify({ data: { name: segments.at(-1), segments: segments.length } }));
    });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), async (name) => {
        fc.pre(name !== '.' && name !== '..');
        expect(await client.update('HD Customer', name, {}, Named, signal)).toEqual({ name });
      }),
      { numRuns: 100 },
    );
    await expect(client.update('HD Customer', '..', {}, Named, signal)).rejects.toMatchObject({
      kind: 'rejected',
    });
  });

  it('for a list says fields and filters as JSON', async () => {
    let url = '';
    const client = await clientOf((request, response) => {
      url = request.url ?? '';
      response.end('{"data":[]}');
    });
    const query = { fields: ['name', 'customer.domain as d'], filters: [['name', '=', 'A & B?#%']], limit: 3 };
    await client.list('HD Ticket', query, z.unknown(), signal);
    const { pathname, searchParams } = new URL(url, 'http://helpdesk.example');
    expect(pathname).toBe('/api/resource/HD%20Ticket');
    expect(Object.fromEntries(searchParams)).toEqual({
      fields: '["name","customer.domain as d"]',
      filters: '[["name","=","A & B?#%"]]',
      limit_page_length: '3',
    });
  });
});

describe('an answer that is not as it should be', () => {
  it.each(['<html>maintenance</html>', '', 'null', '"ok"', '[]'])(
    'is a failure of a call that reads nothing of it, too: %s',
    async (body) => {
      const client = await clientOf((_, response) => response.end(body));
      const running = client.run('delete', {}, z.unknown(), signal);
      await expect(running).rejects.toMatchObject({ name: 'HelpdeskError', kind: 'bad_answer' });
    },
  );

  it.each<[string, string, RequestListener]>([
    ['a page instead of JSON', 'bad_answer', (_, response) => response.end('<html>maintenance</html>')],
    ['JSON of another shape', 'bad_answer', (_, response) => response.end('{"message":{"secret":1}}')],
    ['null', 'bad_answer', (_, response) => response.end('null')],
    ['nothing', 'bad_answer', (_, response) => response.end()],
    ['a redirect', 'bad_answer', (_, response) => response.writeHead(302, { location: '/login' }).end()],
    ['a 404 page', 'bad_answer', (_, response) => response.writeHead(404).end('<html>nginx</html>')],
    ['a 502 page', 'unavailable', (_, response) => response.writeHead(502).end('<html>Bad Gateway</html>')],
    [
      'a cut',
      'unavailable',
      (_, response) => response.writeHead(200, { 'content-length': 99 }).write('{"mess', () => response.destroy()),
    ],
    ['silence', 'timeout', () => {}],
    ['more than anybody needs', 'bad_answer', (_, response) => response.end(Buffer.alloc(5 * 2 ** 20, ' '))],
    [
      'more depth than anybody needs',
      'bad_answer',
      (_, response) => response.end(`{"message":${'['.repeat(64)}${']'.repeat(64)}}`),
    ],
    [
      'a traceback',
      'unavailable',
      (_, response) => response.writeHead(500).end('{"exc_type":"OperationalError","exc":"[\\"canary-31337\\"]"}'),
    ],
  ])('%s is %s, and neither credential nor body stand in the error', async (_, kind, listener) => {
    const client = await clientOf(listener, kind === 'timeout' ? 100 : undefined);
    const error: unknown = await ping(client).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'HelpdeskError', kind });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/canary|html/);
  });
});
