import { demo, keyOf } from '@deskside/simulators/seed/index';
import { test } from 'vitest';
import { startCanaryWorld } from '../canary.ts';

const profile = (ticket: string) => `/api/method/platform_crm_customer_profile?ticket=${ticket}&refresh=1`;

test('an id leads from the panel to every line that its request caused, and one that is none is replaced', async ({
  expect,
  onTestFinished,
}) => {
  const world = await startCanaryWorld(onTestFinished);
  world.crm.fault = 'unauthorized';
  const ask = (id: string) =>
    fetch(world.url + profile(demo.tickets.matched), {
      headers: { authorization: keyOf(demo.agent), 'x-request-id': id },
    });
  const id = 'panel-0123456789abcdef';
  const response = await ask(id);
  const { data } = (await response.json()) as { data: { bitrix: { error: { request_id: string } } } };
  expect([response.headers.get('x-request-id'), data.bitrix.error.request_id]).toEqual([id, id]);
  const caused = () => world.lines().filter(({ request_id }) => request_id === id);
  await expect.poll(() => caused().map(({ msg }) => msg)).toContain('request');
  // The look-up that failed, and the fault about the CRM.
  expect(caused()).toContainEqual(
    expect.objectContaining({ msg: 'A request to the CRM failed', code: 'unauthorized' }),
  );
  expect(caused()).toContainEqual(expect.objectContaining({ fault: 'crm_unauthorized' }));

  for (const wrong of ['short', 'x'.repeat(65), 'an@desk.example-0123456789', '0123456789abcdef","level":"x'])
    expect((await ask(wrong)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test('what keeps it from being ready is said in words: at the start, to who asks, and in the log', async ({
  expect,
  onTestFinished,
}) => {
  const world = await startCanaryWorld(onTestFinished, { HELPDESK_API_SECRET: 'another-secret-than-the-helpdesk-has' });
  const words = /^The helpdesk refuses the service account's key: it is another one, or its user is disabled\./;
  const ready = async () => {
    const response = await fetch(`${world.url}/readyz`);
    const { data, message } = (await response.json()) as { data: { checks: object[] }; message: string };
    return { status: response.status, checks: data.checks, message };
  };
  // A look at the helpdesk that takes seconds, on a busy machine, has no answer yet.
  await expect.poll(ready).toEqual({
    status: 503,
    checks: [
      { check: 'store', ok: true, message: 'The store answers.' },
      { check: 'helpdesk', ok: false, message: expect.stringMatching(words) },
      expect.objectContaining({ check: 'fields', ok: true }),
      { check: 'webhook', ok: true, message: 'No ticket has come yet.' },
    ],
    message: expect.stringContaining('Not ready. The helpdesk refuses'),
  });
  expect((await fetch(`${world.url}/livez`)).status).toBe(200);
  const notReady = { check: 'helpdesk', msg: expect.stringContaining('Not ready: The helpdesk refuses') };
  await expect.poll(world.lines).toContainEqual(expect.objectContaining(notReady));
});
