import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createEgress } from '#net/egress.ts';
import { selfSigned } from '#net/testing/self-signed.ts';
import { version } from '#version.ts';
import { meetPublicUrl } from './probe-public-url.ts';

const helpdesk = 'https://help.example';

async function met(PUBLIC_URL: string, tls?: { ca: string }) {
  const egress = createEgress({ allowInsecure: tls === undefined, ...(tls && { tls }) });
  onTestFinished(() => egress.close());
  return meetPublicUrl({ HELPDESK_URL: helpdesk, PUBLIC_URL }, egress, 5_000);
}

/** A web server that answers so; gives its address. */
async function serving(status: number, body: unknown, secure?: { key: string; cert: string }): Promise<string> {
  const answer: RequestListener = (_, response) =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  const server = secure ? createHttps(secure, answer) : createHttp(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `${secure ? 'https' : 'http'}://localhost:${(server.address() as AddressInfo).port}`;
}

const discovery = (changes = {}) => ({
  success: true,
  message: 'Deskside.',
  data: { name: 'deskside', version, helpdesk_url: helpdesk, oauth_client_ids: {}, ...changes },
});

test.each([
  ['this proxy', 200, discovery(), { kind: 'us', certificateEnds: null }],
  ['a proxy of another helpdesk', 200, discovery({ helpdesk_url: 'https://x.example' }), { kind: 'other_helpdesk' }],
  ['an older proxy', 200, discovery({ version: '0.0.1' }), { kind: 'other_version', theirs: '0.0.1', ours: version }],
  ['a page', 200, '<html>Welcome to nginx!</html>', { kind: 'foreign' }],
  ['a web server that knows nothing of it', 404, '', { kind: 'foreign', shows: 'HTTP 404' }],
  ['a web server without its proxy', 502, 'Bad Gateway', { kind: 'no_proxy', status: 502 }],
])('%s is told for what it is', async (_, status, body, expected) => {
  expect(await met(await serving(status, body))).toMatchObject(expected);
});

test('nobody there, and no such name, are told apart', async () => {
  const gone = await serving(200, '');
  const { port } = new URL(gone);
  expect(await met(`http://127.0.0.2:${port}`)).toMatchObject({ kind: 'refused' });
  expect(await met('http://nobody.invalid')).toMatchObject({ kind: 'name' });
});

test('a certificate that nobody vouches for; and http, which is not asked', async () => {
  const address = await serving(200, discovery(), selfSigned(['localhost']));
  expect(await met(address)).toEqual({ kind: 'certificate', fault: 'untrusted' });
  expect(await met('http://deskside.example', { ca: '' })).toEqual({ kind: 'not_asked' });
});
