import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import type { HelpdeskSeed } from '@deskside/simulators/seed/index';
import { demo } from '@deskside/simulators/seed/index';
import { beforeEach, describe, expect, test } from 'vitest';
import { desiredFields } from '#helpdesk/desired-fields.ts';
import { generations, useSimulatedSite } from '#helpdesk/testing/simulated-site.ts';
import { builtExtensionIds, webhookName } from './desired-state.ts';
import { bare, idsOf, keys, run, secrets } from './testing/run-provision.ts';

const everyField = Object.values(desiredFields).flat().length;

/** Writes to permissions: website users lose Contacts and, in 1.28, the org id of HD Customer. */
const isGuard = (write: string) => /permission_manager|Custom DocPerm|Comment/.test(write);

describe.each(generations)('provision on Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  let simulator: HelpdeskSimulator;
  const fresh = async (change: (seed: HelpdeskSeed) => void = bare) => (await site.another(change)).simulator;
  beforeEach(async () => {
    simulator = await fresh();
  });

  test('creates everything once; the second run changes nothing', async () => {
    const first = await run(simulator, { withSnapshots: true });
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining('Done.') });
    expect(first.writes.filter((write) => !isGuard(write))).toHaveLength(everyField + 1 + 1 + 3);
    expect(simulator.document('Custom Field', 'HD Ticket-custom_orgid')).toMatchObject({
      fieldtype: 'Data',
      insert_after: 'customer',
      read_only: 0,
      permlevel: 0,
    });
    expect(simulator.document('Custom Field', 'HD Ticket-custom_platform_routing_reason')).toMatchObject({
      fieldtype: 'Small Text',
      insert_after: 'custom_shopplan',
      read_only: 1,
      permlevel: 0,
    });
    expect(simulator.document('Webhook', webhookName)).toMatchObject({
      webhook_doctype: 'HD Ticket',
      webhook_docevent: 'after_insert',
      request_url: 'https://deskside.example/webhooks/helpdesk/ticket/after-insert',
      enable_security: 1,
      enabled: 1,
      timeout: 5,
    });
    expect(simulator.document('DocType', 'HD Customer Data')).toMatchObject({ custom: 1 });

    const second = await run(simulator, { withSnapshots: true });
    expect(second).toMatchObject({ code: 0, writes: [], out: expect.stringContaining('Nothing to do.') });
    expect(idsOf(second.out)).toEqual(idsOf(first.out));
    const chrome = simulator.document('OAuth Client', idsOf(first.out).chrome ?? '');
    expect(chrome).toMatchObject({
      app_name: 'Deskside (Chrome)',
      redirect_uris: `https://${builtExtensionIds.chrome}.chromiumapp.org/cb`,
      skip_authorization: 1,
      scopes: 'all openid',
      allowed_roles: [{ role: 'Agent' }, { role: 'Agent Manager' }],
    });
  });

  test('what differs is brought back, and the secret is rotated without being shown', async () => {
    await run(simulator, {});
    const webhook = simulator.document('Webhook', webhookName);
    simulator.put('Webhook', { ...webhook, name: webhookName, enabled: 0, request_url: 'https://old.example/x' });
    const changed = await run(simulator, {});
    expect(changed).toMatchObject({ code: 0, writes: [`PUT /api/resource/Webhook/${webhookName} 200`] });
    expect(changed.out).toMatch(/will be changed +Webhook .* +enabled, request_url$/m);

    const rotated = { HELPDESK_WEBHOOK_SECRET: `the-next-webhook-secret,${secrets.HELPDESK_WEBHOOK_SECRET}` };
    const next = await run(simulator, {}, rotated);
    expect(next).toMatchObject({ code: 0, writes: [`PUT /api/resource/Webhook/${webhookName} 200`] });
    expect(next.out).not.toContain('the-next-webhook-secret');
    expect(await run(simulator, {}, rotated)).toMatchObject({ code: 0, writes: [] });
  });

  test('an OAuth client with other roles or another address gets ours', async () => {
    const { out } = await run(simulator, {});
    const id = idsOf(out).chrome ?? '';
    const document = simulator.document('OAuth Client', id);
    simulator.put('OAuth Client', { ...document, name: id, allowed_roles: [{ role: 'All' }], skip_authorization: 0 });
    const changed = await run(simulator, {});
    expect(changed.writes).toEqual([`PUT /api/resource/OAuth Client/${id} 200`]);
    expect(simulator.document('OAuth Client', id)).toMatchObject({
      skip_authorization: 1,
      allowed_roles: [{ role: 'Agent' }, { role: 'Agent Manager' }],
    });
    expect((await run(simulator, {})).writes).toEqual([]);
  });

  test('a field of another type is kept and reported', async () => {
    simulator = await fresh((seed) => {
      seed.customFields = {
        'HD Customer': [
          { fieldname: 'custom_platform_orgid', fieldtype: 'Int', label: 'Org' },
          { fieldname: 'custom_crm_sync_status', fieldtype: 'Select', label: 'Status', options: '\nmatched' },
        ],
      };
    });
    const { code, out, writes } = await run(simulator, {});
    expect(code).toBe(0);
    expect(writes.filter((write) => !isGuard(write))).toHaveLength(everyField - 2 + 1 + 3);
    expect(out).toMatch(/CONFLICT +HD Customer.custom_platform_orgid +is Int, should be Data: .*; kept/);
    expect(out).toMatch(/CONFLICT +HD Customer.custom_crm_sync_status +is a Select without not_found, error/);
    expect(simulator.document('Custom Field', 'HD Customer-custom_platform_orgid')).toMatchObject({ fieldtype: 'Int' });
    expect((await run(simulator, {})).writes).toEqual([]);
  });

  test('nothing is written without a yes', async () => {
    const ask = { yes: false };
    expect(await run(simulator, ask)).toMatchObject({ code: 2, writes: [], out: expect.stringContaining('--yes') });
    expect(await run(simulator, ask, {}, false)).toMatchObject({ code: 2, writes: [] });
    expect(await run(simulator, { plan: true })).toMatchObject({ code: 0, writes: [] });
    expect(await run(simulator, ask, {}, true)).toMatchObject({ code: 0 });
    expect(await run(simulator, ask)).toMatchObject({ code: 0, writes: [] });
  });

  test("a plan needs no System Manager's key: it says what the service account cannot see", async () => {
    const service = { DESKSIDE_ADMIN_KEY: '', HELPDESK_API_KEY: demo.service.apiKey };
    const environment = { ...service, HELPDESK_API_SECRET: `${demo.service.apiSecret},the-one-before` };
    const before = await run(simulator, { plan: true }, environment);
    expect(before).toMatchObject({ code: 0, writes: [] });
    expect(before.out).toMatch(/will be created +HD Ticket.custom_orgid/);
    expect(before.out).toMatch(/cannot be seen +Webhook .* +a System Manager's key shows it/);
    expect(before.out).not.toContain(demo.service.apiSecret);
    expect(await run(simulator, {}, environment)).toMatchObject({ code: 1, writes: [] });
    await run(simulator);
    expect((await run(simulator, { plan: true }, environment)).out).toContain('Nothing to do in what can be seen.');
  });

  test('what fails is reported, the rest goes on, and the next run completes it', async () => {
    const failing = 'HD Ticket.custom_platform_profile_error';
    let failures = 0;
    let fields = 0;
    simulator.fault = ({ method, path }) => {
      if (method !== 'POST' || path !== '/api/resource/Custom Field') return null;
      fields += 1;
      if (fields !== 6) return null;
      failures += 1;
      return 'deadlock';
    };
    const first = await run(simulator);
    expect(failures).toBe(1);
    expect(first.code).toBe(1);
    expect(first.out).toMatch(new RegExp(`FAILED +${failing}: .*500 QueryDeadlockError`));
    expect(first.writes.filter((write) => !isGuard(write))).toHaveLength(everyField + 1 + 3);
    simulator.fault = null;
    const second = await run(simulator);
    expect(second).toMatchObject({ code: 0, writes: expect.arrayContaining(['POST /api/resource/Custom Field 200']) });
    expect(second.out).toContain(`done    ${failing}`);
  });

  test('a helpdesk that goes away is not asked again and again', async () => {
    simulator.fault = ({ method }) => (method === 'GET' ? null : 503);
    const { code, out, writes } = await run(simulator);
    expect(code).toBe(1);
    expect(writes).toHaveLength(2);
    expect(out).toContain('not tried: the helpdesk does not respond');
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['a wrong key', { DESKSIDE_ADMIN_KEY: 'sysonly:wrong-secret' }, /does not recognise the key/],
    ['a key without a secret', { DESKSIDE_ADMIN_KEY: 'sysonly' }, /DESKSIDE_ADMIN_KEY: expected/],
    ["an agent's key", { DESKSIDE_ADMIN_KEY: keys.agent }, /an@support\.example is not a System Manager/],
    ['nobody there', { HELPDESK_URL: 'http://127.0.0.1:9' }, /The helpdesk at HELPDESK_URL does not respond/],
    ['no PUBLIC_URL', { PUBLIC_URL: '' }, /PUBLIC_URL: missing/],
  ])('%s is said clearly, and nothing is written', async (_, environment, message) => {
    const { code, out, writes } = await run(simulator, {}, environment);
    expect({ code, writes }).toEqual({ code: 1, writes: [] });
    expect(out).toMatch(message);
  });
});
