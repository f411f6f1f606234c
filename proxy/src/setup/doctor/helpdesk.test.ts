import { describe, expect, test } from 'vitest';
import type { HelpdeskFacts, Rights } from './helpdesk.ts';
import { judgeHelpdesk, judgeService } from './helpdesk.ts';

const rights: Rights = { restricted: false, ignoresRestriction: false, writesTickets: true, writesCustomers: true };

function facts(changes: Partial<HelpdeskFacts> = {}, able: Partial<Rights> = {}): HelpdeskFacts {
  const user = { user: 'service@support.example', isAgent: true, isManager: true, isAdmin: false };
  return {
    whoami: { ok: true, value: user },
    version: { ok: true, value: '1.28.1' },
    zone: { ok: true, value: { name: 'Asia/Ho_Chi_Minh', exists: true } },
    rights: { ok: true, value: { ...rights, ...able } },
    ...changes,
  };
}

describe('rights of the service account', () => {
  test.each<[string, Partial<Rights>, string[]]>([
    ['all', {}, []],
    ['tickets are not writable', { writesTickets: false }, ['tickets_not_writable']],
    ['neither', { writesTickets: false, writesCustomers: false }, ['tickets_not_writable', 'customers_not_writable']],
    ['restricted, so that no ticket shows', { restricted: true, writesTickets: false }, ['service_restricted']],
    ['restricted, but not for it', { restricted: true, ignoresRestriction: true }, []],
  ])('%s', (_, able, expected) => {
    expect(judgeService(facts({}, able)).findings.map(({ code }) => code)).toEqual(expected);
  });

  test('an empty site cannot be asked, which is said', () => {
    const { findings, unchecked } = judgeService(facts({}, { writesTickets: null, writesCustomers: null }));
    expect(findings).toEqual([]);
    expect(unchecked).toHaveLength(2);
  });
});

test.each([
  ['1.24.0', []],
  ['v1.28.1', []],
  ['2.0.0-dev', []],
  ['1.23.9', ['helpdesk_version_old']],
  ['0.9.1', ['helpdesk_version_old']],
])('Helpdesk %s', (value, expected) => {
  expect(judgeHelpdesk(facts({ version: { ok: true, value } })).findings.map(({ code }) => code)).toEqual(expected);
});

test('a version that is not told is no fault', () => {
  const version = { ok: false, kind: 'rejected', message: 'No such method.' } as const;
  expect(judgeHelpdesk(facts({ version }))).toMatchObject({
    findings: [],
    unchecked: [expect.stringContaining('No such')],
  });
});
