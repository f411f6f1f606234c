import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { readVariables } from '#commands/settings.ts';
import { ConfigError } from '#config.ts';
import { desiredFields } from '#helpdesk/fields.ts';
import { useSimulatedSite } from '#helpdesk/testing/simulated-site.ts';
import { builtExtensionIds } from '#setup/needs/sign-in.ts';
import { webhookName } from '#setup/needs/webhook.ts';
import { bare, callAs, idsOf, keys, run, secrets, settingsFolder } from '#setup/testing/run-provision.ts';
import { type ProvisionOptions, readProvisionSettings } from './provision.ts';

const everyField = Object.values(desiredFields).flat().length;
const noSecret = { HELPDESK_WEBHOOK_SECRET: '' };

/** Writes to permissions: website users lose Contacts and, in 1.28, the org id of HD Customer. */
const isGuard = (write: string) => /permission_manager|Custom DocPerm|Comment|Property Setter/.test(write);

describe('provision', () => {
  const site = useSimulatedSite('1.28');
  const fresh = async (change = bare) => (await site.another(change)).simulator;

  test('creates everything once; the second run changes nothing', async () => {
    const simulator = await fresh();
    const first = await run(simulator, { withSnapshots: true });
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining('Done.') });
    expect(first.writes.filter((write) => !isGuard(write))).toHaveLength(everyField + 1 + 1 + 3);
    expect(simulator.document('Custom Field', 'HD Ticket-custom_orgid')).toMatchObject({
      ...{ fieldtype: 'Data', insert_after: 'customer', read_only: 0, permlevel: 0 },
    });
    expect(simulator.document('Custom Field', 'HD Ticket-custom_platform_routing_reason')).toMatchObject({
      ...{ fieldtype: 'Small Text', insert_after: 'custom_shopplan', read_only: 1, permlevel: 0 },
    });
    expect(simulator.document('Webhook', webhookName)).toMatchObject({
      ...{ webhook_doctype: 'HD Ticket', webhook_docevent: 'after_insert', enable_security: 1, enabled: 1, timeout: 5 },
      request_url: 'https://deskside.example/webhooks/helpdesk/ticket/after-insert',
    });
    expect(simulator.document('DocType', 'HD Customer Data')).toMatchObject({ custom: 1 });

    const second = await run(simulator, { withSnapshots: true });
    expect(second).toMatchObject({ code: 0, writes: [], out: expect.stringContaining('Nothing to do.') });
    // Nobody has said where shops have their domains, and nobody is asked here.
    expect(second.out).toContain('Warning: Intake by a shop’s domain is off: "platform_hosts" in rules.json');
    expect(idsOf(second.out)).toEqual(idsOf(first.out));
    expect(simulator.document('OAuth Client', idsOf(first.out).chrome ?? '')).toMatchObject({
      app_name: 'Deskside (Chrome)',
      redirect_uris: `https://${builtExtensionIds.chrome}.chromiumapp.org/cb`,
      skip_authorization: 1,
      scopes: 'all openid',
      allowed_roles: [{ role: 'Agent' }, { role: 'Agent Manager' }],
    });
  });

  test('nobody renames an account from then on, by which its owner would pass for another sender; --remove gives that back', async () => {
    const simulator = await fresh();
    const renaming = () =>
      fetch(`${simulator.url}/api/method/frappe.client.rename_doc`, {
        method: 'POST',
        headers: { authorization: `token ${keys.sysonly}`, 'content-type': 'application/json' },
        body: JSON.stringify({ doctype: 'User', old_name: 'la@hopthu.example', new_name: 'boss@shop.example' }),
      });
    simulator.put('User', { name: 'la@hopthu.example', email: 'la@hopthu.example', user_type: 'Website User' });
    const { out } = await run(simulator);
    expect(out).toContain('Warning: Everybody with an account may rename it');
    expect((await renaming()).status).toBe(417);
    simulator.put('Property Setter', { name: 'of others', doc_type: 'Contact', property: 'allow_rename', value: '0' });
    await run(simulator, { remove: true });
    expect((await renaming()).status).toBe(200);
    expect(simulator.document('Property Setter', 'of others')).not.toBeNull();
  });

  test('the service account is given the roles that it lacks, beside its own', async () => {
    const simulator = await fresh();
    const agent = { HELPDESK_API_KEY: demo.agent.apiKey };
    expect((await run(simulator, {}, agent)).out).toMatch(
      new RegExp(`will be changed +User "${demo.agent.name}" +role Agent Manager$`, 'm'),
    );
    const roles = [{ role: 'Agent' }, { role: 'Agent Manager' }];
    expect(simulator.document('User', demo.agent.name)?.roles).toMatchObject(roles);
    expect(await run(simulator, {}, agent)).toMatchObject({ code: 0, writes: [] });
  });

  test('a property that somebody else has set stays when Deskside goes', async () => {
    const simulator = await fresh();
    const setter = { name: 'User-main-allow_rename', doc_type: 'User', property: 'allow_rename', value: '0' };
    simulator.put('Property Setter', setter);
    expect((await run(simulator)).out).not.toContain('may rename it');
    await run(simulator, { remove: true });
    expect(simulator.document('Property Setter', setter.name)).toMatchObject({ value: '0' });
  });

  test('a second installation is warned before it takes the first one’s extension out, and says whose webhook it takes away', async () => {
    const simulator = await fresh();
    const id = idsOf((await run(simulator)).out).chrome ?? '';
    const second = await run(simulator, { plan: true, extensionId: [`chrome=${'p'.repeat(32)}`] });
    expect(second.out).toContain(
      'Warning: Another extension signs in by OAuth Client "Deskside (Chrome)", perhaps that of another Deskside:',
    );
    expect((await run(simulator, { plan: true })).out).not.toContain('Another extension');
    expect(simulator.document('OAuth Client', id)?.redirect_uris).toContain(builtExtensionIds.chrome);
    const removal = await run(simulator, { plan: true, remove: true }, { PUBLIC_URL: 'https://old.example' });
    expect(removal.out).toContain('another Deskside is in use, and not this one at https://old.example.');
    expect((await run(simulator, { plan: true, remove: true })).out).not.toContain('another Deskside');
  });

  test('what differs is brought back, and the secret is rotated without being shown', async () => {
    const simulator = await fresh();
    const id = idsOf((await run(simulator)).out).chrome ?? '';
    const [webhook, client] = [simulator.document('Webhook', webhookName), simulator.document('OAuth Client', id)];
    simulator.put('Webhook', { ...webhook, name: webhookName, enabled: 0, request_url: 'https://old.example/x' });
    simulator.put('OAuth Client', { ...client, name: id, allowed_roles: [{ role: 'All' }], skip_authorization: 0 });
    const changed = await run(simulator);
    const written = [`PUT /api/resource/Webhook/${webhookName} 200`, `PUT /api/resource/OAuth Client/${id} 200`];
    expect(changed).toMatchObject({ code: 0, writes: written });
    expect(changed.out).toMatch(/will be changed +Webhook .* +enabled, request_url$/m);
    expect(changed.out).toContain('Warning: The webhook leads to https://old.example/x now. If another Deskside');
    expect(simulator.document('OAuth Client', id)).toMatchObject({
      ...{ skip_authorization: 1, allowed_roles: [{ role: 'Agent' }, { role: 'Agent Manager' }] },
    });

    const rotated = { HELPDESK_WEBHOOK_SECRET: `the-next-webhook-secret,${secrets.HELPDESK_WEBHOOK_SECRET}` };
    const next = await run(simulator, {}, rotated);
    expect(next).toMatchObject({ code: 0, writes: [`PUT /api/resource/Webhook/${webhookName} 200`] });
    expect(next.out).not.toContain('the-next-webhook-secret');
    expect(await run(simulator, {}, rotated)).toMatchObject({ code: 0, writes: [] });
  });

  test('a field of another type is kept and reported', async () => {
    const simulator = await fresh((seed) => {
      bare(seed);
      seed.customFields['HD Customer'] = [
        { fieldname: 'custom_platform_orgid', fieldtype: 'Int', label: 'Org' },
        { fieldname: 'custom_crm_sync_status', fieldtype: 'Select', label: 'Status', options: '\nmatched' },
      ];
    });
    const { code, out, writes } = await run(simulator);
    expect(code).toBe(0);
    expect(writes.filter((write) => !isGuard(write))).toHaveLength(everyField - 2 + 1 + 3);
    expect(out).toMatch(/CONFLICT +HD Customer.custom_platform_orgid +is Int, should be Data: .*; kept/);
    expect(out).toMatch(/CONFLICT +HD Customer.custom_crm_sync_status +is a Select without not_found, error/);
    expect(simulator.document('Custom Field', 'HD Customer-custom_platform_orgid')).toMatchObject({ fieldtype: 'Int' });
    expect((await run(simulator)).writes).toEqual([]);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['a wrong key', { DESKSIDE_ADMIN_KEY: 'sysonly:wrong-secret' }, /does not recognise the key/],
    ["an agent's key", { DESKSIDE_ADMIN_KEY: keys.agent }, /an@support\.example is not a System Manager/],
    ['nobody there', { HELPDESK_URL: 'http://127.0.0.1:9' }, /The helpdesk at HELPDESK_URL does not respond/],
  ])('%s is said clearly, and nothing is written', async (_, environment, message) => {
    const { code, out, writes } = await run(await fresh(() => {}), {}, environment);
    expect({ code, writes }).toEqual({ code: 1, writes: [] });
    expect(out).toMatch(message);
  });
});

describe('the files of settings and rules', () => {
  const site = useSimulatedSite('1.28');
  const inFile = (folder: string) => readVariables(path.join(folder, 'deskside.env'), { over: {}, mayMiss: true });
  async function setUp(text?: string, mode?: number) {
    const { simulator } = await site.another(() => {});
    const folder = settingsFolder();
    const [file, rules] = [path.join(folder, 'deskside.env'), path.join(folder, 'rules.json')];
    if (text !== undefined) writeFileSync(file, text, { mode });
    const provision = (options: Partial<ProvisionOptions> = {}, environment: Record<string, string> = noSecret) =>
      run(simulator, options, environment, folder);
    const kept = () => (existsSync(rules) ? JSON.parse(readFileSync(rules, 'utf8')) : null);
    return { simulator, folder, file, provision, kept };
  }

  test('take the webhook’s secret and the clients’ ids, and nobody has to set them; --remove takes them out', async () => {
    const before = '# ours\nCRM_PLAN=standard # for now\n';
    const { simulator, folder, file, provision } = await setUp(before, 0o640);
    const first = await provision();
    expect(first.out).toMatch(/will be created +Setting HELPDESK_WEBHOOK_SECRET +new$/m);
    const { HELPDESK_WEBHOOK_SECRET: secret, OAUTH_CLIENT_IDS: ids = '' } = inFile(folder);
    expect(simulator.document('Webhook', webhookName)).toMatchObject({ webhook_secret: secret });
    expect(first.out).not.toContain(secret);
    expect(first.out).toContain(`${file} changed: HELPDESK_WEBHOOK_SECRET, OAUTH_CLIENT_IDS.`);
    expect(JSON.parse(ids)).toEqual(idsOf(first.out));
    const written = readFileSync(file, 'utf8');
    expect(written.startsWith(`${before}HELPDESK_WEBHOOK_SECRET=`)).toBe(true);
    expect(await provision()).toMatchObject({ code: 0, writes: [], out: expect.stringContaining('Nothing to do.') });
    expect(readFileSync(file, 'utf8')).toBe(written);

    const held = { ...noSecret, HELPDESK_API_KEY: demo.service.apiKey };
    const removed = await provision({ remove: true, account: true }, held);
    expect(simulator.document('User', demo.service.name)?.enabled).toBe(0);
    expect(removed.out).toMatch(/will be deleted +Setting HELPDESK_WEBHOOK_SECRET$/m);
    expect(removed.out).toContain(`${file} changed: HELPDESK_WEBHOOK_SECRET, OAUTH_CLIENT_IDS.`);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('once lost take over the secret of the webhook, which stays as it is', async () => {
    const { simulator, folder, provision } = await setUp();
    await run(simulator);
    const again = await provision();
    expect(again).toMatchObject({ code: 0, writes: [] });
    expect(again.out).toMatch(/will be created +Setting HELPDESK_WEBHOOK_SECRET +that of the webhook which is there$/m);
    expect(inFile(folder).HELPDESK_WEBHOOK_SECRET).toBe(secrets.HELPDESK_WEBHOOK_SECRET);
  });

  test('give way to what the environment says of the clients, and that is said', async () => {
    const { folder, provision } = await setUp();
    const { out } = await provision({}, { OAUTH_CLIENT_IDS: '{"chrome":"of-before"}' });
    expect(out).toMatch(/CONFLICT +Setting OAUTH_CLIENT_IDS +the environment goes over the file/);
    expect(inFile(folder).OAUTH_CLIENT_IDS).toBeUndefined();
  });

  test.skipIf(process.getuid?.() === 0)('which may not be written: what belongs into them is printed', async () => {
    const { simulator, folder, file, provision } = await setUp('# ours\n', 0o440);
    chmodSync(folder, 0o500);
    const { code, out } = await provision({}, { ...noSecret, DATABASE_URL: `file:${settingsFolder()}` });
    chmodSync(folder, 0o700);
    const secret = simulator.document('Webhook', webhookName)?.webhook_secret;
    expect(code).toBe(0);
    expect(out).toContain(`This account may not write ${file}. Put into it: HELPDESK_WEBHOOK_SECRET=${secret}`);
    expect(out).toContain(`rules.json. Put into it: "claims"`);
    expect(readFileSync(file, 'utf8')).toBe('# ours\n');
  });

  const signUp = (disable_signup: number) => (simulator: Awaited<ReturnType<typeof setUp>>['simulator']) =>
    simulator.put('Website Settings', { name: 'Website Settings', disable_signup });
  // Rows of the site's own stand in the place of the standard ones.
  const hidden = (simulator: { url: string }) => {
    const row = { parent: 'Website Settings', role: 'Website Manager', read: 1 };
    return callAs(demo.administrator, simulator, 'POST', 'resource/Custom DocPerm', row);
  };

  test.each([
    [
      'nobody may sign up',
      signUp(1),
      'accept',
      /Nobody may sign up .* So claims is accept: .* links the ticket, as specified, .* --claims hold changes that/,
    ],
    [
      'anybody may',
      signUp(0),
      'hold',
      /Anybody may sign up .* So claims is hold: .* links no ticket, although the specification asks for that: .* Switch sign-up off .* --claims accept changes that/,
    ],
    [
      'anybody may create tickets without that',
      (simulator: Awaited<ReturnType<typeof setUp>>['simulator']) => {
        signUp(1)(simulator);
        simulator.put('HD Settings', { name: 'HD Settings', allow_anyone_to_create_tickets: 1 });
      },
      'hold',
      /Nobody may sign up .* Anybody may create tickets without an account, .* So claims is hold: .* Switch guest tickets off \(HD Settings, .* --claims accept changes that/,
    ],
    ['that cannot be seen', hidden, 'hold', /cannot be seen\. So claims is hold: .* --claims accept changes that/],
  ])(
    'say what claims are worth: where %s, one line says what was chosen, what it means and how to change it',
    async (_, arrange, mode, line) => {
      const { simulator, provision, kept } = await setUp();
      await arrange(simulator);
      expect((await provision({ plan: true }, {})).out).toMatch(line);
      expect(kept()).toBeNull();
      const { code, out } = await provision({}, {});
      expect(code).toBe(0);
      expect(out).toMatch(line);
      expect(out).toMatch(new RegExp(`will be created +Rule claims +${mode}$`, 'm'));
      expect(kept()).toEqual({ claims: mode });
      const again = await provision({}, {});
      expect(again).toMatchObject({ code: 0, writes: [], out: expect.stringContaining('Nothing to do.') });
      expect(again.out).not.toContain('So claims is');
    },
  );

  test('keep what somebody says of claims when sign-up changes; accepted of anybody it is warned of', async () => {
    const { simulator, provision } = await setUp();
    signUp(1)(simulator);
    const said = await provision({ claims: 'hold' }, {});
    expect(said.out).toMatch(/will be created +Rule claims +hold$/m);
    expect(said.out).not.toContain('Warning: Nobody');
    expect((await provision({}, {})).out).toContain('Nothing to do.');
    const changed = await provision({ claims: 'accept' }, {});
    expect(changed.out).toMatch(/will be changed +Rule claims +hold becomes accept$/m);
    signUp(0)(simulator);
    const open = await provision({}, {});
    expect(open.out).toMatch(/exists +Rule claims +accept$/m);
    expect(open.out).toContain('Warning: Anybody may sign up at the helpdesk. Claims are accepted all the same');
  });
});

describe('the settings of provision', () => {
  const variables = {
    HELPDESK_URL: 'https://help.example.com',
    PUBLIC_URL: 'https://deskside.example.com',
    HELPDESK_WEBHOOK_SECRET: 'webhook-secret-new,webhook-secret-old',
    HELPDESK_SCRIPT_SECRET: 'script-secret-current',
    DESKSIDE_ADMIN_KEY: 'admin:very-secret-word',
  };
  const read = (options: Partial<ProvisionOptions>, changes: Record<string, string | undefined> = {}) =>
    readProvisionSettings({ extensionId: [], ...options }, { file: null, variables: { ...variables, ...changes } });

  test('need no service account; the key may be in a file, and an id that of a store', () => {
    const file = path.join(settingsFolder(), 'key');
    writeFileSync(file, 'file:from-the-file\n');
    const id = 'abcdefghijklmnopabcdefghijklmnop';
    const settings = read({ adminKeyFile: file, extensionId: [`edge=${id}`] });
    expect(settings.adminKey.reveal()).toBe('file:from-the-file');
    expect(settings.extensionIds).toEqual({ ...builtExtensionIds, edge: id });
    expect(JSON.stringify(settings)).not.toContain('from-the-file');
  });

  test.each<[string, Partial<ProvisionOptions>, Record<string, string | undefined>, RegExp]>([
    ['no helpdesk', {}, { HELPDESK_URL: undefined }, /HELPDESK_URL: missing/],
    ['no address of ours', {}, { PUBLIC_URL: '' }, /PUBLIC_URL: missing/],
    ['http', {}, { PUBLIC_URL: 'http://deskside.example.com' }, /PUBLIC_URL: found an http address/],
    ['no key', {}, { DESKSIDE_ADMIN_KEY: undefined }, /DESKSIDE_ADMIN_KEY or --admin-key-file: missing/],
    ['half a key', {}, { DESKSIDE_ADMIN_KEY: 'very-secret-word' }, /DESKSIDE_ADMIN_KEY: expected .* key:secret/],
    ['no such file', { adminKeyFile: '/nowhere/key' }, {}, /--admin-key-file: expected the path/],
    ['a strange id', { extensionId: ['chrome=https://x'] }, {}, /--extension-id: expected/],
    ['no script secret', { beforeInsert: true }, { HELPDESK_SCRIPT_SECRET: undefined }, /SCRIPT_SECRET: missing/],
    ['one that no header takes', { beforeInsert: true }, { HELPDESK_SCRIPT_SECRET: 'mật khẩu rất là dài' }, /ASCII/],
    ['two at once', {}, { HELPDESK_URL: 'x', DESKSIDE_ADMIN_KEY: '' }, /HELPDESK_URL.*DESKSIDE_ADMIN_KEY/s],
  ])('%s is refused by name', (_, options, changes, message) => {
    expect(() => read(options, changes)).toThrow(ConfigError);
    expect(() => read(options, changes)).toThrow(message);
    expect(() => read(options, changes)).not.toThrow(/very-secret-word/);
  });
});
