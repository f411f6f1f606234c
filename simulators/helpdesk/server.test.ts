import { afterEach, describe, expect, it } from 'vitest';
import type { SimulatedFault } from './api.ts';
import { startHelpdesk } from './server.ts';
import { useSite } from './testing/client.ts';
import { accounts, replaySeed } from './testing/replay-seed.ts';

describe('the simulator as a tool of tests', () => {
  const site = useSite('1.28');
  afterEach(() => {
    site.simulator.fault = null;
    site.simulator.latency = () => 0;
    site.simulator.clearJournal();
  });

  it('keeps a journal of API requests in order, with decoded path, query, user and status', async () => {
    await site.get('agent.a', '/api/resource/HD%20Ticket/2?x=1');
    await site.get(null, '/api/method/frappe.auth.get_logged_user');
    await site.get(null, '/login');
    expect(site.simulator.journal).toEqual([
      {
        method: 'GET',
        path: '/api/resource/HD Ticket/2',
        query: { x: '1' },
        user: accounts['agent.a'].name,
        status: 200,
      },
      { method: 'GET', path: '/api/method/frappe.auth.get_logged_user', query: {}, user: 'Guest', status: 403 },
    ]);
  });

  it.each<[SimulatedFault, number, RegExp]>([
    [500, 500, /"exc_type"/],
    [502, 502, /<h1>502 Bad Gateway/],
    [503, 503, /<h1>503/],
    [429, 429, /TooManyRequestsError/],
    ['html', 200, /<html>/],
  ])('fault %s answers %d', async (fault, status, body) => {
    site.simulator.fault = ({ path }) => (path === '/api/method/ping' ? fault : null);
    const answer = await site.get(null, '/api/method/ping');
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(body);
    expect((await site.get(null, '/api/method/frappe.client.get_time_zone')).status).toBe(200);
  });

  it('refuses a request line above 4,094 bytes before anybody looks at it, as the real site’s server does', async () => {
    const line = (bytes: number) =>
      `/api/method/ping?x=${'a'.repeat(bytes - 'GET /api/method/ping?x= HTTP/1.1'.length)}`;
    expect((await site.get(null, line(4_094))).status).toBe(200);
    const refused = await site.get(null, line(4_095));
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'text/html']);
    expect(refused.text).toContain('Request Line is too large (4095 &gt; 4094)');
    expect(site.simulator.journal).toMatchObject([{ status: 200 }, { status: 400, user: 'Guest' }]);
  });

  it('closing ends hanging requests', async () => {
    const other = await startHelpdesk({ seed: replaySeed('1.28') });
    const arrived = Promise.withResolvers<void>();
    other.fault = () => {
      arrived.resolve();
      return 'hang';
    };
    const hanging = fetch(`${other.url}/api/method/ping`);
    const ended = expect(hanging).rejects.toThrow();
    await arrived.promise;
    await other.close();
    await ended;
    expect(other.journal).toMatchObject([{ path: '/api/method/ping', status: 0 }]);
  });
});

describe('the pages', () => {
  const site = useSite('1.28');

  it('send a signed-out browser to the login page and back', async () => {
    const answer = await site.get(null, '/helpdesk/tickets/2?view=x');
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe('/login?redirect-to=%2Fhelpdesk%2Ftickets%2F2%3Fview%3Dx');
  });

  it.each([
    ['/helpdesk/tickets/2', '/helpdesk/tickets/2'],
    ['https://evil.example/', '/helpdesk'],
    ['//evil.example/', '/helpdesk'],
  ])('the login form leads to %s by way of %s', async (wanted, target) => {
    const form = new URLSearchParams({ usr: accounts['agent.a'].name, pwd: accounts['agent.a'].password });
    const url = `${site.simulator.url}/login?redirect-to=${encodeURIComponent(wanted)}`;
    const answer = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect(new URL(answer.headers.get('location') ?? '', site.simulator.url).href).toBe(site.simulator.url + target);
    expect(answer.headers.getSetCookie().join()).toMatch(/sid=[0-9a-f]{56};/);
  });
});
