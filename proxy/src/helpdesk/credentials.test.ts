import { createServer, type Server } from 'node:http';
import { expect, test } from 'vitest';
import { parseConfig } from '#config.ts';
import { createEgress } from '#net/egress.ts';
import { closers, listen } from '#net/testing/servers.ts';
import { helpdeskUpstream } from './credentials.ts';

test('a refusal of the service account is reported whoever asks as it; a refused caller is not', async () => {
  const statuses = [200, 401, 403, 401];
  const server = createServer((_, response) => response.writeHead(statuses.shift() ?? 200).end('{}'));
  const { upstream, refused } = await helpdeskWith('the-secret', server);
  const ask = async (authorization: string) => {
    const { signal } = new AbortController();
    await upstream.request({ method: 'GET', path: '/', headers: { authorization }, signal });
    return refused();
  };
  const service = 'token key:the-secret';
  expect(await ask(service)).toBe(0);
  expect(await ask('token agent:their-secret')).toBe(0);
  expect(await ask(service)).toBe(0);
  expect(await ask(service)).toBe(1);
});

test.each([
  ['the first', 'the-secret', ['token key:the-secret', 'token key:the-secret']],
  ['the second', 'another', ['token key:the-secret', 'token key:another', 'token key:another']],
])(
  'of two secrets the one that the helpdesk accepts is used, and then without asking twice: %s',
  async (_, good, sent) => {
    const { ask, refused, seen, accept } = await twoSecrets();
    accept(good);
    expect([await ask(), await ask()]).toEqual([200, 200]);
    expect(seen()).toEqual(sent);
    expect(refused()).toBe(0);
  },
);

test('a secret that is replaced meanwhile, and back, fails no request; refused is who has neither', async () => {
  const { ask, refused, accept, seen } = await twoSecrets();
  for (const good of ['the-secret', 'another', 'the-secret']) {
    accept(good);
    expect(await ask(), good).toBe(200);
  }
  accept('a third');
  expect(await ask()).toBe(401);
  expect(refused()).toBe(1);
  // A caller's own key is none of the two.
  await ask('token agent:their-secret');
  expect(seen().at(-1)).toBe('token agent:their-secret');
});

/** The helpdesk that this server plays, for a service account with these secrets, and how often it was refused. */
async function helpdeskWith(secrets: string, server: Server) {
  const url = await listen(server);
  const egress = createEgress({ allowInsecure: true });
  closers.push(() => egress.close());
  const config = parseConfig({
    HELPDESK_URL: url,
    HELPDESK_API_KEY: 'key',
    HELPDESK_API_SECRET: secrets,
    ALLOW_INSECURE_UPSTREAMS: '1',
  });
  let refused = 0;
  const upstream = helpdeskUpstream(config, {
    callers: egress.upstream(url),
    service: egress.upstream(url),
    onRefused() {
      refused += 1;
    },
    onWrite() {},
  });
  return { upstream, refused: () => refused };
}

/** A helpdesk that accepts one secret of the service account, and whoever asks it with `the-secret,another`. */
async function twoSecrets() {
  let good = '';
  const sent: string[] = [];
  const server = createServer((request, response) => {
    sent.push(request.headers.authorization ?? '');
    response.writeHead(request.headers.authorization === `token key:${good}` ? 200 : 401).end('{}');
  });
  const { upstream, refused } = await helpdeskWith('the-secret, another', server);
  return {
    accept(secret: string) {
      good = secret;
    },
    seen: () => sent,
    refused,
    async ask(authorization = 'token key:the-secret') {
      const { signal } = new AbortController();
      return (await upstream.request({ method: 'GET', path: '/', headers: { authorization }, signal })).status;
    },
  };
}
