import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import { type ReceivedRequest, type Receiver, startReceiver } from '@deskside/simulators/helpdesk/testing/receiver';
import { demo } from '@deskside/simulators/seed/index';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { desiredFields } from '#helpdesk/fields.ts';
import { useSimulatedSite } from '#helpdesk/testing/simulated-site.ts';
import { createTicket, keys, listAll, run, secrets } from '#setup/testing/run-provision.ts';
import { scriptName, scriptText, trialName, trialText } from './before-insert-script.ts';

const nextSecret = 'the-next-script-secret';

/** What the proxy answers to a script with one of its secrets. */
const proxy =
  (fields: object = {}) =>
  ({ headers }: ReceivedRequest) =>
    [secrets.HELPDESK_SCRIPT_SECRET, nextSecret].includes(String(headers['x-deskside-secret']))
      ? { status: 200, body: JSON.stringify({ success: true, data: { fields } }) }
      : { status: 403, body: '{"success":false}' };

describe('provision --before-insert', () => {
  const site = useSimulatedSite('1.28');
  let simulator: HelpdeskSimulator;
  let receiver: Receiver;
  let reply: Parameters<typeof startReceiver>[0];
  beforeEach(async () => {
    ({ simulator } = await site.another(() => {}));
    reply = proxy();
    receiver = await startReceiver((request) => reply(request));
  });
  afterEach(() => receiver.close());

  const options = { beforeInsert: true };
  const environment = (more: Record<string, string> = {}) => ({
    DESKSIDE_ADMIN_KEY: keys.Administrator,
    PUBLIC_URL: receiver.url,
    ...more,
  });
  const provision = (more: Record<string, string> = {}) => run(simulator, options, environment(more));

  /** Everything that a trial could leave. */
  async function leavings(): Promise<unknown[]> {
    const others = await Promise.all(['Error Log', 'Deleted Document'].map((of) => listAll(simulator, of)));
    const scripts = (await listAll(simulator, 'Server Script')).filter(({ name }) => name !== scriptName);
    return [...others.flat(), ...scripts];
  }
  const installed = () => simulator.document('Server Script', scriptName);

  test('tries it where no ticket hangs on it, and then switches it on', async () => {
    const first = await provision();
    expect(first.code).toBe(0);
    expect(first.out).toContain('. The proxy answered the helpdesk, and leaves such a ticket to the webhook.');
    expect(installed()).toMatchObject({
      script_type: 'DocType Event',
      reference_doctype: 'HD Ticket',
      doctype_event: 'Before Insert',
      disabled: 0,
    });
    expect(await leavings()).toEqual([]);
    expect(receiver.received).toHaveLength(1);
    expect(JSON.parse(receiver.received[0]?.body ?? '').subject).toBe('Deskside trial');
    expect(await provision()).toMatchObject({ code: 0, writes: [] });

    const rotated = { HELPDESK_SCRIPT_SECRET: nextSecret };
    reply = proxy({ agent_group: 'CS 60p' });
    expect((await provision(rotated)).out).toContain('The proxy answered the helpdesk, and chose the team CS 60p.');
    expect(installed()?.script).toContain(`"${nextSecret}"`);
    expect(await leavings()).toEqual([]);
    expect(await provision(rotated)).toMatchObject({ code: 0, writes: [] });
  });

  test.each<[string, () => void, Record<string, string>, RegExp]>([
    [
      'another secret',
      () => {},
      { HELPDESK_SCRIPT_SECRET: 'a-secret-of-nobodys' },
      /refuses the secret \(HTTPError, HTTP 403\)/,
    ],
    ['nobody there', () => {}, { PUBLIC_URL: 'http://127.0.0.1:1' }, /cannot reach the proxy .*\(ConnectionError\)/],
    ['no endpoint', () => (reply = () => ({ status: 404 })), {}, /no such endpoint .*\(HTTPError, HTTP 404\)/],
    ['an error', () => (reply = () => ({ status: 502 })), {}, /answers with an error \(HTTPError, HTTP 502\)/],
    ['a page', () => (reply = () => ({ status: 200, body: '<html>' })), {}, /is not the proxy \(TypeError\)/],
  ])('%s: it says so, is not switched on, and leaves nothing', async (_what, before, more, says) => {
    before();
    const { code, out } = await provision(more);
    expect(code).toBe(1);
    expect(out).toMatch(/FAILED +Server Script "Deskside: before insert": The trial failed\./);
    expect(out).toMatch(says);
    expect(installed()).toMatchObject({ disabled: 1 });
    expect(await leavings()).toEqual([]);
    reply = proxy();
    expect(await provision()).toMatchObject({ code: 0 });
    expect(installed()).toMatchObject({ disabled: 0 });
  });

  test('a script that works goes on as it is where the new one does not', async () => {
    await provision();
    const before = installed();
    const { code, out } = await provision({ HELPDESK_SCRIPT_SECRET: 'a-secret-of-nobodys' });
    expect(code).toBe(1);
    expect(out).toContain('stays as it is');
    expect(installed()).toEqual(before);
  });

  test('tickets that people create during the trial are not held up by it', async () => {
    let answer: (() => void) | undefined;
    reply = (request) => new Promise((resolve) => (answer = () => resolve(proxy()(request))));
    const running = provision();
    await expect.poll(() => answer).toBeDefined();
    expect(await createTicket(simulator, { subject: 'Trong lúc đó' })).toMatchObject({ status: 200 });
    expect(receiver.received).toHaveLength(1);
    answer?.();
    expect((await running).code).toBe(0);
  });

  test('what a run left that was cut off is removed by the next', async () => {
    const text = trialText(receiver.url, secrets.HELPDESK_SCRIPT_SECRET);
    const trial = { script_type: 'API', api_method: 'deskside_trial', disabled: 0, script: text };
    simulator.put('Server Script', { name: trialName, ...trial });
    const error = `Traceback …Deskside trial… ${secrets.HELPDESK_SCRIPT_SECRET}`;
    simulator.put('Error Log', { name: 'cut-off', method: 'Error', error });
    expect(await provision()).toMatchObject({ code: 0 });
    expect(await leavings()).toEqual([]);
  });

  test('where server scripts are off it stays disabled and blocks nothing', async () => {
    simulator.settings.serverScriptEnabled = false;
    const off = await provision();
    expect(off.code).toBe(1);
    expect(off.out).toMatch(/FAILED +Server Script .*403 ServerScriptNotEnabled.*left disabled/);
    expect(installed()).toMatchObject({ disabled: 1 });
    expect(await createTicket(simulator, { subject: 'Vẫn tạo được' })).toMatchObject({ status: 200 });
    simulator.settings.serverScriptEnabled = true;
    expect(await provision()).toMatchObject({ code: 0 });
    expect(installed()).toMatchObject({ disabled: 0 });
    simulator.settings.serverScriptEnabled = false;
    expect((await provision({ HELPDESK_SCRIPT_SECRET: nextSecret })).code).toBe(1);
    expect(installed()).toMatchObject({ disabled: 1 });
  });

  test('is refused without Script Manager', async () => {
    expect(await run(simulator, options)).toMatchObject({
      code: 1,
      writes: [],
      out: expect.stringContaining('Script Manager'),
    });
  });

  test('a System Manager who is no agent can make the trial', async () => {
    simulator = (
      await site.another((seed) => {
        for (const user of seed.users)
          if (user.apiKey === demo.sysonly.apiKey) user.roles = ['System Manager', 'Script Manager'];
      })
    ).simulator;
    const key = `${demo.sysonly.apiKey}:${demo.sysonly.apiSecret}`;
    expect(await provision({ DESKSIDE_ADMIN_KEY: key })).toMatchObject({ code: 0 });
    expect(await leavings()).toEqual([]);
  });
});

const script = scriptText('https://deskside.example', 'a"quoted"\\secret');
const code = script.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').replaceAll(/#.*$/gm, '');

describe('the Before Insert script', () => {
  test('keeps to the Python that Frappe allows', () => {
    expect(code).not.toMatch(/\bimport\b|\bformat\b|\beval\b|\bf"/);
    expect(code).not.toMatch(/\b_\w|\._/);
  });

  test('sets only fields of a closed list, all of them desired or standard', () => {
    const list = /for field in \[([^\]]*)\]/.exec(script)?.[1] ?? '';
    const names = [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name);
    const desired = desiredFields['HD Ticket'].map(({ fieldname }) => fieldname);
    // Nothing of the company but its team (decision 22: Before Insert is optional).
    expect(names).toEqual(['agent_group', 'custom_platform_profile_status', 'custom_platform_routing_reason']);
    for (const name of names) expect(['agent_group', ...desired]).toContain(name);
  });
});
