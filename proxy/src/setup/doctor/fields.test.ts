import { describe, expect, test } from 'vitest';
import { desiredFields } from '#setup/desired-state.ts';
import type { AdminField } from '#setup/helpdesk-admin.ts';
import { type DoctypeFacts, judgeFields } from './fields.ts';

const plain = (fieldtype: string, more: Partial<AdminField> = {}): AdminField => ({
  fieldname: '',
  fieldtype,
  options: '',
  permlevel: 0,
  length: 0,
  customField: null,
  ...more,
});

function customer(changed: Record<string, AdminField>, openLevels: number[] = []): DoctypeFacts {
  const fields = desiredFields['HD Customer'].map(({ fieldname, fieldtype }) => [fieldname, plain(fieldtype)] as const);
  const all = new Map([...fields, ...Object.entries(changed)]);
  return { doctype: 'HD Customer', site: { fields: all, permissions: [] }, openLevels: new Set(openLevels) };
}

describe('a field of HD Customer', () => {
  test.each<[string, Record<string, AdminField>, string[]]>([
    ['as desired', {}, []],
    ['longer than desired', { custom_crm_company_url: plain('Small Text') }, []],
    ['of its own length', { custom_crm_company_url: plain('Data', { length: 200 }) }, []],
    ['too short', { custom_crm_company_url: plain('Data', { length: 40 }) }, ['field_too_short']],
    ['an org id as Long Int', { custom_platform_orgid: plain('Long Int') }, ['field_org_id_int']],
    ['another id as Int', { custom_crm_company_id: plain('Int') }, ['field_type_unsuitable']],
    ['a Select without choices', { custom_crm_sync_status: plain('Select') }, []],
    [
      'a Select with some choices',
      { custom_crm_sync_status: plain('Select', { options: '\nmatched\n error ' }) },
      ['field_options_missing'],
    ],
    ['protected', { custom_crm_sync_status: plain('Data', { permlevel: 2 }) }, ['field_level_closed']],
  ])('%s', (_, changed, expected) => {
    expect(judgeFields([customer(changed)]).findings.map(({ code }) => code)).toEqual(expected);
  });

  test('protected, but open to the service account', () => {
    const changed = { custom_crm_sync_status: plain('Data', { permlevel: 2 }) };
    expect(judgeFields([customer(changed, [2])]).findings).toEqual([]);
  });

  test('two with one fault are one finding that names both; of many only the first', () => {
    const changed = { custom_crm_last_synced_at: plain('Int'), custom_crm_not_found_at: plain('Data') };
    const [only, ...others] = judgeFields([customer(changed)]).findings;
    expect(others).toEqual([]);
    expect(only?.problem).toContain('custom_crm_last_synced_at (Int instead of Datetime), custom_crm_not_found_at');
    const none = judgeFields([{ doctype: 'HD Customer', site: null, openLevels: new Set() }]);
    expect(none.findings.map(({ problem }) => problem)).toEqual([expect.stringContaining('and 4 more')]);
  });
});
