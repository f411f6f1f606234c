import { expect, test } from 'vitest';
import { type CallError, callProxy } from './client.ts';

const discovery = {
  name: 'deskside',
  version: '1',
  helpdesk_url: 'https://help.example',
  oauth_client_ids: { chrome: 'c' },
};

function answering(status: number, body: string, seen: Request[] = [], more: Record<string, string> = {}) {
  return async (...args: Parameters<typeof fetch>) => {
    seen.push(new Request(...args));
    return new Response(body, { status, headers: { 'content-type': 'application/json', ...more } });
  };
}

async function errorOf(fetch: typeof globalThis.fetch, signal?: AbortSignal): Promise<CallError> {
  const result = await callProxy(
    'discovery',
    {},
    { baseUrl: 'https://p.example', authorization: null, fetch, timeoutMs: 50 },
    signal,
  );
  if (result.ok) throw new Error('expected an error');
  return result.error;
}

test('data is parsed, the credential sent, cookies are not', async () => {
  const seen: Request[] = [];
  const result = await callProxy(
    'discovery',
    {},
    {
      baseUrl: 'https://p.example',
      authorization: 'Bearer t',
      fetch: answering(200, JSON.stringify({ success: true, data: discovery, message: '' }), seen),
    },
  );
  expect(result).toEqual({ ok: true, data: discovery });
  expect(seen[0]?.headers.get('authorization')).toBe('Bearer t');
  expect(seen[0]?.credentials).toBe('omit');
});

test('an error of the proxy keeps its code and request id', async () => {
  const body = { success: false, data: { code: 'not_an_agent', request_id: 'r1' }, message: 'Only agents.' };
  expect(await errorOf(answering(403, JSON.stringify(body)))).toMatchObject({
    code: 'not_an_agent',
    status: 403,
    requestId: 'r1',
  });
});

test.each(['<html>', '{}', '{"success":true,"data":{},"message":""}', '{"success":false,"data":{},"message":""}'])(
  'an answer that cannot be read, %s, keeps the request id of its head',
  async (body) => {
    const answer = (id: string) => errorOf(answering(502, body, [], { 'x-request-id': id }));
    expect(await answer('2f6b-1')).toMatchObject({ code: 'bad_answer', status: 502, requestId: '2f6b-1' });
    expect(await answer('<b>1</b>')).toMatchObject({ code: 'bad_answer', requestId: null });
  },
);

test.each([
  ['a page instead of JSON', 200, '<html>'],
  ['another envelope', 200, '{"message":{}}'],
  ['data that does not fit', 200, '{"success":true,"data":{"name":"other"},"message":""}'],
  ['an unknown error code', 500, '{"success":false,"data":{"code":"boom","request_id":"x"},"message":""}'],
])('%s is a bad answer', async (_, status, body) => {
  expect((await errorOf(answering(status, body))).code).toBe('bad_answer');
});

test('no connection, no answer in time and a caller who left are told apart', async () => {
  const hang: typeof fetch = async (_, init) => {
    const signal = init?.signal;
    signal?.throwIfAborted();
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  expect((await errorOf(() => Promise.reject(new TypeError('fetch failed')))).code).toBe('unreachable');
  expect((await errorOf(hang)).code).toBe('timeout');
  expect((await errorOf(hang, AbortSignal.abort())).code).toBe('aborted');
});

test('a request names the contract’s revision, and has an id of our own making, which is known also where no answer comes in time', async () => {
  const sent: (string | null)[] = [];
  const hang: typeof fetch = async (_, init) => {
    for (const name of ['x-request-id', 'deskside-contract']) sent.push(new Headers(init?.headers).get(name));
    return new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
  };
  const options = { baseUrl: 'https://p.example', authorization: 'Bearer t', fetch: hang, timeoutMs: 50 };
  const result = await callProxy('whoami', {}, options);
  expect(result).toMatchObject({ ok: false, error: { code: 'timeout', requestId: sent[0] } });
  expect(sent[0]).toMatch(/^[\w-]{36}$/);
  expect(sent[1]).toBe('6');
});

test('discovery has only headers that a browser sends without asking the proxy first', async () => {
  const seen: Request[] = [];
  const fetch = answering(200, JSON.stringify({ success: true, data: discovery, message: '' }), seen);
  await callProxy('discovery', {}, { baseUrl: 'https://p.example', authorization: null, fetch });
  expect([...(seen[0]?.headers.keys() ?? [])]).toEqual(['accept']);
});
