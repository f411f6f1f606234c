import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { demo, type HelpdeskUserSeed, makeSeed } from '@deskside/simulators/seed/index';
import { slicesOf } from '@deskside/testing/slices-of';
import { describe, expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '#net/testing/self-signed.ts';
import { desiredScript, scriptName, scriptText } from '#setup/needs/before-insert-script.ts';
import { webhookName } from '#setup/needs/webhook.ts';
import { type CheckReport, fault, isHealthy, jsonReport, ok, printReport, unchecked, warning } from '#setup/report.ts';
import { type Clinic, clinic, saidAt, secrets, sendHome, useRules } from '#setup/testing/doctor-kit.ts';
import { openStore } from '#store/database.ts';
import * as notes from '#store/notes.ts';

const checks = [
  ...['Address', 'Settings', 'Files', 'Backup', 'Last webhook', 'Ticket page'],
  ...['Helpdesk', 'Service account', 'Fields', 'Contacts', 'Customers', 'Teams'],
  ...['Claims', 'Shares', 'Webhook', 'Before Insert script', 'Other automation', 'Sign-in'],
  ...['CRM', 'Account owners', 'CRM fields', 'Clocks'],
];

test.each(['1.24', '1.28'] as const)(
  'as "provision" leaves it, with the optional script too, Helpdesk %s has no fault, and nothing is changed',
  async (generation) => {
    const world = await clinic(generation);
    putScript(world);
    world.crm.clearJournal();
    const report = await world.examine();
    expect(saidAt(report, 'fault', 'warning', 'unchecked')).toEqual([]);
    expect(report.map(({ check }) => check).toSorted()).toEqual(checks.toSorted());
    expect(world.helpdesk.journal.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(new Set(world.crm.journal.map(({ method }) => method))).toEqual(
      new Set(['scope', 'server.time', 'crm.company.fields', 'crm.company.list']),
    );
  },
);

type Plant = (world: Clinic) => unknown;

/** By the check that says so, and what it says, of which a `!` in front makes a warning. None hides what another says: the nth of each are planted together. */
const findings: Record<string, Record<string, Plant>> = {
  Address: { 'What answers at 127.0.0.1': ({ atPublicUrl }) => (atPublicUrl.body = 'x') },
  'Last webhook': { 'HELPDESK_WEBHOOK_SECRET is not set': set('HELPDESK_WEBHOOK_SECRET', '') },
  Fields: {
    'lacks custom_shopplan;': (world) => world.api('DELETE', 'Custom Field/HD Ticket-custom_shopplan'),
    'custom_customer_segment is a Select without Medium': field('HD Ticket-custom_customer_segment', {
      fieldtype: 'Select',
      options: '\nSME\nEnterprise',
    }),
    'may not read and write custom_platform_routing_reason (level 1) of HD Ticket': field(
      'HD Ticket-custom_platform_routing_reason',
      { permlevel: 1 },
    ),
    'refuses what Deskside writes to 61999: HD Ticket needs Product.': async ({ environment }) => {
      const { db, close } = await openStore(environment.DATABASE_URL ?? '');
      const stamp = '2026-11-18 09:00:00.000000';
      const refusal = { refusal: 'HD Ticket needs Product', fields: ['custom_product'] };
      await notes.noteRefusal(db, { name: '61999', creation: stamp, modified: stamp, ...refusal }, Date.now());
      await notes.noteBackup(db, Date.now());
      await close();
    },
    'HD Customer needs Industry, which Deskside does not fill': (world) => {
      const industry = { fieldname: 'custom_industry', fieldtype: 'Data', label: 'Industry', reqd: 1 };
      return world.api('POST', 'Custom Field', { dt: 'HD Customer', ...industry });
    },
  },
  Contacts: {
    'Website users (All) may create': letAllCreateContacts,
    'Everybody with an account may rename it to an address that has none': (world) =>
      world.change('Property Setter', 'User-main-allow_rename', { value: '1' }),
    '!Website users own Contacts, with whatever address they gave: Boss (of ': ({ helpdesk }) =>
      helpdesk.put('Contact', { name: 'Boss', first_name: 'Boss', owner: demo.portal.name }),
  },
  Customers: {
    'may change custom_platform_orgid': field('HD Customer-custom_platform_orgid', { permlevel: 0 }),
    'Website users (HD Customer) may share any HD Ticket': letMembersShare('HD Ticket'),
    'Website users (HD Customer) may share any HD Customer': letMembersShare('HD Customer'),
  },
  Claims: {
    '!Anybody may sign up at the helpdesk. So claims is hold': openSignUp,
    '!Claims are accepted all the same': async (world) => {
      await useRules(world, { claims: 'accept' });
      openSignUp(world);
    },
    '!Nobody may sign up at the helpdesk by themselves. Anybody may create tickets without an account': async (
      world,
    ) => {
      await useRules(world, { claims: 'accept' });
      world.change('HD Settings', 'HD Settings', { allow_anyone_to_create_tickets: 1 });
    },
  },
  Shares: {
    '!are shared with website users, who read them whoever they belong to: HD Ticket 1 (with everyone), HD Ticket 2 (with ':
      ({ helpdesk }) => {
        const share = { share_doctype: 'HD Ticket', read: 1 };
        helpdesk.put('DocShare', { name: 'a', ...share, share_name: '1', everyone: 1 });
        helpdesk.put('DocShare', { name: 'b', ...share, share_name: '2', user: demo.portal.name });
        helpdesk.put('DocShare', { name: 'c', ...share, share_name: '3', user: demo.agent.name });
      },
    '!An update of Helpdesk has changed role permissions that this site has its own for, so they are not in force: Contact for HD Partner: read became no row':
      ({ helpdesk }) => {
        const row = { role: 'HD Partner', permlevel: 0, if_owner: false, rights: ['read'] };
        const noted = { had_own_rows: true, rows: [], fields: [], levels: [], standard: [row] };
        const about = {
          reference_doctype: 'DocType',
          reference_name: 'Contact',
          subject: 'Deskside: what was changed',
        };
        helpdesk.put('Comment', { name: 'n', ...about, content: JSON.stringify(noted) });
        helpdesk.put('Custom DocPerm', { name: 'p', parent: 'Contact', role: 'HD Partner', permlevel: 0, read: 1 });
      },
  },
  Teams: {
    'There is no team "Nowhere"': (world) => useRules(world, { teams: { medium_grow: 'Nowhere' } }),
    '"Medium - Scale" is disabled': (world) => world.change('HD Team', 'Medium - Scale', { disabled: 1 }),
    'Nobody in the team "Medium - Scale" can be': (world) => sendHome(world, ['an', 'binh', 'chi']),
  },
  Webhook: {
    'The helpdesk has no webhook': webhook({ webhook_doctype: 'HD Team' }),
    'tickets are left out or refused: enabled is 0': webhook({ enabled: 0 }),
    'request_url is https://old.example/in': webhook({ request_url: 'https://old.example/in' }),
    'webhook_docevent is on_update, condition is doc.priority == "High", enable_security is 0, webhook_json is {':
      webhook({
        ...{ webhook_docevent: 'on_update', condition: 'doc.priority == "High"' },
        ...{ enable_security: 0, webhook_json: '{"id": "{{ doc.name }}"}' },
      }),
    'its secret is not HELPDESK_WEBHOOK_SECRET': webhook({ webhook_secret: 'somebody-elses-one' }),
    '!last attempt to deliver to the proxy has failed. Its error: SSLError: no such authority': ({
      helpdesk,
      publicUrl,
    }) => {
      const log = { webhook: webhookName, reference_document: '1', url: publicUrl };
      helpdesk.put('Webhook Request Log', { name: 'delivered', ...log, error: '' });
      helpdesk.put('Webhook Request Log', {
        name: 'failed',
        ...log,
        error: 'Traceback\nSSLError: no such authority',
      });
    },
  },
  'Before Insert script': {
    'is enabled: no ticket can be created': (world) => putScript(world, { runs: false }),
    '!is disabled, though HELPDESK_SCRIPT_SECRET is set: tickets are routed after': (world) =>
      world.helpdesk.put('Server Script', { name: scriptName, ...desiredScript, disabled: 1 }),
    'is not what "deskside provision" writes': (world) =>
      putScript(world, { text: (t) => t.replace(world.publicUrl, 'https://x.example') }),
  },
  'Sign-in': {
    'has no OAuth client with the id': set('OAUTH_CLIENT_IDS', '{"chrome":"gone"}'),
    '!for chrome is not as "deskside provision" makes it: redirect_uris is https://x.example/cb.': (world) =>
      world.change('OAuth Client', 'deskside-chrome', { redirect_uris: 'https://x.example/cb' }),
    '!People who are not of the desk may sign in.': (world) =>
      world.change('OAuth Client', 'deskside-chrome', { allowed_roles: [] }),
  },
  'Account owners': {
    '!lacks the scope user_basic: the account owner is not shown': ({ environment }) =>
      delete environment.CRM_RESPONSIBLE_WEBHOOK_URL,
    '!CRM_RESPONSIBLE_WEBHOOK_URL lacks the scope user_basic': ({ crm }) => (crm.scopes.responsible = ['user_brief']),
    'refuses the webhook in CRM_RESPONSIBLE_WEBHOOK_URL': ({ crm }) =>
      (crm.fault = ({ webhook }) => (webhook === 'responsible' ? 'no_auth' : null)),
  },
  'CRM fields': {
    'does not filter companies by UF_CRM_COMPANY_ID (type address, several values)': ({ crm }) =>
      crm.fieldTypes.set('UF_CRM_COMPANY_ID', { type: 'address', multiple: true }),
    'Companies have no field UF_CRM_PLATFORM_ORG_ID, which look-ups': ({ crm }) =>
      crm.absentFields.add('UF_CRM_PLATFORM_ORG_ID'),
    '!UF_CRM_STORENAME; the panel leaves those lines out': ({ crm }) => crm.absentFields.add('UF_CRM_STORENAME'),
    '!has no item 99, 4711 any more': (world) =>
      useRules(world, { crm_fields: { segments: { 99: 'Cũ', 4711: 'Cũ', 15092: 'Medium' } } }),
    '!counts as Vừa: all tickets go to the SME team': (world) => useRules(world, { medium_segments: ['Vừa'] }),
  },
  Clocks: {
    "helpdesk's clock is 5 min fast": ({ clocks }) => Object.assign(clocks, { ours: -300_000, crm: -300_000 }),
    "CRM's clock is 5 min slow": ({ clocks }) => (clocks.crm = -300_000),
  },
};

/** What keeps the other checks of the helpdesk, or of the CRM, from saying what they should: one of each at a time. */
const alone: Record<'helpdesk' | 'crm', Record<string, Record<string, Plant>>> = {
  helpdesk: {
    Helpdesk: {
      'The helpdesk does not respond. ': (world) => moveHelpdesk(world, 'http://127.0.0.1:1'),
      'The server is not a Frappe': ({ helpdesk }) => (helpdesk.fault = () => 'html'),
    },
    Settings: { '!OAUTH_CLIENT_IDS is not set': set('OAUTH_CLIENT_IDS', '') },
    'Ticket page': {
      '!Extension 0.1.0 has not found "ticket_header"': async ({ environment }) => {
        const { db, close } = await openStore(environment.DATABASE_URL ?? '');
        const missing = { anchor: 'ticket_header', extension: '0.1.0', helpdesk: null, at: Date.now() };
        await notes.noteBackup(db, Date.now());
        await notes.noteMissingAnchor(db, missing, 0);
        await close();
      },
    },
    'Service account': {
      'may not create or write customers': serveAs(demo.agent),
      '!the proxy does not need that': serveAs(demo.administrator),
      'is in no team that is exempt': ({ helpdesk }) => (helpdesk.settings.restrictTicketsByAgentGroup = true),
      "refuses the service account's key: it is another one, or its user is disabled": set(
        'HELPDESK_API_SECRET',
        'not-the-secret',
      ),
      'is not an agent': serveAs(demo.sysonly),
    },
  },
  crm: {
    CRM: {
      '!CRM_ENABLED is off': set('CRM_ENABLED', '0'),
      'CRM_WEBHOOK_URL is not set': set('CRM_WEBHOOK_URL', ''),
      'The CRM in CRM_WEBHOOK_URL does not respond (127.0.0.1:1, ECONNREFUSED).': (world) =>
        moveCrm(world, 'http://127.0.0.1:1'),
      'The certificate of the CRM in CRM_WEBHOOK_URL is not from an authority': async (world) =>
        moveCrm(world, await serveSelfSigned()),
      'refuses the webhook in CRM_WEBHOOK_URL: it was deleted': ({ crm }) =>
        (crm.fault = ({ webhook }) => (webhook === 'crm_only' ? 'no_auth' : null)),
      'answers with a web page (bad_answer)': ({ crm }) => (crm.fault = 'html'),
      'answers not as a Bitrix24 portal should (bad_answer)': ({ crm }) => (crm.fault = 'null_result'),
      'takes no more requests just now (overloaded)': ({ crm }) => (crm.fault = 'overload'),
      'lacks the scope crm (it has: tasks)': ({ crm }) => (crm.scopes.crm_only = ['tasks']),
      '!sees no companies': ({ crm }) => makeSeed().crm.companies.map(({ ID }) => crm.removeCompany(ID)),
    },
  },
};

const flat = (table: Record<string, Record<string, Plant>>) =>
  Object.entries(table).flatMap(([check, plants]) =>
    Object.entries(plants).map(([text, plant], nth) => {
      return { level: text.startsWith('!') ? 'warning' : 'fault', found: text.replace('!', ''), check, plant, nth };
    }),
  );
const [ofHelpdesk, ofCrm] = [flat(alone.helpdesk), flat(alone.crm)];
const cases = [
  ...Object.values(Object.groupBy(flat(findings), ({ nth }) => String(nth))).map((faults = []) => faults),
  ...ofCrm.map((one, nth) => [...ofHelpdesk.slice(nth, nth + 1), one]),
];

test.each(cases.map((faults) => ({ faults, names: faults.map(({ found }) => found).join('; ') })))(
  'each fault is named, and nothing else: $names',
  async ({ faults }) => {
    const world = await clinic();
    for (const { plant } of faults) await plant(world);
    const report = await world.examine();
    const said = report.flatMap(({ check, said }) => said.map((one) => ({ check, ...one })));
    const wrong = said.filter(({ level }) => level === 'fault' || level === 'warning');
    const named = wrong.map(({ check, level, text }) => {
      const one = faults.find(
        (planted) => planted.check === check && planted.level === level && text.includes(planted.found),
      );
      return one?.found ?? `${level} of ${check}: ${text}`;
    });
    expect(named.toSorted()).toEqual(faults.map(({ found }) => found).toSorted());
    expect(isHealthy(report)).toBe(faults.every(({ level }) => level === 'warning'));
    for (const { todo } of wrong) expect(todo).not.toBe('');
  },
);

test('teams that are kept apart, with the service account in one that ignores it', async () => {
  const world = await clinic();
  world.helpdesk.settings.restrictTicketsByAgentGroup = true;
  const users = [{ user: demo.service.name }];
  world.helpdesk.put('HD Team', { name: 'Deskside', team_name: 'Deskside', ignore_restrictions: 1, users });
  expect(wrongIn(await world.examine())).toEqual([]);
  world.change('HD Team', 'Deskside', { disabled: 1 });
  expect(wrongIn(await world.examine())).toEqual(['Service account']);
});

test('an administrator’s key that is missing, refused or powerless is said, and the rest is looked at', async () => {
  const world = await clinic();
  world.change('HD Team', 'CS 60p', { disabled: 1 });
  const without = await world.examine(null);
  expect(wrongIn(without)).toEqual(['Teams']);
  expect(saidAt(without, 'unchecked')).toEqual([expect.stringContaining('--admin-key-file')]);
  expect(wrongIn(await world.examine('nobody:knows-this'))).toEqual(['Teams', "Administrator's key"]);
  const agent = await world.examine(`${demo.agent.apiKey}:${demo.agent.apiSecret}`);
  expect(wrongIn(agent)).toEqual(['Teams', "Administrator's key"]);
  const sysonly = await world.examine(`${demo.admin.apiKey}:${demo.admin.apiSecret}`);
  expect(wrongIn(sysonly)).toEqual(['Teams']);
  expect(saidAt(sysonly, 'unchecked')).toEqual([
    expect.stringMatching(/^Before Insert script: .* role Script Manager/),
  ]);
});

test('records that cannot be read are said to be unchecked, and the rest is looked at', async () => {
  const world = await clinic();
  const text = 'not a database, but as long as the header of one would be';
  await writeFile(path.join(world.data, 'state.db'), text, { mode: 0o600 });
  const report = await world.examine();
  expect(wrongIn(report)).toEqual([]);
  expect(saidAt(report, 'unchecked')).toContain('Ticket page: Our own records cannot be read (SQLITE_NOTADB).');
});

test('a helpdesk that hangs does not keep the CRM from being looked at', async () => {
  const { helpdesk, crm, examine } = await clinic();
  helpdesk.fault = () => 'hang';
  crm.scopes.responsible = [];
  expect(wrongIn(await examine(undefined, 1_000))).toEqual(['Helpdesk', 'Account owners']);
});

describe('the report', () => {
  const crm = (...said: CheckReport['said']): CheckReport => ({ check: 'CRM', said });
  const lacking = warning('A field is not there.', 'Map it.');
  const silent = fault('It does not answer.', 'Look.');

  test.each([
    [[crm(ok('Fine.'))], true, 'Nothing is wrong.'],
    [[crm(unchecked('This.'))], true, 'Nothing is wrong in what was checked.'],
    [[crm(lacking)], true, '0 faults, 1 warning.'],
    [[crm(lacking, silent), crm(silent)], false, '2 faults, 1 warning.'],
  ])('the last line %#', (report, healthy, last) => {
    expect(isHealthy(report)).toBe(healthy);
    expect(printReport(report).split('\n').at(-1)).toBe(last);
  });

  test('each finding has a line and what to do; what is fine and what was not looked at are told apart', () => {
    const report = [crm(silent, ok('Fine.'), unchecked('That.'))];
    const lines = ['CRM', '  ✗ It does not answer.', '    → Look.', '  ✓ Fine.', '  – not checked: That.'];
    expect(printReport(report).split('\n').slice(0, 5)).toEqual(lines);
    const said = { check: 'CRM', level: 'fault', text: 'It does not answer.', todo: 'Look.' };
    expect(JSON.parse(jsonReport(report, { ticket: null }))).toMatchObject({
      healthy: false,
      said: [said, {}, {}],
      ticket: null,
    });
  });
});

test('whatever is wrong, no secret is said', async () => {
  const world = await clinic();
  const { helpdesk, crm } = world;
  const whole = [demo.service.apiSecret, demo.administrator.apiSecret];
  const needles = [...slicesOf([...crm.secrets, ...Object.values(secrets)]), ...whole];
  const leaks = (text: string) => needles.filter((needle) => text.includes(needle));
  putScript(world, { text: (text) => text.replace(secrets.script, secrets.previous) });
  webhook({ webhook_secret: secrets.script, request_url: crm.webhookUrl })(world);
  const first = await world.examine();
  expect(wrongIn(first)).toEqual(['Webhook', 'Before Insert script']);
  expect(leaks(JSON.stringify(first))).toEqual([]);
  helpdesk.fault = () => 500;
  for (const fault of ['cut', 'html', 'unauthorized', 'redirect'] as const) {
    crm.fault = fault;
    expect(leaks(JSON.stringify(await world.examine()))).toEqual([]);
  }
});

/** The checks that found something wrong, as often as they did. */
function wrongIn(report: readonly CheckReport[]): string[] {
  return saidAt(report, 'fault', 'warning').map((text) => text.split(':')[0] ?? '');
}

/** A server at https://localhost with a certificate of its own making. */
async function serveSelfSigned(): Promise<string> {
  const server = createServer(selfSigned(['localhost']), (_, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

/** Another value of a variable of the proxy. */
function set(variable: string, value: string) {
  return ({ environment }: Clinic) => (environment[variable] = value);
}

/** Another account as the service account. */
function serveAs({ apiKey, apiSecret }: HelpdeskUserSeed) {
  return ({ environment }: Clinic) =>
    Object.assign(environment, { HELPDESK_API_KEY: apiKey, HELPDESK_API_SECRET: apiSecret });
}

/** Another address of the helpdesk, which what answers at PUBLIC_URL serves as well. */
function moveHelpdesk({ environment, atPublicUrl, helpdesk }: Clinic, url: string): void {
  environment.HELPDESK_URL = url;
  atPublicUrl.body = atPublicUrl.body.replace(helpdesk.url, url);
}

/** Both webhooks on another portal. */
function moveCrm({ environment }: Clinic, portal: string): void {
  environment.CRM_WEBHOOK_URL = `${portal}/rest/57/abcdefghijklmnop/`;
  environment.CRM_RESPONSIBLE_WEBHOOK_URL = `${portal}/rest/57/ponmlkjihgfedcba/`;
}

/** A custom field is otherwise. */
function field(name: string, changes: object) {
  return (world: Clinic) => world.api('PUT', `Custom Field/${name}`, changes);
}

function letAllCreateContacts(world: Clinic): Promise<void> {
  const key = { parent: 'Contact', parenttype: 'DocType', parentfield: 'permissions' };
  return world.api('POST', 'Custom DocPerm', { ...key, role: 'All', permlevel: 0, if_owner: 0, read: 1, create: 1 });
}

function letMembersShare(parent: string) {
  const key = { parent, parenttype: 'DocType', parentfield: 'permissions', role: 'HD Customer', permlevel: 0 };
  return (world: Clinic) => world.api('POST', 'Custom DocPerm', { ...key, if_owner: 1, read: 1, share: 1 });
}

function openSignUp(world: Clinic): void {
  world.change('Website Settings', 'Website Settings', { disable_signup: 0 });
}

/** Our webhook is otherwise. */
function webhook(fields: Record<string, unknown>) {
  return (world: Clinic) => world.change('Webhook', webhookName, fields);
}

/** Our script, changed by `text`, on a site that runs scripts or not. */
function putScript(world: Clinic, { text = (t: string) => t, runs = true } = {}): void {
  const script = text(scriptText(world.publicUrl, secrets.script));
  world.helpdesk.settings.serverScriptEnabled = runs;
  world.helpdesk.put('Server Script', { name: scriptName, ...desiredScript, disabled: 0, script });
}
