import { expect, test } from 'vitest';
import type { ConnectionTest, OptionsState } from '#messaging/page-protocol.ts';
import { addressInLink, outcomeOf, stageOf } from './stage.ts';

const addresses = { helpdesk: 'https://help.example', proxy: 'https://proxy.example' };

function state(change: { granted?: boolean; helpdesk?: string | null; proxy?: string | null } = {}): OptionsState {
  const { granted = true, helpdesk = addresses.helpdesk, proxy = addresses.proxy } = change;
  return {
    helpdesk: { value: helpdesk, lock: null, granted },
    proxy: { value: proxy, lock: null, granted },
    language: 'auto',
    spoken: 'en',
    languageLocked: false,
    session: 'none',
    shortcut: null,
    version: '1',
  };
}

test.each([
  ['nothing is known', state({ helpdesk: null, proxy: null }), null, false, 'address'],
  ['the helpdesk is missing', state({ helpdesk: null }), null, false, 'address'],
  ['the proxy has named the helpdesk', state({ helpdesk: null, proxy: null }), addresses, false, 'access'],
  ['both are set and not granted', state({ granted: false }), null, false, 'access'],
  ['both are set and granted', state(), null, false, 'sign_in'],
  ['another address is wanted', state(), null, true, 'address'],
  ['another address was found', state(), { ...addresses, proxy: 'https://new.example' }, true, 'access'],
])('%s', (_, now, found, changing, at) => {
  expect(stageOf(now, found, changing).at).toBe(at);
});

const discovery = {
  ok: true as const,
  data: { name: 'deskside' as const, version: '1', helpdesk_url: 'https://help.example/', oauth_client_ids: {} },
};
const person = {
  user: 'an@help.example',
  full_name: 'Nguyễn An',
  language: null,
  is_agent: true,
  is_manager: false,
  proxy_version: '1',
};
const whoami = { ok: true as const, data: { ...person, helpdesk_url: 'https://help.example', missing: [] } };
const good: ConnectionTest = { discovery, canSignIn: true, whoami };
const without = (code: string): ConnectionTest => ({
  ...good,
  whoami: { ok: false, error: { code } } as ConnectionTest['whoami'],
});

test('an agent is greeted by name', () => {
  expect(outcomeOf(good, addresses)).toEqual({ ok: true, name: 'Nguyễn An' });
});

test.each<[ConnectionTest, string]>([
  [{ ...good, whoami: { ...whoami, data: { ...whoami.data, is_agent: false } } }, 'not_agent'],
  [without('not_an_agent'), 'not_agent'],
  [without('signed_out'), 'signed_out'],
  [without('unauthenticated'), 'signed_out'],
  [{ ...without('not_configured'), canSignIn: false }, 'no_client'],
  [without('unreachable'), 'helpdesk_down'],
  [without('helpdesk_unavailable'), 'helpdesk_down'],
  [without('internal'), 'other'],
  [{ ...good, discovery: { ok: false, error: { code: 'unreachable' } } }, 'proxy_down'],
  [
    { ...good, discovery: { ok: true, data: { ...discovery.data, helpdesk_url: 'https://x.example' } } },
    'other_helpdesk',
  ],
])('what keeps somebody from the first profile has a name (%#: %s)', (result, problem) => {
  expect(outcomeOf(result, addresses)).toMatchObject({ ok: false, problem });
});

test.each([
  ['#proxy=https%3A%2F%2Fdeskside.example', 'https://deskside.example'],
  ['#other=1&proxy=deskside.example', 'deskside.example'],
  ['#', ''],
  ['', ''],
  [`#proxy=${'a'.repeat(10_000)}`, 'a'.repeat(300)],
])('the link %s carries %s', (hash, address) => expect(addressInLink(hash)).toBe(address));
