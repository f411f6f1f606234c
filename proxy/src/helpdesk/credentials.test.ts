import { expect, test } from 'vitest';
import type { Upstream } from '#net/egress.ts';
import { Secret } from '#runtime/secret.ts';
import { helpdeskUpstream } from './credentials.ts';

/** A helpdesk that accepts one secret of the service account, and who asks it with these; `accept` says which. */
function helpdeskWith(...secrets: string[]) {
  const sent: string[] = [];
  const seen = { sent, good: 'the-secret' };
  const helpdesk: Upstream = {
    origin: 'https://help.example',
    async request({ headers }) {
      sent.push(headers?.authorization ?? '');
      return { status: sent.at(-1) === `token key:${seen.good}` ? 200 : 401, headers: {}, text: '{}' };
    },
  };
  const config = { HELPDESK_API_KEY: new Secret('key'), HELPDESK_API_SECRET: secrets.map((one) => new Secret(one)) };
  const upstream = helpdeskUpstream(config, { callers: helpdesk, service: helpdesk });
  const { signal } = new AbortController();
  const ask = async (authorization = 'token key:the-secret') =>
    (await upstream.request({ method: 'GET', path: '/', headers: { authorization }, signal })).status;
  return Object.assign(seen, { ask });
}

test.each([
  ['the-secret', ['token key:the-secret', 'token key:the-secret']],
  ['another', ['token key:the-secret', 'token key:another', 'token key:another']],
])('of two secrets the accepted one, %s, is used, and then without asking twice', async (good, sent) => {
  const helpdesk = Object.assign(helpdeskWith('the-secret', 'another'), { good });
  expect([await helpdesk.ask(), await helpdesk.ask()]).toEqual([200, 200]);
  expect(helpdesk.sent).toEqual(sent);
});

test('a secret that is replaced meanwhile, and back, fails no request; refused is who has neither', async () => {
  const helpdesk = helpdeskWith('the-secret', 'another');
  for (const good of ['the-secret', 'another', 'the-secret']) {
    helpdesk.good = good;
    expect(await helpdesk.ask(), good).toBe(200);
  }
  helpdesk.good = 'a third';
  expect(await helpdesk.ask()).toBe(401);
  // A caller's own key is none of the two.
  await helpdesk.ask('token agent:their-secret');
  expect(helpdesk.sent.at(-1)).toBe('token agent:their-secret');
});
