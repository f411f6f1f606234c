import { expect, test } from 'vitest';
import { panelErrorCodes } from '../messaging/protocol.ts';
import { panelView } from './panel-view.ts';
import { sampleProfile } from './sample-profile.ts';

const loaded = { profile: sampleProfile(), before: null, followUps: 0, crmFailures: 0 };
const base = { ticket: '61307', loaded: undefined, error: null, online: true };

test('data about another ticket than the one on screen counts as none', () => {
  expect(panelView({ ...base, ticket: '2', loaded })).toEqual({ kind: 'loading' });
  const error = { code: 'timeout', requestId: null } as const;
  expect(panelView({ ...base, ticket: '2', loaded, error })).toEqual({ kind: 'failure', error });
});

test('what can no longer be permitted to be seen is taken from the screen, the rest stays with a warning', () => {
  const dropped = panelErrorCodes.filter(
    (code) => panelView({ ...base, loaded, error: { code, requestId: null } }).kind === 'failure',
  );
  expect(dropped).toEqual([
    'unauthenticated',
    'not_an_agent',
    'ticket_not_readable',
    'ticket_not_found',
    'signed_out',
    'not_configured',
    'extension_updated',
  ]);
});

test('a proxy that cannot be reached without a network is told as being offline, any other failure is not', () => {
  const view = (code: 'unreachable' | 'signed_out') =>
    panelView({ ...base, online: false, error: { code, requestId: null } });
  expect(view('unreachable')).toMatchObject({ error: { code: 'offline' } });
  expect(view('signed_out')).toMatchObject({ error: { code: 'signed_out' } });
});
