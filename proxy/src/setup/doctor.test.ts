import { chmod, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { demo, type Seed } from '@deskside/simulators/seed/index';
import { describe, expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '#net/testing/self-signed.ts';
import { webhookName } from './desired-state.ts';
import { runProvision } from './provision.ts';
import { isHealthy, type Said } from './report.ts';
import {
  answer,
  customField,
  failDelivery,
  missAnchor,
  moveCrm,
  neglectBackups,
  putScript,
  register,
  removeTeam,
  sendHome,
  serveAs,
  set,
  useFileAsFolder,
  useOneWebhook,
  useRules,
  webhook,
} from './testing/doctor-faults.ts';
import { adminKey, type Clinic, type ClinicOptions, clinic, saidAt, secrets, wrongIn } from './testing/doctor-kit.ts';

describe.each(['1.24', '1.28'] as const)('a world as "provision" leaves it, Helpdesk %s', (generation) => {
  test('has no fault, with the optional script too, and nothing of it is changed', async () => {
    const world = await clinic({ generation });
    putScript(world);
    world.crm.clearJournal();
    const report = await world.examine();
    expect(saidAt(report, 'fault', 'warning', 'unchecked')).toEqual([]);
    expect(saidAt(report, 'ok').length).toBeGreaterThan(15);
    expect(report.length).toBeLessThanOrEqual(25);
    expect(world.helpdesk.journal.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(new Set(world.crm.journal.map(({ method }) => method))).toEqual(
      new Set(['scope', 'server.time', 'crm.company.fields', 'crm.company.list']),
    );
  });
});

test('a bare site has nothing to find once "provision" has been there', async () => {
  const bare = (seed: Seed) => {
    seed.helpdesk.customFields = {};
    delete seed.helpdesk.protectedFields;
    delete seed.helpdesk.closedContacts;
  };
  const { environment, helpdesk, atPublicUrl, examine } = await clinic({ seed: bare, noWebhook: true });
  environment.OAUTH_CLIENT_IDS = '';
  expect(wrongIn(await examine())).toEqual(['Settings', 'Fields', 'Fields', 'Contacts', 'Webhook']);
  // Stands in for the proxy, which the script is tried against.
  const discovery = atPublicUrl.body;
  atPublicUrl.body = '{"success":true,"data":{"fields":{}}}';
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const options = { extensionId: [], beforeInsert: true, yes: true };
  const provisioned = { ...environment, HELPDESK_URL: helpdesk.url, DESKSIDE_ADMIN_KEY: adminKey };
  const io = { print, printError: print, ask: null };
  const { code } = await runProvision(options, { file: null, variables: provisioned }, io);
  expect(code, printed.join('\n')).toBe(0);
  environment.OAUTH_CLIENT_IDS = /OAUTH_CLIENT_IDS='?(\{.*\})/.exec(printed.join('\n'))?.[1] ?? '';
  atPublicUrl.body = discovery;
  expect(wrongIn(await examine())).toEqual([]);
});

test('without an administrator’s key it says what it could not look at', async () => {
  const world = await clinic();
  world.change('Webhook', webhookName, { enabled: 0 });
  const report = await world.examine(null);
  expect(wrongIn(report)).toEqual([]);
  expect(saidAt(report, 'unchecked')).toEqual([expect.stringContaining('--admin-key-file')]);
});

test('a System Manager without the role Script Manager: all but the script', async () => {
  const world = await clinic();
  const report = await world.examine(`${demo.admin.apiKey}:${demo.admin.apiSecret}`);
  expect(wrongIn(report)).toEqual([]);
  expect(saidAt(report, 'unchecked')).toEqual([expect.stringMatching(/^Before Insert script: .* role Script Manager/)]);
});

/** A server at https://localhost with a certificate of its own making. */
async function serveSelfSigned(): Promise<string> {
  const server = createServer(selfSigned(['localhost']), (_, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

type Planted = [
  what: string,
  level: Said['level'],
  found: string,
  plant: (world: Clinic) => unknown,
  before?: ClinicOptions,
];

const field = (doctype: string, name: string, type: string | null, more = {}) => customField(doctype, name, type, more);

/** Each by itself: planted in the seed before the start, or in the world after it. */
const planted: Planted[] = [
  // This machine.
  [
    'another page at PUBLIC_URL',
    'fault',
    'Address: What answers at 127.0.0.1',
    ({ atPublicUrl }) => (atPublicUrl.body = 'x'),
  ],
  ['a web server alone', 'fault', 'but not the proxy behind it', ({ atPublicUrl }) => (atPublicUrl.status = 502)],
  [
    'no webhook secret',
    'fault',
    'Last webhook: HELPDESK_WEBHOOK_SECRET is not set',
    ({ environment }) => delete environment.HELPDESK_WEBHOOK_SECRET,
  ],
  [
    'no client ids',
    'warning',
    'Settings: OAUTH_CLIENT_IDS is not set',
    ({ environment }) => delete environment.OAUTH_CLIENT_IDS,
  ],
  ['a data folder that is a file', 'fault', 'is not a folder', (world) => useFileAsFolder(world)],
  ['a data folder open to all', 'warning', 'Other users of this machine can read', ({ data }) => chmod(data, 0o755)],
  ['no backup since', 'warning', 'Backup: The last backup is 3 days old', (world) => neglectBackups(world)],
  [
    'an updated ticket page',
    'warning',
    'Ticket page: Extension 0.1.0 has not found "ticket_header"',
    (world) => missAnchor(world),
  ],
  ['a helpdesk 5 minutes fast', 'fault', "helpdesk's clock is 5 min fast", ({ front }) => (front.aheadMs = 300_000)],
  ['a CRM 5 minutes slow', 'fault', "CRM's clock is 5 min slow", () => {}, { crmAheadMs: -300_000 }],
  [
    'a clock of ours 5 minutes slow',
    'fault',
    "This machine's clock is 5 min slow",
    ({ front }) => (front.aheadMs = 300_000),
    { crmAheadMs: 300_000 },
  ],
  // The helpdesk itself.
  [
    'nobody at HELPDESK_URL',
    'fault',
    'Helpdesk: The helpdesk does not respond. ',
    ({ environment, helpdesk, atPublicUrl, front }) => {
      environment.HELPDESK_URL = 'http://127.0.0.1:1';
      atPublicUrl.body = atPublicUrl.body.replace(front.url, environment.HELPDESK_URL);
      expect(helpdesk.url).toBeTruthy();
    },
  ],
  ['its web server alone', 'fault', 'answers with an error (HTTP 502)', ({ helpdesk }) => (helpdesk.fault = () => 502)],
  [
    'a page at HELPDESK_URL',
    'fault',
    'Helpdesk: The server is not a Frappe',
    ({ helpdesk }) => (helpdesk.fault = () => 'html'),
  ],
  ['no Helpdesk among the apps', 'fault', 'Helpdesk is not installed', (world) => answer(world, 'get_versions', {})],
  [
    'an old Helpdesk',
    'warning',
    'is older than 1.24',
    (world) => answer(world, 'get_versions', { helpdesk: { version: '1.9.3' } }),
  ],
  [
    'a mandatory field of customers that nobody fills',
    'fault',
    'HD Customer needs Industry, which Deskside does not fill',
    () => {},
    {
      seed: ({ helpdesk }) => {
        const field = { fieldname: 'custom_industry', fieldtype: 'Data', label: 'Industry', reqd: 1 };
        const { 'HD Customer': fields = [], ...others } = helpdesk.customFields;
        helpdesk.customFields = { ...others, 'HD Customer': [...fields, field] };
      },
    },
  ],
  // The accounts.
  [
    'a wrong service key',
    'fault',
    "refuses the service account's key: it is another one, or its user is disabled",
    (world) => set(world, 'HELPDESK_API_SECRET', 'not-the-secret'),
  ],
  ['a service account that is no agent', 'fault', 'is not an agent', (world) => serveAs(world, demo.sysonly)],
  [
    'a service account without Agent Manager',
    'fault',
    'may not create or write customers',
    (world) => serveAs(world, demo.agent),
    { seed: ({ helpdesk }) => void delete helpdesk.protectedFields },
  ],
  [
    'Administrator as service account',
    'warning',
    'the proxy does not need that',
    (world) => serveAs(world, demo.administrator),
  ],
  [
    'restricted tickets',
    'fault',
    'is in no team that is exempt',
    ({ helpdesk }) => (helpdesk.settings.restrictTicketsByAgentGroup = true),
  ],
  // Fields.
  ['a missing field', 'fault', 'lacks custom_shopplan;', () => {}, field('HD Ticket', 'custom_shopplan', null)],
  [
    'a number for an org id',
    'fault',
    'HD Customer: custom_platform_orgid is Int, should be Data',
    () => {},
    field('HD Customer', 'custom_platform_orgid', 'Int'),
  ],
  [
    'a number for a time',
    'fault',
    'HD Ticket: custom_crm_not_found_at is Int, should be Datetime',
    () => {},
    field('HD Ticket', 'custom_crm_not_found_at', 'Int'),
  ],
  [
    'a Select without a choice',
    'fault',
    'custom_customer_segment is a Select without Medium',
    () => {},
    field('HD Ticket', 'custom_customer_segment', 'Select', { options: '\nSME\nEnterprise' }),
  ],
  [
    'a level that the service may not touch',
    'fault',
    'may not read and write custom_platform_routing_reason (level 1) of HD Ticket',
    () => {},
    field('HD Ticket', 'custom_platform_routing_reason', 'Small Text', { permlevel: 1 }),
  ],
  // What vouches for a sender.
  [
    'Contacts that everybody may create',
    'fault',
    'Contacts: Website users (All) may create',
    () => {},
    { seed: ({ helpdesk }) => void delete helpdesk.closedContacts },
  ],
  [
    'a Contact that a website user owns',
    'warning',
    'Website users own Contacts, with whatever address they gave: Boss (of ',
    ({ helpdesk }) => helpdesk.put('Contact', { name: 'Boss', first_name: 'Boss', owner: demo.portal.name }),
  ],
  [
    'an org id that customers may change',
    'fault',
    'may change custom_platform_orgid',
    () => {},
    { seed: ({ helpdesk }) => void delete helpdesk.protectedFields },
  ],
  [
    'claims that wait since anybody may sign up',
    'warning',
    'Claims: Anybody may sign up at the helpdesk. So claims is hold',
    (world) => world.change('Website Settings', 'Website Settings', { disable_signup: 0 }),
  ],
  [
    'claims that are accepted of anybody',
    'warning',
    'and claims are accepted',
    async (world) => {
      await useRules(world, { claims: 'accept' });
      world.change('Website Settings', 'Website Settings', { disable_signup: 0 });
    },
  ],
  // Teams.
  [
    'a missing team',
    'fault',
    'There is no team "Medium - Grow"',
    () => {},
    { seed: (seed) => removeTeam(seed, 'Medium - Grow') },
  ],
  [
    'a disabled team',
    'fault',
    '"Medium - Scale" is disabled',
    (world) => world.change('HD Team', 'Medium - Scale', { disabled: 1 }),
  ],
  [
    'a team of inactive agents',
    'fault',
    'Nobody in the team "Medium - Scale" can be',
    (world) => sendHome(world, ['an', 'binh', 'chi']),
  ],
  // Webhook.
  ['no webhook', 'fault', 'Webhook: The helpdesk has no webhook', () => {}, { noWebhook: true }],
  ['a disabled webhook', 'fault', 'is disabled.', (world) => webhook(world, { enabled: 0 })],
  [
    'a webhook to elsewhere',
    'fault',
    'leads to https://old.example/in, not to http',
    (world) => webhook(world, { request_url: 'https://old.example/in' }),
  ],
  [
    'a webhook on update',
    'fault',
    'is not as the proxy needs it (webhook_docevent)',
    (world) => webhook(world, { webhook_docevent: 'on_update' }),
  ],
  [
    'an unsigned webhook',
    'fault',
    'proxy needs it (enable_security)',
    (world) => webhook(world, { enable_security: 0 }),
  ],
  [
    'a foreign secret',
    'fault',
    'has a secret other than HELPDESK_WEBHOOK_SECRET',
    (world) => webhook(world, { webhook_secret: 'somebody-elses-one' }),
  ],
  [
    'the previous secret',
    'warning',
    'still signs with the previous secret',
    (world) => webhook(world, { webhook_secret: secrets.previous }),
  ],
  [
    'a condition',
    'fault',
    'proxy needs it (condition): tickets are left out',
    (world) => webhook(world, { condition: 'doc.priority == "High"' }),
  ],
  [
    'another body',
    'fault',
    'is not as the proxy needs it (webhook_json)',
    (world) => webhook(world, { webhook_json: '{"id": "{{ doc.name }}"}' }),
  ],
  [
    'failed deliveries',
    'warning',
    "The helpdesk's last attempt to deliver to the proxy has failed. Its error: SSLError: no such authority",
    (world) => failDelivery(world),
  ],
  // Script.
  [
    'a script on a site without scripts',
    'fault',
    'is enabled: no ticket can be created',
    (world) => putScript(world, { runs: false }),
  ],
  [
    'a script that is disabled though its secret is set',
    'warning',
    'is disabled, though HELPDESK_SCRIPT_SECRET is set',
    (world) => putScript(world, { disabled: 1 }),
  ],
  [
    'a script to elsewhere',
    'fault',
    'is not what "deskside provision" writes',
    (world) => putScript(world, { text: (t) => t.replace(world.publicUrl, 'https://x.example') }),
  ],
  [
    'a script with the previous secret',
    'warning',
    'still sends the previous secret',
    (world) => {
      putScript(world);
      set(world, 'HELPDESK_SCRIPT_SECRET', `the-new-one-of-the-script,${secrets.script}`);
    },
  ],
  // Sign-in.
  [
    'an unknown client',
    'fault',
    'has no OAuth client with the id',
    (world) => set(world, 'OAUTH_CLIENT_IDS', '{"chrome":"gone"}'),
  ],
  [
    'a client that leads elsewhere',
    'warning',
    'for chrome is not as "deskside provision" makes it: redirect_uris.',
    (world) => register(world, 'https://x.example/cb'),
  ],
  [
    'a client for everybody',
    'warning',
    'People who are not of the desk may sign in.',
    (world) => register(world, null),
  ],
  // CRM.
  ['the CRM switched off', 'warning', 'CRM: CRM_ENABLED is off', (world) => set(world, 'CRM_ENABLED', '0')],
  [
    'no webhook for the CRM',
    'fault',
    'CRM: CRM_WEBHOOK_URL is not set',
    ({ environment }) => delete environment.CRM_WEBHOOK_URL,
  ],
  [
    'no webhook for owners',
    'warning',
    'lacks the scope user_basic: the account owner is not shown',
    ({ environment }) => delete environment.CRM_RESPONSIBLE_WEBHOOK_URL,
  ],
  [
    'nobody at the CRM',
    'fault',
    'The CRM in CRM_WEBHOOK_URL does not respond (127.0.0.1:1, ECONNREFUSED).',
    (world) => moveCrm(world, 'http://127.0.0.1:1'),
  ],
  [
    'a portal whose certificate nobody vouches for',
    'fault',
    'The certificate of the CRM in CRM_WEBHOOK_URL is not from an authority',
    async (world) => moveCrm(world, await serveSelfSigned()),
  ],
  [
    'a revoked webhook',
    'fault',
    'refuses the webhook in CRM_WEBHOOK_URL',
    ({ crm }) => (crm.fault = (call) => (call.webhook === 'crm_only' ? 'no_auth' : null)),
  ],
  [
    'one webhook for both, revoked',
    'fault',
    'refuses the webhook in CRM_WEBHOOK_URL',
    (world) => useOneWebhook(world, 'no_auth'),
  ],
  [
    'a revoked webhook for owners',
    'fault',
    'refuses the webhook in CRM_RESPONSIBLE_WEBHOOK_URL',
    ({ crm }) => (crm.fault = (call) => (call.webhook === 'responsible' ? 'no_auth' : null)),
  ],
  ['a portal of pages', 'fault', 'answers with a web page (bad_answer)', ({ crm }) => (crm.fault = 'html')],
  [
    'a portal that says nothing of use',
    'fault',
    'answers not as a Bitrix24 portal should (bad_answer)',
    ({ crm }) => (crm.fault = 'null_result'),
  ],
  [
    'a field by which the CRM does not filter',
    'fault',
    'does not filter companies by UF_CRM_COMPANY_ID (type address, several values)',
    ({ crm }) => crm.fieldTypes.set('UF_CRM_COMPANY_ID', { type: 'address', multiple: true }),
  ],
  [
    'a webhook without crm',
    'fault',
    'lacks the scope crm (it has: tasks)',
    ({ crm }) => (crm.scopes.crm_only = ['tasks']),
  ],
  [
    'a webhook with user_brief',
    'warning',
    'CRM_RESPONSIBLE_WEBHOOK_URL lacks the scope user_basic',
    ({ crm }) => (crm.scopes.responsible = ['user_brief']),
  ],
  [
    'no field to search by',
    'fault',
    'Companies have no field UF_CRM_PLATFORM_ORG_ID, which look-ups',
    ({ crm }) => crm.absentFields.add('UF_CRM_PLATFORM_ORG_ID'),
  ],
  [
    'a mapped field that is not there',
    'warning',
    'UF_CRM_STORENAME; the panel leaves those lines out',
    ({ crm }) => crm.absentFields.add('UF_CRM_STORENAME'),
  ],
  [
    'segments that nobody mapped',
    'warning',
    'counts as Vừa: all tickets go to the SME team',
    (world) => useRules(world, { medium_segments: ['Vừa'] }),
  ],
  [
    'an owner without rights',
    'warning',
    'sees no companies',
    () => {},
    { seed: ({ crm }) => void crm.companies.splice(0) },
  ],
];

describe('each planted fault is named, and nothing else', () => {
  test.each(planted)('%s', async (_, level, found, plant, before) => {
    const world = await clinic(before);
    await plant(world);
    const report = await world.examine();
    expect(saidAt(report, 'fault', 'warning')).toEqual([expect.stringContaining(found)]);
    expect(isHealthy(report)).toBe(level === 'warning');
    const todo = report.flatMap(({ said }) => said).filter((one) => one.level === level);
    for (const one of todo) expect(one.todo).not.toBe('');
  });
});

test('a helpdesk whose certificate nobody vouches for', async () => {
  const world = await clinic();
  set(world, 'HELPDESK_URL', await serveSelfSigned());
  expect(saidAt(await world.examine(), 'fault')).toContainEqual(
    'Helpdesk: The certificate of the helpdesk is not from an authority that Deskside trusts.',
  );
});

test('teams that are kept apart, with the service account in one that ignores it', async () => {
  const world = await clinic();
  world.helpdesk.settings.restrictTicketsByAgentGroup = true;
  const users = [{ user: demo.service.name }];
  world.helpdesk.put('HD Team', { name: 'Deskside', team_name: 'Deskside', ignore_restrictions: 1, users });
  expect(wrongIn(await world.examine())).toEqual([]);
  world.change('HD Team', 'Deskside', { disabled: 1 });
  expect(wrongIn(await world.examine())).toEqual(['Service account']);
});

test('a refused or powerless administrator’s key is said, and the rest is looked at', async () => {
  const world = await clinic();
  world.change('HD Team', 'CS 60p', { disabled: 1 });
  expect(wrongIn(await world.examine('nobody:knows-this'))).toEqual(['Teams', "Administrator's key"]);
  const { apiKey, apiSecret } = demo.agent;
  expect(wrongIn(await world.examine(`${apiKey}:${apiSecret}`))).toEqual(['Teams', "Administrator's key"]);
});

test('records that cannot be read are said to be unchecked, and the rest is looked at', async () => {
  const world = await clinic();
  await writeFile(path.join(world.data, 'state.db'), 'not a database, but as long as the header of one would be', {
    mode: 0o600,
  });
  const report = await world.examine();
  expect(wrongIn(report)).toEqual([]);
  expect(saidAt(report, 'unchecked')).toContain('Ticket page: Our own records cannot be read (SQLITE_NOTADB).');
});

test('a helpdesk that hangs does not keep the CRM from being looked at', async () => {
  const { helpdesk, crm, examine } = await clinic();
  helpdesk.fault = () => 'hang';
  crm.scopes.responsible = [];
  expect(wrongIn(await examine(undefined, 6_000))).toEqual(['Helpdesk', 'Account owners']);
});

test('several faults are named together', async () => {
  const world = await clinic({ seed: (seed) => removeTeam(seed, 'CS 60p') });
  webhook(world, { enabled: 0, enable_security: 0, request_url: 'https://old.example/' });
  world.crm.fault = 'unauthorized';
  expect(wrongIn(await world.examine())).toEqual(['Teams', 'Webhook', 'Webhook', 'Webhook', 'CRM', 'Account owners']);
});
