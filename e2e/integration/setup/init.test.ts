import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseConfig } from '@deskside/proxy/config';
import { examine } from '@deskside/proxy/doctor';
import { runInit } from '@deskside/proxy/init';
import { runProvision } from '@deskside/proxy/provision';
import { readVariables } from '@deskside/proxy/settings';
import { startProxy } from '@deskside/proxy/start';
import { startCrm } from '@deskside/simulators/crm/server';
import { type Generation, startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, makeSeed } from '@deskside/simulators/seed/index';
import { childEnvironment } from '@deskside/testing/child-environment';
import { freePort } from '@deskside/testing/free-port';
import { printedBy } from '@deskside/testing/printed-by';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { expect, onTestFinished, test } from 'vitest';
import { type CommandRun, runDeskside } from '../processes.ts';

const adminKey = `${demo.administrator.apiKey}:${demo.administrator.apiSecret}`;

type Options = Partial<Parameters<typeof runInit>[0] & Parameters<typeof runProvision>[0]>;

/** Options as they are typed. */
const argumentsOf = (options: Options) =>
  Object.entries(options).flatMap(([name, value]) => {
    const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? [option] : [option, String(value)];
  });

/** A helpdesk and a CRM that nobody has prepared, and an empty folder for the settings. */
async function fresh(generation: Generation, { change = (_: ReturnType<typeof makeSeed>) => {} } = {}) {
  const seed = makeSeed();
  change(seed);
  seed.helpdesk.customFields = {};
  delete seed.helpdesk.protectedFields;
  delete seed.helpdesk.closedContacts;
  delete seed.helpdesk.closedShares;
  seed.helpdesk.users = seed.helpdesk.users.filter(({ name }) => name !== demo.service.name);
  const helpdesk = await startHelpdesk({ seed: seed.helpdesk, generation });
  const crm = await startCrm({ seed: seed.crm });
  const folder = await mkdtemp(path.join(tmpdir(), 'deskside-init-'));
  onTestFinished(async () => {
    await Promise.all([helpdesk.close(), crm.close()]);
    await rm(folder, { recursive: true, force: true });
  });
  const port = await freePort();
  const file = path.join(folder, 'deskside.env');
  const [webhookFile, keyFile] = [path.join(folder, 'webhook'), path.join(folder, 'key')];
  await writeFile(webhookFile, `${crm.webhookUrl}\n`);
  await writeFile(keyFile, `${adminKey}\n`);
  const environment = { ALLOW_INSECURE_UPSTREAMS: '1' };
  const variables = () => readVariables(file, { over: environment, mayMiss: true });
  /** A command, by default without a process of its own. */
  const run = async (command: 'init' | 'provision', options: Options, asProcess = false): Promise<CommandRun> => {
    if (asProcess) return runDeskside([command, ...argumentsOf(options), '--env-file', file], environment);
    const said: Record<'out' | 'error', string[]> = { out: [], error: [] };
    const print = (text: string) => void said.out.push(`${text}\n`);
    const printError = (text: string) => void said.error.push(`${text}\n`);
    const io = { print, printError, ask: null, askSecret: null };
    const code =
      command === 'init'
        ? await runInit({ start: true, ticket: true, ...options }, { file, known: variables() }, io)
        : (await runProvision({ extensionId: [], ...options }, { file, variables: variables() }, io)).code;
    return { code, out: said.out.join(''), error: said.error.join('') };
  };
  const common = { yes: true, adminKeyFile: keyFile } as const;
  const mine = { helpdesk: helpdesk.url, publicUrl: `http://127.0.0.1:${port}`, crmWebhookFile: webhookFile };
  const init = (more: Options = {}, asProcess = false) =>
    run('init', { ...common, ...mine, claims: 'hold', ...more }, asProcess);
  const remove = (more: Options = {}, asProcess = false) =>
    run('provision', { ...common, remove: true, ...more }, asProcess);
  /** The service, by default without a process of its own. */
  const serve = async (asProcess = false) => {
    const served = { PORT: String(port), LOG_LEVEL: 'error' };
    if (!asProcess) {
      const proxy = await startProxy(parseConfig({ ...variables(), ...served }));
      onTestFinished(() => proxy.close());
      return;
    }
    const child = spawn(process.execPath, ['--', proxyCli, 'serve', '--env-file', file], {
      cwd: '/',
      env: childEnvironment({ ...environment, ...served }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await printedBy(child).address;
  };
  const writes = () =>
    helpdesk.journal.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
  const all = async (doctype: string) => {
    const address = `${helpdesk.url}/api/resource/${doctype}?limit_page_length=0&order_by=name asc`;
    const response = await fetch(address, { headers: { authorization: `token ${adminKey}` } });
    return ((await response.json()) as { data: { name: string }[] }).data.map(({ name }) => name);
  };
  return { all, helpdesk, crm, file, variables, init, remove, serve, writes };
}

test.each(['1.24', '1.28'] as const)(
  'from three settings and a key to a ticket that comes through, on Helpdesk %s; again, and nothing changes; and all of it is taken away',
  async (generation) => {
    // As an operator runs them on one, each once.
    const asProcess = generation === '1.28';
    const w = await fresh(generation);
    const { helpdesk, crm, file, init, remove, serve, writes, all } = w;
    const untouched = {
      rows: await all('Custom DocPerm'),
      fields: await all('Custom Field'),
      notes: await all('Comment'),
    };
    const planned = await init({ plan: true });
    expect(planned).toMatchObject({ code: 0, out: expect.stringContaining('This was only the plan') });
    expect(writes()).toEqual([]);

    const first = await init({}, asProcess);
    expect(first).toMatchObject({ code: 0, error: '' });
    expect(first.out).toMatch(/will be created +User "deskside@deskside\.local"/);
    expect(first.out).toContain('"platform_hosts" in rules.json');
    // The service cannot be started from here: it is told how, and how to go on.
    expect(first.out).toMatch(
      /no response from .*Start the service, if it does not run:.*serve --env-file \/.*deskside init --env-file \//s,
    );
    const settings = await readFile(file, 'utf8');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(settings.split('\n').map((line) => line.split('=')[0])).toEqual([
      'HELPDESK_URL',
      'CRM_WEBHOOK_URL',
      'PUBLIC_URL',
      'HELPDESK_API_KEY',
      'HELPDESK_API_SECRET',
      // From the environment, which the service does not have.
      'ALLOW_INSECURE_UPSTREAMS',
      'HELPDESK_WEBHOOK_SECRET',
      'OAUTH_CLIENT_IDS',
      '',
    ]);
    for (const secret of [adminKey, crm.webhookUrl]) expect(first.out).not.toContain(secret);
    expect(settings).not.toContain(adminKey);

    await serve(asProcess);
    helpdesk.clearJournal();
    const second = await init();
    expect(second.out).toMatch(/Nothing to do\..*the webhook came.*the profile was there/s);
    expect(second, second.out).toMatchObject({ code: 0, error: '' });
    expect(await readFile(file, 'utf8')).toBe(settings);
    // It is made, routed and deleted.
    const ofTheTicket =
      /^(POST|PUT) \/api\/(resource\/HD Ticket(\/\d+)?|method\/frappe\.(client\.delete|desk\.form\.assign_to\.add))$/;
    expect(writes().filter((write) => !ofTheTicket.test(decodeURIComponent(write)))).toEqual([]);

    const [client = ''] = await all('OAuth Client');
    helpdesk.put('OAuth Bearer Token', { name: 'a-token-that-nobody-may-see', client });
    const removed = await remove();
    expect(removed, removed.out).toMatchObject({ code: 0, error: '' });
    expect(removed.out).not.toContain('a-token-that-nobody-may-see');
    expect(removed.out).toContain('custom fields and their values stay; --fields deletes them too.');
    expect(removed.out).toContain('teams with their assignment rules');
    for (const doctype of ['OAuth Bearer Token', 'OAuth Client', 'Webhook'])
      expect(await all(doctype), doctype).toEqual([]);
    expect(await all('Custom DocPerm')).toEqual(untouched.rows);
    expect((await all('Custom Field')).length).toBeGreaterThan(untouched.fields.length);

    const withFields = await remove({ fields: true }, asProcess);
    expect(withFields, withFields.out).toMatchObject({ code: 0, out: expect.stringContaining('bench trim-tables') });
    expect(await all('Custom Field')).toEqual(untouched.fields);
    expect(await all('Comment')).toEqual(untouched.notes);
    const again = await remove({ fields: true });
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do.') });
    expect(again.out).not.toMatch(/trim-tables|no note|^State/m);
  },
);

test('what was made is known to the helpdesk, whatever became of the store', async () => {
  const { init, remove, file, all } = await fresh('1.28');
  const fields = await all('Custom Field');
  expect(await init()).toMatchObject({ code: 0 });
  await rm(path.join(path.dirname(file), 'data'), { recursive: true, force: true });
  const removed = await remove({ fields: true });
  expect(removed, removed.out).toMatchObject({ code: 0, error: '' });
  expect(await all('Custom Field')).toEqual(fields);
});

test('a webhook that the CRM refuses is said before anything is written or kept', async () => {
  const { crm, file, init, writes } = await fresh('1.28');
  const wrong = path.join(path.dirname(file), 'wrong');
  await writeFile(wrong, crm.webhookUrl.replace(/[^/]+\/$/, 'not-the-secret/'));
  await expect(init({ crmWebhookFile: wrong })).rejects.toThrow('The CRM refuses the webhook');
  expect(writes()).toEqual([]);
  await expect(stat(file)).rejects.toThrow('ENOENT');
});

test('a second run checks what it has just written, not what the file said before; roles that were lost come back', async () => {
  const { helpdesk, init, serve, file, variables } = await fresh('1.28');
  expect(await init()).toMatchObject({ code: 0 });
  const before = await readFile(file, 'utf8');
  // The clients of a site that is gone, and an account that has lost a role.
  await writeFile(
    file,
    before.replace(/^OAUTH_CLIENT_IDS=.*$/m, 'OAUTH_CLIENT_IDS={"chrome":"a","edge":"b","firefox":"c"}'),
  );
  const user = helpdesk.document('User', 'deskside@deskside.local');
  helpdesk.put('User', { ...user, name: 'deskside@deskside.local', roles: [{ role: 'Agent' }] });
  await serve();
  const again = await init();
  expect(again.out).toMatch(/will be changed +User "deskside@deskside.local" +role Agent Manager/);
  expect(again, again.out).toMatchObject({ code: 0 });
  expect(variables().OAUTH_CLIENT_IDS).not.toContain('"a"');
  expect(again.out).not.toContain('✗');
});

test('somebody else at PUBLIC_URL is a failure, unlike a service that only has to be started', async () => {
  const { helpdesk, init } = await fresh('1.28');
  const ran = await init({ publicUrl: helpdesk.url });
  expect(ran.out).toContain('is not Deskside');
  expect(ran.code, ran.out).toBe(1);
});

test('the last words name the teams that it made, which nobody is in yet who can be assigned a ticket', async () => {
  const change = ({ helpdesk }: ReturnType<typeof makeSeed>) => {
    helpdesk.documents['HD Team'] = helpdesk.documents['HD Team']?.filter(({ name }) => name === 'CS 60p') ?? [];
  };
  const { init, serve, variables } = await fresh('1.28', { change });
  const words =
    'To do now: add members who are active HD Agents to these teams, to whom no ticket can be assigned until then: "Medium - Scale", "Medium - Grow".\n';
  const first = await init();
  expect(first.out).toContain('Start the service, if it does not run:');
  expect(first.out.endsWith(words), first.out).toBe(true);
  await serve();
  const second = await init();
  expect(second.out.endsWith(words), second.out).toBe(true);
  expect(second.code).toBe(0);
  const [teams] = (await examine(parseConfig(variables()), null, null)).filter(({ check }) => check === 'Teams');
  const text = 'Nobody in the team "Medium - Scale" can be assigned a ticket (1 members).';
  expect(teams?.said).toContainEqual(expect.objectContaining({ text }));
});

test.each([
  ['CRM_RESPONSIBLE_WEBHOOK_URL', 'CRM_WEBHOOK_URL'],
  ['CRM_WEBHOOK_URL', 'CRM_RESPONSIBLE_WEBHOOK_URL'],
])(
  'what Integrations Settings hold is taken into the file, but for what is said, as %s, or cannot be used',
  async (said, taken) => {
    const { crm, file, helpdesk, init } = await fresh('1.28');
    const api = (path: string, method: string, body: object) =>
      fetch(`${helpdesk.url}/api/resource/${path}`, {
        method,
        body: JSON.stringify(body),
        headers: { authorization: `token ${adminKey}`, 'content-type': 'application/json' },
      });
    const types = {
      ...{ crm_webhook_url: 'Password', crm_responsible_webhook_url: 'Password', crm_portal_url: 'Data' },
      ...{ crm_timeout_seconds: 'Int', crm_refresh_ttl_minutes: 'Int', crm_enabled: 'Check' },
    };
    await api('DocType', 'POST', {
      name: 'Integrations Settings',
      module: 'Custom',
      custom: 1,
      issingle: 1,
      fields: Object.entries(types).map(([fieldname, fieldtype]) => ({ fieldname, fieldtype, label: fieldname })),
      permissions: [{ role: 'System Manager', read: 1, write: 1 }],
    });
    await api('Integrations Settings/Integrations Settings', 'PUT', {
      crm_webhook_url: crm.webhookUrl,
      crm_responsible_webhook_url: crm.webhookUrl,
      crm_portal_url: 'https://portal.example/company/',
      crm_timeout_seconds: 90,
      // It stands for the default.
      crm_refresh_ttl_minutes: 0,
      crm_enabled: 0,
    });
    const ours = `# ours\n${said}=${crm.responsibleWebhookUrl} # of the file\n`;
    await writeFile(file, ours);
    const { code, out, error } = await init({
      publicUrl: 'http://127.0.0.1:1',
      crmWebhookFile: undefined,
      claims: undefined,
      start: false,
    });
    expect({ code, error }, out).toEqual({ code: 0, error: '' });
    expect(out).toContain('crm_timeout_seconds is left out. CRM_TIMEOUT_SECONDS: found "90"; expected a whole number');
    expect(out).toContain(`(from Integrations Settings: ${taken}, CRM_PORTAL_URL, CRM_ENABLED)`);
    expect(out).not.toContain(crm.webhookUrl);
    const settings = await readFile(file, 'utf8');
    expect(settings.startsWith(ours)).toBe(true);
    for (const line of [`${taken}=${crm.webhookUrl}`, 'CRM_PORTAL_URL=https://portal.example', 'CRM_ENABLED=0'])
      expect(settings.split('\n')).toContain(line);
    expect(settings).not.toMatch(/CRM_TIMEOUT_SECONDS|CRM_REFRESH_TTL_MINUTES/);
  },
);
