import { operatorHeader } from '@deskside/shared/operator/contract';
import { demo } from '@deskside/simulators/seed/index';
import { freePort } from '@deskside/testing/free-port';
import { expect, onTestFinished, test } from 'vitest';
import { startCanaryWorld } from '../canary.ts';
import { Visitor } from '../operator-kit.ts';

test('no secret is in the operator page, what it is made of, its data, the log or the store; nor is a session’s token', async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const world = await startCanaryWorld(onTestFinished, {
    ...{ PORT: String(port), PUBLIC_URL: origin, OPERATOR_UI: '1', OAUTH_CLIENT_IDS: '{"operator":"operator"}' },
  });
  const redirectUri = `${origin}/operator/callback`;
  world.helpdesk.registerOAuthClient({ clientId: 'operator', redirectUri, allowedRoles: ['Agent'] });
  const visitor = new Visitor({ helpdesk: world.helpdesk, proxyUrl: world.url, operatorUrl: `${origin}/operator` });
  await world.helpdesk.insertTicket(demo.portal.name, { subject: 'x' }, { portal: true });
  await world.helpdesk.webhooks.idle();
  expect((await visitor.signIn(demo.admin.name)).status).toBe(200);

  const page = await (await visitor.get('/operator')).text();
  const assets = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address);
  expect(assets.length).toBeGreaterThan(1);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const api = ['me', 'settings', 'settings/audit', `today?since=${since}`, `routing?since=${since}`, 'health'];
  const data = [...api, 'decisions?ticket=1', 'nothing'].map((path) => `/operator/api/${path}`);
  // A CRM that refuses the key is something to talk about.
  world.crm.fault = 'unauthorized';
  const seen: string[] = [];
  for (const path of ['/operator', '/operator/routing', '/operator/callback?code=1&state=2', ...assets, ...data]) {
    const answer = await visitor.get(path, { headers: { [operatorHeader]: '1' } });
    const text = `${[...answer.headers].join('\n')}\n${await answer.text()}`;
    expect(world.leaksIn(text), path).toEqual([]);
    seen.push(text);
  }
  expect(seen.join()).toContain('crm_webhook_refused');
  expect(seen.join()).toContain('••••');

  const token = visitor.cookies.get('deskside_operator')?.value ?? '';
  expect(token).toHaveLength(43);
  const { log, files } = await world.stop();
  expect(log).toContain('/operator/api/health');
  expect(world.leaksIn(log + files)).toEqual([]);
  expect((log + files).includes(token)).toBe(false);
  expect(files).toContain(demo.admin.name);
});
