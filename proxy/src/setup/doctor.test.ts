import { chmod, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { startReceiver } from '@deskside/simulators/helpdesk/testing/receiver';
import { demo, type Seed } from '@deskside/simulators/seed/index';
import { describe, expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '#net/testing/self-signed.ts';
import { webhookName } from './desired-state.ts';
import { type FaultCode, faults } from './doctor/finding.ts';
import { runProvision } from './provision-command.ts';
import {
  answer,
  customField,
  failDelivery,
  keepSignUp,
  missAnchor,
  moveCrm,
  moveTo,
  neglectBackups,
  openAccountLinks,
  putScript,
  register,
  removeTeam,
  sendHome,
  serveAs,
  set,
  shorten,
  useFileAsFolder,
  useOneWebhook,
  useRules,
  webhook,
} from './testing/doctor-faults.ts';
import {
  adminKey,
  type Clinic,
  type ClinicOptions,
  clinic,
  codesOf,
  publicUrl,
  secrets,
  uncheckedIn,
} from './testing/doctor-kit.ts';

describe.each(['1.24', '1.28'] as const)('a world as "provision" leaves it, Helpdesk %s', (generation) => {
  test('has no fault, with the optional script too, and nothing of it is changed', async () => {
    const world = await clinic({ generation });
    putScript(world);
    world.crm.clearJournal();
    const report = await world.examine();
    expect(codesOf(report)).toEqual([]);
    expect(report.healthy).toBe(true);
    expect(uncheckedIn(report)).toBe('');
    expect(report.verdicts.flatMap(({ passed }) => passed).length).toBeGreaterThan(8);
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
  const { environment, helpdesk, examine } = await clinic({ seed: bare, noWebhook: true });
  environment.OAUTH_CLIENT_IDS = '';
  // Stands in for the proxy, which the script is tried against.
  const receiver = await startReceiver(() => ({ status: 200, body: '{"success":true,"data":{"fields":{}}}' }));
  onTestFinished(() => receiver.close());
  environment.PUBLIC_URL = receiver.url;
  const missing: FaultCode[] = [
    'oauth_clients_not_set',
    'field_missing',
    'field_missing',
    'contacts_open',
    'webhook_missing',
  ];
  expect(codesOf(await examine())).toEqual(missing);
  const printed: string[] = [];
  const io = {
    print: (text: string) => printed.push(text),
    printError: (text: string) => printed.push(text),
    ask: null,
  };
  const options = { browsers: 'chrome,edge,firefox', extensionId: [], beforeInsert: true, yes: true };
  const provisioned = { ...environment, HELPDESK_URL: helpdesk.url, DESKSIDE_ADMIN_KEY: adminKey };
  expect(await runProvision(options, { file: null, variables: provisioned }, io), printed.join('\n')).toBe(0);
  environment.OAUTH_CLIENT_IDS = /OAUTH_CLIENT_IDS='?(\{.*\})/.exec(printed.join('\n'))?.[1] ?? '';
  expect(codesOf(await examine())).toEqual(['backup_old']);
});

test('without an administrator’s key it goes by what "provision" saw of sign-up', async () => {
  const world = await clinic();
  await useRules(world, { claims: 'accept' });
  expect(uncheckedIn(await world.examine(null))).toContain('Claims: Whether anybody may sign up');
  await keepSignUp(world, true);
  const report = await world.examine(null);
  expect(codesOf(report)).toContain('claims_open');
  expect(JSON.stringify(report)).toContain('set \\"claims\\" to \\"hold\\" in the file of rules');
  expect(codesOf(await world.examine())).not.toContain('claims_open');
});

test('without an administrator’s key it says what it could not look at', async () => {
  const world = await clinic();
  world.change('Webhook', webhookName, { enabled: 0 });
  const report = await world.examine(null);
  expect(codesOf(report)).toEqual([]);
  expect(uncheckedIn(report)).toContain('--admin-key-file');
});

test('a System Manager without the role Script Manager: all but the script', async () => {
  const world = await clinic();
  const report = await world.examine(`${demo.admin.apiKey}:${demo.admin.apiSecret}`);
  expect(codesOf(report)).toEqual([]);
  expect(uncheckedIn(report)).toContain('Before Insert script: the key may not read it.');
});

/** A server at https://localhost with a certificate of its own making. */
async function serveSelfSigned(): Promise<string> {
  const server = createServer(selfSigned(['localhost']), (_, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

/** Each fault by itself: planted in the seed before the start, or in the world after it. */
const planted: [what: string, code: FaultCode, plant: (world: Clinic) => unknown, before?: ClinicOptions][] = [
  // The proxy's own settings and machine.
  ['PUBLIC_URL missing', 'public_url_missing', ({ environment }) => delete environment.PUBLIC_URL],
  ['PUBLIC_URL by http', 'public_url_not_https', (world) => moveTo(world, 'http://deskside.example')],
  [
    'a name that does not exist',
    'public_url_unreachable',
    ({ met }) => (met.at = { kind: 'name', message: 'ENOTFOUND' }),
  ],
  ['another page there', 'public_url_foreign', ({ met }) => (met.at = { kind: 'foreign', shows: 'another page' })],
  [
    'another version there',
    'public_url_other_version',
    ({ met }) => (met.at = { kind: 'other_version', theirs: '0.1.0', ours: '0.2.0' }),
  ],
  [
    'a certificate that nobody vouches for there',
    'public_url_certificate',
    ({ met }) => (met.at = { kind: 'certificate', fault: 'untrusted' }),
  ],
  [
    'a certificate there that ends soon',
    'public_url_certificate_ends',
    ({ met }) => (met.at = { kind: 'us', certificateEnds: Date.now() + 13 * 86_400_000 }),
  ],
  ['no webhook secret', 'webhook_secret_not_set', ({ environment }) => delete environment.HELPDESK_WEBHOOK_SECRET],
  ['no client ids', 'oauth_clients_not_set', ({ environment }) => delete environment.OAUTH_CLIENT_IDS],
  ['a data folder that is a file', 'data_folder_unusable', (world) => useFileAsFolder(world)],
  ['a data folder open to all', 'data_folder_exposed', ({ data }) => chmod(data, 0o755)],
  // The helpdesk itself.
  ['nobody at HELPDESK_URL', 'helpdesk_unreachable', (world) => set(world, 'HELPDESK_URL', 'http://127.0.0.1:1')],
  [
    'a helpdesk whose certificate nobody vouches for',
    'helpdesk_certificate',
    async (world) => set(world, 'HELPDESK_URL', await serveSelfSigned()),
  ],
  ['a page at HELPDESK_URL', 'helpdesk_not_recognised', ({ helpdesk }) => (helpdesk.fault = () => 'html')],
  ['no Helpdesk among the apps', 'helpdesk_not_recognised', (world) => answer(world, 'get_versions', {})],
  ['an old Helpdesk', 'helpdesk_version_old', (w) => answer(w, 'get_versions', { helpdesk: { version: '1.9.3' } })],
  ['a zone of nowhere', 'time_zone_unknown', (w) => answer(w, 'get_time_zone', { time_zone: 'Mars/Olympus' })],
  ['a helpdesk 5 minutes fast', 'helpdesk_clock_off', ({ front }) => (front.aheadMs = 300_000)],
  ['a CRM 5 minutes slow', 'crm_clock_off', () => {}, { crmAheadMs: -300_000 }],
  [
    'a clock of ours 5 minutes slow',
    'own_clock_off',
    ({ front }) => (front.aheadMs = 300_000),
    { crmAheadMs: 300_000 },
  ],
  // The accounts.
  ['a wrong service key', 'service_key_refused', (world) => set(world, 'HELPDESK_API_SECRET', 'not-the-secret')],
  ['a service account that is no agent', 'service_not_agent', (world) => serveAs(world, demo.sysonly)],
  [
    'a service account without Agent Manager',
    'customers_not_writable',
    (world) => serveAs(world, demo.agent),
    { seed: ({ helpdesk }) => void delete helpdesk.protectedFields },
  ],
  ['Administrator as service account', 'service_is_administrator', (world) => serveAs(world, demo.administrator)],
  [
    'restricted tickets',
    'service_restricted',
    ({ helpdesk }) => (helpdesk.settings.restrictTicketsByAgentGroup = true),
  ],
  // Fields.
  ['a missing field', 'field_missing', () => {}, customField('HD Ticket', 'custom_shopplan', null)],
  ['no field for the store', 'field_missing', () => {}, customField('HD Ticket', 'custom_store_url', null)],
  ['no field for the domain', 'field_missing', () => {}, customField('HD Ticket', 'custom_myplatform_domain', null)],
  ['a number for an org id', 'field_org_id_int', () => {}, customField('HD Customer', 'custom_platform_orgid', 'Int')],
  [
    'a number for a time',
    'field_type_unsuitable',
    () => {},
    customField('HD Ticket', 'custom_crm_not_found_at', 'Int'),
  ],
  [
    'a Select without a choice',
    'field_options_missing',
    () => {},
    customField('HD Ticket', 'custom_customer_segment', 'Select', { options: '\nSME\nEnterprise' }),
  ],
  [
    'a Select for free text',
    'field_options_fixed',
    () => {},
    customField('HD Customer', 'custom_shopplan_name', 'Select', { options: '\nScale 12' }),
  ],
  ['a short field', 'field_too_short', (world) => shorten(world, 'custom_platform_service_plan')],
  [
    'a level that the service may not touch',
    'field_level_closed',
    () => {},
    customField('HD Ticket', 'custom_platform_routing_reason', 'Small Text', { permlevel: 1 }),
  ],
  // What vouches for a sender.
  [
    'Contacts that everybody may create',
    'contacts_open',
    () => {},
    { seed: ({ helpdesk }) => void delete helpdesk.closedContacts },
  ],
  [
    'a Contact that a website user owns',
    'contacts_of_website_users',
    ({ helpdesk }) => helpdesk.put('Contact', { name: 'Boss', first_name: 'Boss', owner: demo.portal.name }),
  ],
  [
    'an org id that customers may change',
    'customer_org_id_open',
    () => {},
    { seed: ({ helpdesk }) => void delete helpdesk.protectedFields },
  ],
  [
    'platform accounts that customers may write',
    'account_links_open',
    (world) => useRules(world, { account_link: { doctype: 'Platform Account Link' } }),
    { seed: (seed) => openAccountLinks(seed) },
  ],
  [
    'claims that wait since anybody may sign up',
    'claims_held',
    (world) => world.change('Website Settings', 'Website Settings', { disable_signup: 0 }),
  ],
  [
    'claims that are accepted of anybody',
    'claims_open',
    async (world) => {
      await useRules(world, { claims: 'accept' });
      world.change('Website Settings', 'Website Settings', { disable_signup: 0 });
    },
  ],
  // Teams.
  ['a missing team', 'team_missing', () => {}, { seed: (seed) => removeTeam(seed, 'Medium - Grow') }],
  ['a disabled team', 'team_disabled', (world) => world.change('HD Team', 'Medium - Scale', { disabled: 1 })],
  ['a team of inactive agents', 'team_nobody_assignable', (world) => sendHome(world, ['an', 'binh', 'chi'])],
  [
    'a rule with other users',
    'rule_users_differ',
    (world) => world.change('Assignment Rule', 'CS 60p - Support Rotation', { users: [{ user: demo.agent.name }] }),
  ],
  ['no backup since', 'backup_old', (world) => neglectBackups(world)],
  ['an updated ticket page', 'ticket_page_changed', (world) => missAnchor(world)],
  // Webhook.
  ['no webhook', 'webhook_missing', () => {}, { noWebhook: true }],
  ['a disabled webhook', 'webhook_disabled', (world) => webhook(world, { enabled: 0 })],
  ['a webhook to elsewhere', 'webhook_wrong_url', (world) => webhook(world, { request_url: 'https://old.example/in' })],
  ['a webhook on update', 'webhook_wrong_event', (world) => webhook(world, { webhook_docevent: 'on_update' })],
  ['an unsigned webhook', 'webhook_unsigned', (world) => webhook(world, { enable_security: 0 })],
  ['a foreign secret', 'webhook_secret_differs', (world) => webhook(world, { webhook_secret: 'somebody-elses-one' })],
  ['no stored secret', 'webhook_secret_differs', (world) => webhook(world, { webhook_secret: '' })],
  ['the previous secret', 'webhook_secret_previous', (world) => webhook(world, { webhook_secret: secrets.previous })],
  ['a condition', 'webhook_conditional', (world) => webhook(world, { condition: 'doc.priority == "High"' })],
  ['another body', 'webhook_body_differs', (world) => webhook(world, { webhook_json: '{"id": "{{ doc.name }}"}' })],
  ['failed deliveries', 'webhook_deliveries_failing', (world) => failDelivery(world)],
  // Script.
  ['a script on a site without scripts', 'script_blocks_tickets', (world) => putScript(world, { runs: false })],
  [
    'a script to elsewhere',
    'script_wrong_url',
    (w) => putScript(w, { text: (t) => t.replace(publicUrl, 'https://x.example') }),
  ],
  [
    'a script without secret',
    'script_without_secret',
    (w) => putScript(w, { text: (t) => t.replace(/ *headers=.*\n/, '') }),
  ],
  [
    'a script with another secret',
    'script_secret_differs',
    (w) => putScript(w, { text: (t) => t.replace(secrets.script, 'x') }),
  ],
  [
    'a script with the previous secret',
    'script_secret_previous',
    (world) => {
      putScript(world);
      set(world, 'HELPDESK_SCRIPT_SECRET', `the-new-one-of-the-script,${secrets.script}`);
    },
  ],
  [
    'a script that catches nothing',
    'script_catches_nothing',
    (w) => putScript(w, { text: (t) => t.replaceAll('except', 'finally') }),
  ],
  // Sign-in.
  ['an unknown client', 'oauth_client_missing', (world) => set(world, 'OAUTH_CLIENT_IDS', '{"chrome":"gone"}')],
  [
    'a client that leads elsewhere',
    'oauth_client_redirect_differs',
    (world) => register(world, 'https://x.example/cb'),
  ],
  ['a client for everybody', 'oauth_client_open_to_all', (world) => register(world, null)],
  // CRM.
  ['the CRM switched off', 'crm_disabled', (world) => set(world, 'CRM_ENABLED', '0')],
  ['no webhook for the CRM', 'crm_not_configured', ({ environment }) => delete environment.CRM_WEBHOOK_URL],
  ['no webhook for owners', 'responsible_not_configured', (w) => delete w.environment.CRM_RESPONSIBLE_WEBHOOK_URL],
  ['nobody at the CRM', 'crm_unreachable', (world) => moveCrm(world, 'http://127.0.0.1:1')],
  [
    'a portal whose certificate nobody vouches for',
    'crm_certificate',
    async (world) => moveCrm(world, await serveSelfSigned()),
  ],
  [
    'a revoked webhook',
    'crm_webhook_refused',
    ({ crm }) => (crm.fault = (c) => (c.webhook === 'crm_only' ? 'no_auth' : null)),
  ],
  ['one webhook for both, revoked', 'crm_webhook_refused', (world) => useOneWebhook(world, 'no_auth')],
  [
    'a revoked webhook for owners',
    'responsible_webhook_refused',
    ({ crm }) => (crm.fault = (call) => (call.webhook === 'responsible' ? 'no_auth' : null)),
  ],
  ['a portal of pages', 'crm_failing', ({ crm }) => (crm.fault = 'html')],
  [
    'fields that are not described',
    'crm_failing',
    ({ crm }) => (crm.fault = (c) => (c.method === 'crm.company.fields' ? 'server_error' : null)),
  ],
  ['a webhook without crm', 'crm_scope_missing', ({ crm }) => (crm.scopes.crm_only = ['tasks'])],
  ['a webhook without users', 'responsible_scope_missing', ({ crm }) => (crm.scopes.responsible = ['crm'])],
  ['a webhook with user_brief', 'responsible_scope_missing', ({ crm }) => (crm.scopes.responsible = ['user_brief'])],
  ['no field to search by', 'crm_field_missing', ({ crm }) => crm.absentFields.add('UF_CRM_PLATFORM_ORG_ID')],
  ['a mapped field that is not there', 'crm_field_unknown', ({ crm }) => crm.absentFields.add('UF_CRM_STORENAME')],
  ['segments that nobody mapped', 'crm_segments_unknown', (world) => useRules(world, { medium_segments: ['Vừa'] })],
  ['an owner without rights', 'crm_no_companies', () => {}, { seed: ({ crm }) => void crm.companies.splice(0) }],
];

test('who does not respond is named, and why', async () => {
  const world = await clinic();
  moveCrm(world, 'http://127.0.0.1:1');
  const problems = (await world.examine()).verdicts.flatMap(({ findings }) => findings.map(({ problem }) => problem));
  expect(problems).toContain('The CRM in CRM_WEBHOOK_URL does not respond (127.0.0.1:1, ECONNREFUSED).');
});

test('teams of hundreds, more names than one address takes', async () => {
  const world = await clinic();
  const team = world.helpdesk.document('HD Team', 'Medium - Scale');
  const many = Array.from({ length: 300 }, (_, n) => ({ user: `khong.con.lam.viec.o.day.${n}@desk.example` }));
  world.helpdesk.put('HD Team', {
    ...team,
    name: 'Medium - Scale',
    users: [...((team?.users as object[]) ?? []), ...many],
  });
  const report = await world.examine();
  expect([codesOf(report), report.verdicts.flatMap(({ unchecked }) => unchecked)]).toEqual([['rule_users_differ'], []]);
});

test('teams that are kept apart, with the service account in one that ignores it', async () => {
  const world = await clinic();
  world.helpdesk.settings.restrictTicketsByAgentGroup = true;
  const users = [{ user: demo.service.name }];
  world.helpdesk.put('HD Team', { name: 'Deskside', team_name: 'Deskside', ignore_restrictions: 1, users });
  expect(codesOf(await world.examine())).toEqual([]);
  world.change('HD Team', 'Deskside', { disabled: 1 });
  expect(codesOf(await world.examine())).toEqual(['service_restricted']);
});

test('a protected field that the service account may read and write', async () => {
  const world = await clinic(customField('HD Ticket', 'custom_responsible', 'Data', { permlevel: 1 }));
  const manage = (method: string, body: object) =>
    fetch(`${world.helpdesk.url}/api/method/frappe.core.page.permission_manager.permission_manager.${method}`, {
      method: 'POST',
      headers: { authorization: `token ${adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await manage('add', { parent: 'HD Ticket', role: 'Agent', permlevel: 1 });
  const row = { doctype: 'HD Ticket', role: 'Agent', permlevel: 1, value: 1, if_owner: 0 };
  await manage('update', { ...row, ptype: 'read' });
  expect(codesOf(await world.examine(null))).toEqual(['field_level_closed']);
  await manage('update', { ...row, ptype: 'write' });
  for (const key of [null, adminKey]) expect(codesOf(await world.examine(key))).toEqual([]);
});

/** Codes with a test of their own: below, or beside the judgement where planting would take a full disk or another account. */
const elsewhere: FaultCode[] = [
  'admin_key_refused',
  'admin_key_lacks_role',
  'data_folder_foreign',
  'disk_nearly_full',
  'tickets_not_writable',
];

test('every fault that there is a code for is planted', () => {
  const codes = [...elsewhere, ...planted.map(([, code]) => code)];
  expect([...new Set(codes)].sort()).toEqual(Object.keys(faults).sort());
});

describe('each planted fault is named by its own code and nothing else', () => {
  test.each(planted)('%s: %s', async (_, code, plant, before) => {
    const world = await clinic(before);
    await plant(world);
    const report = await world.examine();
    expect(codesOf(report)).toEqual([code]);
    expect(report.healthy).toBe(faults[code] === 'warning');
  });
});

test('a refused or powerless administrator’s key is said, and the rest is looked at', async () => {
  const world = await clinic();
  world.change('HD Team', 'CS 60p', { disabled: 1 });
  expect(codesOf(await world.examine('nobody:knows-this'))).toEqual(['team_disabled', 'admin_key_refused']);
  const { apiKey, apiSecret } = demo.agent;
  expect(codesOf(await world.examine(`${apiKey}:${apiSecret}`))).toEqual(['team_disabled', 'admin_key_lacks_role']);
});

test('records that cannot be read are said to be unchecked, and the rest is looked at', async () => {
  const world = await clinic();
  await writeFile(path.join(world.data, 'state.db'), 'not a database, but as long as the header of one would be', {
    mode: 0o600,
  });
  const report = await world.examine();
  expect(codesOf(report)).toEqual([]);
  expect(uncheckedIn(report)).toContain('Ticket page: Our own records cannot be read (SQLITE_NOTADB).');
});

test('a helpdesk that hangs does not keep the CRM from being looked at', async () => {
  const { helpdesk, crm, examine } = await clinic();
  helpdesk.fault = () => 'hang';
  crm.scopes.responsible = [];
  expect(codesOf(await examine(undefined, 6_000))).toEqual(['helpdesk_unreachable', 'responsible_scope_missing']);
});

test('several faults are named together', async () => {
  const world = await clinic({ seed: (seed) => removeTeam(seed, 'CS 60p') });
  webhook(world, { enabled: 0, enable_security: 0, request_url: 'https://old.example/' });
  world.crm.fault = 'unauthorized';
  expect(codesOf(await world.examine()).sort()).toEqual([
    'crm_webhook_refused',
    'responsible_webhook_refused',
    'team_missing',
    'webhook_disabled',
    'webhook_unsigned',
    'webhook_wrong_url',
  ]);
});
