import { expect, test } from 'vitest';
import { panelErrorCodes } from '#messaging/protocol.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { panelState } from './use-profile.ts';

const loaded = { profile: sampleProfile(), isRefreshed: false, followUps: 0, crmFailures: 0 };
const base = { ticket: '61307', loaded: undefined, error: null, online: true };

test('data about another ticket than the one on screen counts as none', () => {
  expect(panelState({ ...base, ticket: '2', loaded })).toEqual({ kind: 'loading' });
  const error = { code: 'timeout' } as const;
  expect(panelState({ ...base, ticket: '2', loaded, error })).toEqual({ kind: 'failure', error });
});

test('a failure that ends the permission removes the data, any other keeps it with a warning', () => {
  const dropped = panelErrorCodes.filter((code) => panelState({ ...base, loaded, error: { code } }).kind === 'failure');
  expect(dropped).toEqual([
    'unauthenticated',
    'not_an_agent',
    'not_a_manager',
    'ticket_not_readable',
    'ticket_not_found',
    'signed_out',
    'not_configured',
    'other_user',
    'extension_updated',
    'access_withheld',
  ]);
});

test('an unreachable proxy without a network is shown as offline, other failures are not', () => {
  const view = (code: 'unreachable' | 'signed_out') => panelState({ ...base, online: false, error: { code } });
  expect(view('unreachable')).toMatchObject({ error: { code: 'offline' } });
  expect(view('signed_out')).toMatchObject({ error: { code: 'signed_out' } });
});
