import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { certificateEnd } from '#net/certificate.ts';
import { createEgress } from '#net/egress.ts';
import { selfSigned } from '#net/testing/self-signed.ts';
import { version } from '#runtime/version.ts';
import { meetDeskside } from './meet-deskside.ts';

const helpdesk = 'https://help.example';

async function met(PUBLIC_URL: string | undefined, allowInsecure = true) {
  const egress = createEgress({ allowInsecure });
  onTestFinished(() => egress.close());
  const config = { HELPDESK_URL: helpdesk, ...(PUBLIC_URL !== undefined && { PUBLIC_URL }) };
  const { who, said } = await meetDeskside(config, egress, 5_000);
  return [who, said.text];
}

/** A web server that answers so; gives its address. */
async function serving(
  status: number,
  body: unknown,
  secure?: { key: string; cert: string },
  ready = 'Not Found',
): Promise<string> {
  const answer: RequestListener = ({ url }, response) => {
    const said = url === '/readyz' ? ready : typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(url === '/readyz' ? 503 : status).end(said);
  };
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
  ['this proxy', 200, discovery(), 'us', 'The proxy answers at'],
  ['another helpdesk’s', 200, discovery({ helpdesk_url: 'https://x.example' }), 'another', 'serves https://x.example'],
  ['an older proxy', 200, discovery({ version: '0.0.1' }), 'other version', 'is version 0.0.1, this is'],
  ['a page', 200, '<html>Welcome to nginx!</html>', 'other', 'is not Deskside: another page'],
  ['a web server that knows nothing of it', 404, '', 'other', 'is not Deskside: HTTP 404'],
  ['a web server without its proxy', 502, 'Bad Gateway', 'absent', 'but not the proxy behind it (HTTP 502)'],
])('%s', async (_, status, body, who, text) => {
  expect(await met(await serving(status, body))).toEqual([who, expect.stringContaining(text)]);
});

test('a service that cannot write to its store is met, and says so', async () => {
  const says = (ok: boolean) => {
    const checks = [{ check: 'store', ok, message: 'The store cannot be written to (SQLITE_IOERR_WRITE).' }];
    return serving(200, discovery(), undefined, JSON.stringify({ data: { checks } }));
  };
  expect(await met(await says(false))).toEqual(['us', 'The service cannot use its store.']);
  expect(await met(await says(true))).toEqual(['us', expect.stringContaining('The proxy answers at')]);
});

test('nobody there may only have to be started; a name that is missing is something else', async () => {
  expect(await met('http://127.0.0.1:1')).toEqual(['absent', expect.stringContaining('(ECONNREFUSED)')]);
  expect(await met('https://nobody.invalid')).toEqual(['other', expect.stringContaining('no response from nobody')]);
});

test('a certificate that nobody vouches for; http, which is not asked; and none', async () => {
  const address = await serving(200, discovery(), selfSigned(['localhost'], ['20', '31']));
  expect(await met(address)).toEqual(['other', expect.stringContaining('is not from an authority')]);
  const ends = await certificateEnd(address, new AbortController().signal);
  expect(new Date(ends ?? 0).getUTCFullYear()).toBe(2031);
  expect(await met('http://deskside.example', false)).toEqual(['unsafe', expect.stringContaining('in the clear')]);
  expect(await met(undefined)).toEqual(['other', expect.stringContaining('PUBLIC_URL is not set')]);
});
