import { describe, expect, test } from 'vitest';
import type { AdminDoctype, AdminField } from '#helpdesk/admin.ts';
import { Secret } from '#runtime/secret.ts';
import { compareFields, compareWebhook, differences, openIdentity } from './compare.ts';
import { desiredWebhook, webhookName } from './desired-state.ts';

const withFields = (...fields: Partial<AdminField>[]): AdminDoctype => ({
  permissions: [],
  fields: new Map(
    fields.map((field) => {
      const { fieldname = '', fieldtype = 'Data', options = '', permlevel = 0, customField = fieldname } = field;
      const rest = { label: fieldname, required: false, default: '' };
      return [fieldname, { fieldname, fieldtype, options, length: 0, permlevel, customField, ...rest }];
    }),
  ),
});

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
  ['custom_shopplan', 'Select', '', true],
  ['custom_responsible', 'Select', 'a\nb', true],
])('%s as %s %j suits: %s', (name, fieldtype, options, suits) => {
  const doctype = name.startsWith('custom_crm') ? 'HD Customer' : 'HD Ticket';
  const compared = compareFields(doctype, withFields({ fieldname: name, fieldtype, options }));
  const { misfit, lacking } = compared.find(({ desired }) => desired.fieldname === name) ?? {};
  expect(misfit === null && lacking?.length === 0).toBe(suits);
});

test('fields that say which company a customer is, and who may set them at which level', () => {
  const row = (role: string, permlevel: number) => ({
    ...{ role, permlevel, ifOwner: false, read: true, write: true, create: false, delete: false },
  });
  const desk = new Set(['Agent']);
  const customer = withFields({ fieldname: 'custom_platform_orgid', permlevel: 3 });
  expect(openIdentity({ ...customer, permissions: [row('Agent', 0)] }, desk)).toEqual([]);
  const open = openIdentity({ ...customer, permissions: [row('Agent', 0), row('Portal', 0)] }, desk);
  expect(open.map(({ field, level, roles }) => [field, level, ...roles])).toEqual([
    ['custom_crm_company_id', 0, 'Portal'],
    ['custom_crm_company_url', 0, 'Portal'],
  ]);
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

describe('the secret of the webhook', () => {
  const ours = [new Secret('the-current-one'), new Secret('the-previous-one')];
  const document = { name: webhookName, ...desiredWebhook('https://deskside.example') };
  test.each([
    ['the-current-one', 'current'],
    ['the-previous-one', 'previous'],
    ['the-currənt-one', 'other'],
    ['', 'unset'],
    [null, 'unset'],
  ])('%s: %s', (secret, state) => {
    const compare = (secrets: Secret[]) => compareWebhook({ document, secret }, 'https://deskside.example', secrets);
    expect(compare(ours)).toEqual({ differing: {}, secret: state });
    expect(compare([]).secret).toBe(state === 'unset' ? 'unset' : 'other');
  });
});
