import { describe, expect, test } from 'vitest';
import { Secret } from '#runtime/secret.ts';
import { differences } from '#setup/compare.ts';
import { customerData, desiredFields, desiredOAuthClient, redirectUriOf } from '#setup/desired-state.ts';
import type { AdminDoctype, AdminField } from '#setup/helpdesk-admin.ts';
import { printPlan } from './apply-plan.ts';
import { planProvision } from './plan.ts';
import { planCustomerGuard } from './plan-customer-guard.ts';
import { planSnapshots, planTeams } from './plan-documents.ts';
import { planFields, planRoleRows } from './plan-fields.ts';
import { changesOf } from './plan-item.ts';
import { planOAuthClient } from './plan-oauth.ts';

const none: AdminDoctype = { fields: new Map(), permissions: [] };
const withFields = (...fields: Partial<AdminField>[]): AdminDoctype => ({
  permissions: [],
  fields: new Map(
    fields.map((field) => {
      const { fieldname = '', fieldtype = 'Data', options = '', permlevel = 0, customField = fieldname } = field;
      return [fieldname, { fieldname, fieldtype, options, length: 0, permlevel, customField }];
    }),
  ),
});

describe('an existing field', () => {
  test.each<[string, string, string, boolean]>([
    ['custom_orgid', 'Data', '', true],
    ['custom_orgid', 'Small Text', '', true],
    ['custom_orgid', 'Int', '', false],
    ['custom_orgid', 'Link', 'Organisation', false],
    ['custom_crm_not_found_at', 'Datetime', '', true],
    ['custom_crm_not_found_at', 'Date', '', false],
    ['custom_crm_match_confidence', 'Int', '', true],
    ['custom_shopplan', 'Select', '\nSME\n Medium Scale \nMedium Grow\nOther', true],
    ['custom_shopplan', 'Select', 'SME\nMedium', false],
    ['custom_responsible', 'Select', 'a\nb', true],
  ])('%s as %s %j suits: %s', (name, fieldtype, options, suits) => {
    const site = withFields({ fieldname: name, fieldtype, options });
    const doctype = name.startsWith('custom_crm') ? 'HD Customer' : 'HD Ticket';
    const planned = planFields(doctype, site, () => false, true).find(({ what }) => what === `${doctype}.${name}`);
    expect(planned?.state).toBe(suits ? 'exists' : 'conflict');
  });

  test('that is no document of its own cannot be protected, one that is protected already is left alone', () => {
    const site = withFields(
      { fieldname: 'custom_shopplan', customField: null },
      { fieldname: 'custom_responsible', permlevel: 2 },
    );
    const states = planFields('HD Ticket', site, () => true, true).flatMap(({ what, state }) =>
      /shopplan$|responsible$/.test(what) ? [state] : [],
    );
    expect(states).toEqual(['conflict', 'exists']);
  });
});

test('rows of permissions are completed, not repeated', () => {
  const row = { permlevel: 1, ifOwner: false, create: false, delete: false };
  const site = {
    ...none,
    permissions: [
      { ...row, role: 'Agent', read: true, write: false },
      { ...row, role: 'System Manager', read: true, write: false },
      { ...row, role: 'Agent Manager', permlevel: 0, read: true, write: true },
    ],
  };
  expect(planRoleRows(site).map(({ step }) => step)).toEqual([
    { kind: 'role_row', doctype: 'HD Ticket', role: 'Agent', add: false, rights: ['write'] },
    { kind: 'role_row', doctype: 'HD Ticket', role: 'Agent Manager', add: true, rights: ['read', 'write'] },
    null,
  ]);
});

describe('who may say which company a customer is', () => {
  const row = (role: string, rights: string, permlevel = 0) => ({
    role,
    permlevel,
    ifOwner: false,
    read: rights.includes('r'),
    write: rights.includes('w'),
    create: rights.includes('c'),
    delete: rights.includes('d'),
  });
  const desk = new Set(['System Manager', 'Agent', 'Sales']);
  const customer = (permissions: AdminDoctype['permissions'], fields = none) => ({ ...fields, permissions });
  const staff = [row('Administrator', 'rwc'), row('System Manager', 'rwc'), row('Agent', 'r'), row('Sales', 'rw')];

  test('where the desk alone writes, nothing is done', () => {
    expect(planCustomerGuard(customer([...staff, row('HD Customer', 'r')]), desk)).toEqual({
      rows: [],
      fields: new Set(),
      roles: [],
    });
  });

  test('every role of the desk keeps its rights, and no other gets any', () => {
    const { rows, fields, roles } = planCustomerGuard(
      customer([...staff, row('Portal', 'rw'), row('System Manager', 'r', 1)]),
      desk,
    );
    expect(roles).toEqual(['Portal']);
    expect([...fields]).toEqual(['custom_platform_orgid', 'custom_crm_company_id', 'custom_crm_company_url']);
    expect(rows.map(({ what, state, detail }) => `${what}: ${state} ${detail}`)).toEqual([
      'HD Customer level 1 for System Manager: change write',
      'HD Customer level 1 for Agent: create read',
      'HD Customer level 1 for Sales: create read, write',
    ]);
  });

  test('fields that have a level of their own keep it', () => {
    const fields = withFields({ fieldname: 'custom_platform_orgid', permlevel: 3 });
    expect([...planCustomerGuard(customer([row('Portal', 'rw')], fields), desk).fields]).toEqual([
      'custom_crm_company_id',
      'custom_crm_company_url',
    ]);
  });
});

test('a DocType of snapshots that cannot tell them apart is kept and reported', () => {
  expect(planSnapshots(withFields({ fieldname: 'source' }))).toMatchObject({
    state: 'conflict',
    step: null,
    detail: expect.stringContaining('entity_type, external_id'),
  });
  expect(planSnapshots(withFields(...customerData.fields)).state).toBe('exists');
});

test.each<[unknown, string | number, boolean]>([
  [null, '', true],
  [undefined, 0, true],
  [' text\n', 'text', true],
  ['1', 1, true],
  [0, 1, false],
  [null, 'text', false],
])('%j counts as %j: %s', (found, desired, same) => {
  expect(Object.keys(differences({ field: found }, { field: desired }))).toHaveLength(same ? 0 : 1);
});

describe('an OAuth client', () => {
  const wish = { use: 'chrome', redirectUri: redirectUriOf('chrome', 'abc') } as const;
  const allowed_roles = [{ role: 'Agent Manager' }, { role: 'Agent' }];
  const ours = { name: 'right', ...desiredOAuthClient('chrome', redirectUriOf('chrome', 'abc')), allowed_roles };

  test('of several of the name, the one with the right address is kept', () => {
    const clients = [{ ...ours, name: 'old', redirect_uris: 'https://old.example/cb' }, ours];
    expect(planOAuthClient({ clients, asksForMethod: false }, wish)).toMatchObject({
      state: 'exists',
      client: { id: 'right' },
      detail: `${redirectUriOf('chrome', 'abc')}; 1 more with this name, not used`,
    });
  });

  test('is made public where Frappe asks how it authenticates itself', () => {
    const changed = planOAuthClient({ clients: [ours], asksForMethod: true }, wish);
    expect(changed.step).toMatchObject({ kind: 'update', changes: { token_endpoint_auth_method: 'None' } });
  });
});

test('a team that is missing is made, with whoever makes it as its member: one has to be in it', () => {
  const site = { user: 'lan@example.com', teamsFound: new Set(['CS 60p']) };
  expect(planTeams(site, ['CS 60p', 'Medium - Scale'])).toMatchObject([
    { what: 'HD Team "CS 60p"', state: 'exists', step: null },
    {
      state: 'create',
      step: { doctype: 'HD Team', document: { team_name: 'Medium - Scale', users: [{ user: site.user }] } },
    },
  ]);
});

test('the printed plan is aligned, and holds no secret', () => {
  const options = {
    publicUrl: 'https://deskside.example',
    webhookSecret: new Secret('secret-of-the-webhook'),
    browsers: [],
    snapshots: true,
    protect: false,
    protectCustomerOrgId: true,
    beforeInsert: { secret: 'secret-of-the-script' },
    teams: [],
    first: [],
  };
  const site = {
    user: 'lan@example.com',
    teamsFound: new Set<string>(),
    seesAll: true,
    ticket: none,
    customer: none,
    contact: 'unseen' as const,
    deskRoles: new Set<string>(),
    customerData: null,
    webhook: null,
    oauth: { clients: [], asksForMethod: false },
    signUpIsOpen: false,
    script: null,
    trialLeft: false,
  };
  const claims = { rule: { given: 'accept', chosen: null }, wanted: 'accept' } as const;
  const plan = planProvision(site, options, claims, { ids: {}, by: null });
  const printed = printPlan(plan);
  expect(changesOf(plan)).toHaveLength(Object.values(desiredFields).flat().length + 4);
  expect(printed).not.toContain('secret-of');
  const [head = '', ...rows] = printed.split('\n');
  for (const row of rows) expect(row.slice(head.indexOf('What') - 2, head.indexOf('What'))).toBe('  ');
});
