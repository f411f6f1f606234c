import { request } from 'node:http';
import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from 'vitest';
import type { World } from '../../demo/world.ts';
import { keyOf, profileOf, world } from '../kit.ts';

const inFlight = ({ helpdesk }: World) =>
  helpdesk.journal.filter(({ path, status }) => status === 0 && path.endsWith('get_user')).length;

/** Status of a `GET /api/whoami` that comes from the given address of this machine. */
function whoami({ proxyUrl }: World, authorization: string, localAddress: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { headers: { authorization }, localAddress, agent: false };
    request(`${proxyUrl}/api/whoami`, options, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

test('a crowd with unknown credentials takes few of the helpdesk’s connections; others pass it by', async () => {
  const w = await world({ environment: { TRUSTED_PROXIES: 'none' } });
  await profileOf(w, demo.tickets.matched);
  let most = 0;
  w.helpdesk.latency = () => {
    most = Math.max(most, inFlight(w));
    return 200;
  };
  w.helpdesk.clearJournal();
  const order: string[] = [];
  const crowd = Array.from({ length: 60 }, (_, i) =>
    whoami(w, `token guess-${i}:wrong`, '127.0.0.1').then((status) => order.push(`guess ${status}`)),
  );
  await expect.poll(() => inFlight(w)).toBe(4);
  const others = [
    profileOf(w, demo.tickets.notFound).then(() => order.push('agent')),
    whoami(w, keyOf(demo.otherAgent), '127.0.0.2').then((status) => order.push(`newcomer ${status}`)),
  ];
  await Promise.all([...crowd, ...others]);
  expect(most).toBeLessThanOrEqual(6);
  // A slow machine lets the last of them wait too long.
  expect(order.filter((entry) => /^guess (401|429)$/.test(entry))).toHaveLength(60);
  // The crowd needs fifteen rounds; whoever is none of it is served in the first few.
  expect(order.indexOf('agent')).toBeLessThan(30);
  expect(order.indexOf('newcomer 200')).toBeLessThan(30);
});

test('32 equal questions at the same moment are one request of each kind', async () => {
  const w = await world();
  const { promise: allAreThere, resolve: answer } = Promise.withResolvers<void>();
  w.helpdesk.latency = () => allAreThere;
  w.helpdesk.clearJournal();
  const profiles = Array.from({ length: 32 }, () => profileOf(w, demo.tickets.matched));
  // One process serves them all: what was asked later and is answered has come after them.
  expect((await fetch(`${w.proxyUrl}/livez`)).status).toBe(200);
  answer();
  await Promise.all(profiles);
  const asAgent = w.helpdesk.journal.filter(({ user }) => user === demo.agent.name).map(({ path }) => path);
  expect(new Set(asAgent).size).toBe(asAgent.length);
});

test('a refused credential is not passed on again at once', async () => {
  const w = await world();
  w.helpdesk.clearJournal();
  const asked = Array.from({ length: 20 }, () => whoami(w, 'token nobody:nothing', '127.0.0.1'));
  expect(new Set(await Promise.all(asked))).toEqual(new Set([401]));
  expect(await whoami(w, 'token nobody:nothing', '127.0.0.1')).toBe(401);
  expect(w.helpdesk.journal.filter(({ path }) => path.endsWith('get_user'))).toHaveLength(1);
});

test('however many ask whether it is ready, the helpdesk is asked once', async () => {
  const w = await world();
  w.helpdesk.clearJournal();
  const answers = await Promise.all(Array.from({ length: 100 }, () => fetch(`${w.proxyUrl}/readyz`)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(w.helpdesk.journal.length).toBeLessThanOrEqual(10);
});
