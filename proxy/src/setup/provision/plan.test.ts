import { describe, expect, test } from 'vitest';
import type { AdminDoctype, AdminField } from '../helpdesk-admin.ts';
import { customerData, redirectUriOf, type WantedField, wantedFields, wantedOAuthClient } from '../wanted.ts';
import { changesOf, planProvision } from './plan.ts';
import { differences, planSnapshots } from './plan-documents.ts';
import { misfit, planFields, planRoleRows } from './plan-fields.ts';
import { planOAuthClient } from './plan-oauth.ts';
import { printPlan } from './print-plan.ts';

const none: AdminDoctype = { fields: new Map(), permissions: [] };
const withFields = (...fields: Partial<AdminField>[]): AdminDoctype => ({
  permissions: [],
  fields: new Map(
    fields.map((field) => {
      const { fieldname = '', fieldtype = 'Data', options = '', permlevel = 0, customField = fieldname } = field;
      return [fieldname, { fieldname, fieldtype, options, permlevel, readOnly: false, customField }];
    }),
  ),
});
const field = (name: string): WantedField =>
  Object.values(wantedFields)
    .flat()
    .find(({ fieldname }) => fieldname === name) as WantedField;

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
    expect(misfit({ fieldtype, options }, field(name)) === null).toBe(suits);
  });

  test('that is no document of its own cannot be protected, one that is protected already is left alone', () => {
    const site = withFields(
      { fieldname: 'custom_shopplan', customField: null },
      { fieldname: 'custom_responsible', permlevel: 2 },
    );
    const states = planFields('HD Ticket', site, true).flatMap(({ what, state }) =>
      /shopplan$|responsible$/.test(what) ? [state] : [],
    );
    expect(states).toEqual(['conflict', 'exists']);
  });
});

test('rows of permissions are completed, not repeated', () => {
  const row = { permlevel: 1, ifOwner: false, create: false };
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
])('%j counts as %j: %s', (found, wanted, same) => {
  expect(Object.keys(differences({ field: found }, { field: wanted }))).toHaveLength(same ? 0 : 1);
});

describe('an OAuth client', () => {
  const wish = { browser: 'chrome', extensionId: 'abc' } as const;
  const allowed_roles = [{ role: 'Agent Manager' }, { role: 'Agent' }];
  const ours = { name: 'right', ...wantedOAuthClient('chrome', 'abc'), allowed_roles };

  test('of several of the name, the one with the right address is kept', () => {
    const clients = [{ ...ours, name: 'old', redirect_uris: 'https://old.example/cb' }, ours];
    expect(planOAuthClient({ clients, asksForMethod: false }, wish)).toMatchObject({
      state: 'exists',
      client: { id: 'right' },
      detail: `${redirectUriOf('chrome', 'abc')}; 1 more of this name, not used`,
    });
  });

  test('is made public where Frappe asks how it authenticates itself', () => {
    const changed = planOAuthClient({ clients: [ours], asksForMethod: true }, wish);
    expect(changed.step).toMatchObject({ kind: 'update', changes: { token_endpoint_auth_method: 'None' } });
  });
});

test('the printed plan is aligned, and holds no secret', () => {
  const wishes = {
    publicUrl: 'https://deskside.example',
    webhookSecret: 'secret-of-the-webhook',
    browsers: [],
    snapshots: true,
    protect: false,
    beforeInsert: { secret: 'secret-of-the-script' },
  };
  const site = {
    ticket: none,
    customer: none,
    customerData: null,
    webhook: null,
    oauth: { clients: [], asksForMethod: false },
    script: null,
  };
  const plan = planProvision(site, wishes);
  const printed = printPlan(plan);
  expect(changesOf(plan)).toHaveLength(Object.values(wantedFields).flat().length + 3);
  expect(printed).not.toContain('secret-of');
  const [head = '', ...rows] = printed.split('\n');
  for (const row of rows) expect(row.slice(head.indexOf('What') - 2, head.indexOf('What'))).toBe('  ');
});
