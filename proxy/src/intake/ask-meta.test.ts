import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { GuardedFailure } from './guarded-fetch.ts';
import { askMeta } from './meta-json.ts';
import { json, shops } from './testing/shops.ts';

const signal = new AbortController().signal;
const address = 'https://shop.example/meta.json';
const meta = {
  id: 1000069001,
  name: 'Tiệm Hoa Mẫu',
  domain: 'tiemhoamau.example',
  myplatform_domain: 'tiem-hoa-mau.myplatform.example',
};

/** What the reader makes of a shop with the given answers. */
async function readFrom(listener: RequestListener, host = 'shop.example') {
  const { fetch, seen } = await shops({ listener });
  const answer = await askMeta(fetch, host, signal);
  expect(seen.caught).toBe(0);
  return answer;
}

describe('a shop’s meta.json', () => {
  it('is found, with what it says and where', async () => {
    expect(await readFrom((_, response) => json(response, meta))).toEqual({
      kind: 'found',
      address,
      orgId: '1000069001',
      domains: ['tiem-hoa-mau.myplatform.example', 'tiemhoamau.example'],
    });
  });

  it('is asked for without credentials, cookies or where we come from', async () => {
    let seen: [string | undefined, string | undefined, string[]] | undefined;
    await readFrom((request, response) => {
      seen = [request.method, request.url, request.rawHeaders.map((text) => text.toLowerCase())];
      response.setHeader('set-cookie', 'sid=1');
      json(response, meta);
    });
    expect(seen?.slice(0, 2)).toEqual(['GET', '/meta.json']);
    const names = seen?.[2].filter((_, index) => index % 2 === 0);
    expect(names?.sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
    expect(seen?.[2]).toContain('shop.example');
    expect(seen?.[2].join(' ')).toMatch(/deskside\/\d+\.\d+\.\d+/);
  });

  it.each([
    ['SHOP.Example', address],
    ['shop.example.', address],
    ['www.shop.example', 'https://www.shop.example/meta.json'],
    ['tiệm-hoa.example', 'https://xn--tim-hoa-zv4c.example/meta.json'],
    ['ｓｈｏｐ．example', address],
  ])('is read of %s, however its name is written', async (host, expected) => {
    const answer = await readFrom((_, response) => json(response, meta), host);
    expect(answer).toMatchObject({ kind: 'found', address: expected });
  });

  it.each(['application/json; charset=utf-8', 'application/vnd.shop+json', 'text/plain', 'text/javascript', ''])(
    'may come as %j',
    async (type) =>
      expect(await readFrom((_, response) => json(response, meta, type))).toMatchObject({ kind: 'found' }),
  );

  it('is found by its domains alone', async () => {
    const answer = await readFrom((_, response) => json(response, { id: 'x', url: 'https://tiemhoamau.example/vi' }));
    expect(answer).toMatchObject({ kind: 'found', orgId: null, domains: ['tiemhoamau.example'] });
  });

  it('is named by the address in the end of its redirects, without query and fragment', async () => {
    const answer = await readFrom((request, response) => {
      if (request.url === '/meta.json') response.writeHead(301, { location: 'https://www.shop.example/m?a=1#b' }).end();
      else json(response, { id: 7, domain: `${request.url === '/m?a=1'}.${request.headers.host}` });
    });
    expect(answer).toMatchObject({ address: 'https://www.shop.example/m', domains: ['true.www.shop.example'] });
  });
});

describe('nothing is found', () => {
  const html = '<!doctype html><title>404</title>';
  const cases: [string, string, RequestListener][] = [
    ['no document', 'not_found', (_, response) => response.writeHead(404).end(JSON.stringify(meta))],
    ['a document that is gone', 'not_found', (_, response) => response.writeHead(410).end()],
    ['one that is not for us', 'not_found', (_, response) => response.writeHead(403).end()],
    ['a redirect without a target', 'not_found', (_, response) => response.writeHead(302).end()],
    ['304', 'not_found', (_, response) => response.writeHead(304).end()],
    ['204', 'not_json', (_, response) => response.writeHead(204).end()],
    ['an empty body', 'not_json', (_, response) => json(response, '')],
    ['a page', 'not_json', (_, response) => json(response, html, 'text/html; charset=utf-8')],
    ['a page that calls itself JSON', 'not_json', (_, response) => json(response, html)],
    ['JSON that calls itself a page', 'not_json', (_, response) => json(response, meta, 'Text/HTML')],
    ['UTF-16', 'not_json', (_, response) => response.end(Buffer.from('{"id":1}', 'utf16le'))],
    ['deflate', 'not_json', (_, response) => response.writeHead(200, { 'content-encoding': 'deflate' }).end('x')],
    ['br', 'not_json', (_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('x')],
    ['damaged gzip', 'not_json', (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')],
    ['an object without org id or domains', 'no_org_id', (_, response) => json(response, { name: 'Tiệm Hoa Mẫu' })],
    ['a huge head', 'too_large', (_, response) => response.writeHead(200, { 'x-fill': 'x'.repeat(60_000) }).end('{}')],
  ];
  it.each(cases)('in %s (%s)', async (_, why, listener) => {
    expect(await readFrom(listener)).toEqual({ kind: 'none', address, why });
  });
});

describe('something may be found later', () => {
  it.each([429, 500, 502, 503, 504, 599])('after status %i', async (status) => {
    const answer = await readFrom((_, response) => response.writeHead(status).end(JSON.stringify(meta)));
    expect(answer).toEqual({ kind: 'failed', address, why: 'server_error' });
  });

  it.each<[GuardedFailure['why'], 'none' | 'failed', string]>([
    ['timeout', 'failed', 'timeout'],
    ['unreachable', 'failed', 'unreachable'],
    ['cut', 'failed', 'unreachable'],
    ['no_such_host', 'none', 'not_found'],
    ['redirected', 'none', 'redirected'],
    ['too_large', 'none', 'too_large'],
  ])('or not, after the guard’s %s: %s, %s', async (failure, kind, why) => {
    const fetch = async () => ({ kind: 'failed' as const, why: failure });
    expect(await askMeta(fetch, 'shop.example', signal)).toEqual({ kind, address, why });
  });
});

describe('the address of what is refused', () => {
  it.each([
    ['user:secret@127.0.0.1', 'https://127.0.0.1/meta.json'],
    ['shop.example/a?b', 'https://shop.example%2Fa%3Fb/meta.json'],
    ['', 'https:///meta.json'],
    [`@${'x'.repeat(300)}`, `https://${'x'.repeat(253)}/meta.json`],
  ])('of %j is %s', async (host, expected) => {
    const { fetch } = await shops({});
    expect((await askMeta(fetch, host, signal)).address).toBe(expected);
  });
});

describe('the signal', () => {
  it('rejects with its own reason, whatever the host is', async () => {
    const { fetch } = await shops({});
    const reason = new Error('the service stops');
    await expect(askMeta(fetch, '127.0.0.1', AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
