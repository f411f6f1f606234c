import { createHash } from 'node:crypto';
import { chromeKey } from '@deskside/extension/chrome-key';
import { manifestFor } from '@deskside/extension/manifest';
import { describe, expect, test } from 'vitest';
import type { AdminDoctype, AdminField } from '#helpdesk/admin.ts';
import {
  customerFieldOf,
  desiredFields,
  domainFields,
  type FieldedDoctype,
  intakeFields,
  routingColumns,
} from '#helpdesk/fields.ts';
import { compareFields } from './fields.ts';
import { builtExtensionIds, desiredOAuthClient, redirectUriOf } from './sign-in.ts';
import { desiredWebhook } from './webhook.ts';

describe('what is desired', () => {
  const namesOf = (doctype: FieldedDoctype) => desiredFields[doctype].map(({ fieldname }) => fieldname).sort();

  test('the fields of HD Customer are those that the service writes', () => {
    expect(namesOf('HD Customer')).toEqual(Object.values(customerFieldOf).sort());
  });

  test('the fields of HD Ticket are those that the service reads and writes, without those that only some sites have', () => {
    const ofSomeSites = [
      ...['custom_platform_profile_orgid', 'custom_org_id', 'custom_my_platform_domain'],
      ...['custom_platform_myplatform_link', 'custom_platform_shop_link'],
    ];
    const used = [...new Set([...routingColumns, ...intakeFields])].filter((field) => field.startsWith('custom_'));
    expect(namesOf('HD Ticket')).toEqual(used.filter((field) => !ofSomeSites.includes(field)).sort());
  });

  test('fields with an older name are those that the service finds under it', () => {
    const older = Object.values(desiredFields)
      .flat()
      .flatMap(({ fieldname, olderName }) => (olderName === undefined ? [] : [[fieldname, olderName]]));
    expect(older).toEqual([[...domainFields]]);
  });

  test('the extension ids are those of the build', () => {
    const built = { helpdesk: null, proxy: null, insecureHosts: [], version: '1', forStore: false };
    const firefox = manifestFor('firefox', built);
    const gecko = 'browser_specific_settings' in firefox ? firefox.browser_specific_settings?.gecko.id : undefined;
    const digest = createHash('sha256').update(Buffer.from(chromeKey, 'base64')).digest('hex').slice(0, 32);
    const chromium = digest.replace(/./g, (hex) => String.fromCharCode(97 + Number.parseInt(hex, 16)));
    expect(builtExtensionIds).toEqual({ chrome: chromium, edge: chromium, firefox: gecko });
  });

  test('redirect addresses are those that the browsers make', () => {
    expect(redirectUriOf('edge', builtExtensionIds.edge)).toBe(
      'https://jhjoljfecgnnofpkppemifcbcoihkgho.chromiumapp.org/cb',
    );
    // sha1sum of "id@example"
    expect(redirectUriOf('firefox', 'id@example')).toBe(
      'https://e34292855fc251d66a7ab0d4afe8f6d9f3bf3079.extensions.allizom.org/cb',
    );
    expect(desiredOAuthClient('firefox', 'https://id.example/cb').app_name).toBe('Deskside (Firefox)');
  });

  test('the body of the webhook holds only texts, whatever they are, each in its place', () => {
    const hostile = 'a","owner":"Administrator"}';
    const body = desiredWebhook('https://deskside.example').webhook_json.replaceAll(
      /\{\{ doc\.(\w+)( \| string)? \| tojson \}\}/g,
      (_, field: string) => JSON.stringify(`${field} ${hostile}`),
    );
    const { event, org_ids, ...values } = JSON.parse(body);
    expect(event).toBe('after_insert');
    for (const [field, value] of Object.entries({ ...values, ...org_ids })) expect(value).toBe(`${field} ${hostile}`);
    expect(Object.keys(values)).toEqual([
      ...['name', 'creation', 'modified', 'owner', 'modified_by', 'raised_by', 'contact', 'customer'],
      ...['agent_group', 'ticket_split_from'],
    ]);
    expect(Object.keys(org_ids)).toEqual(['custom_platform_profile_orgid', 'custom_orgid', 'custom_org_id']);
  });
});

const withFields = (...fields: Partial<AdminField>[]): AdminDoctype => ({
  permissions: [],
  isRenamable: false,
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
  expect(compared.find(({ desired }) => desired.fieldname === name)?.problem === null).toBe(suits);
});
