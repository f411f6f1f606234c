import { expect, test } from 'vitest';
import type { ConnectionTest } from '#messaging/page-protocol.ts';
import { discovery, helpdesk, proxy, sampleState, whoami } from '#testing/sample-connection.ts';
import { addressInLink, outcomeOf, stageOf } from './stage.ts';

const addresses = { helpdesk, proxy };

function state(change: { granted?: boolean; helpdesk?: null; proxy?: null } = {}) {
  const { granted = true, ...addressed } = { ...addresses, ...change };
  return sampleState({
    helpdesk: { value: addressed.helpdesk, lock: null, granted },
    proxy: { value: addressed.proxy, lock: null, granted },
  });
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

const good: ConnectionTest = {
  discovery: { ok: true, data: { ...discovery, helpdesk_url: `${helpdesk}/` } },
  canSignIn: true,
  whoami: { ok: true, data: whoami },
};
const without = (code: string): ConnectionTest => ({
  ...good,
  whoami: { ok: false, error: { code } } as ConnectionTest['whoami'],
});

test('an agent is greeted by name', () => {
  expect(outcomeOf(good, addresses)).toEqual({ ok: true, name: 'Nguyễn An' });
});

test.each<[ConnectionTest, string]>([
  [{ ...good, whoami: { ok: true, data: { ...whoami, is_agent: false } } }, 'not_agent'],
  [without('not_an_agent'), 'not_agent'],
  [without('signed_out'), 'signed_out'],
  [without('unauthenticated'), 'signed_out'],
  [{ ...without('not_configured'), canSignIn: false }, 'no_client'],
  [without('unreachable'), 'helpdesk_down'],
  [without('helpdesk_unavailable'), 'helpdesk_down'],
  [without('internal'), 'other'],
  [{ ...good, discovery: { ok: false, error: { code: 'unreachable' } } }, 'proxy_down'],
  [{ ...good, discovery: { ok: true, data: { ...discovery, helpdesk_url: 'https://x.example' } } }, 'other_helpdesk'],
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
