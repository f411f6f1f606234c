import { expect, test } from 'vitest';
import { loopback, parseTrustedProxies } from './config.ts';

test.each([
  ['none', []],
  ['loopback', loopback],
  ['10.0.0.0/8, 192.0.2.1', ['10.0.0.0/8', '192.0.2.1']],
  ['loopback,2001:db8::/32', [...loopback, '2001:db8::/32']],
  ['10.0.0.0/33', null],
  ['proxy.example', null],
  ['10.0.0.1/', null],
  ['*', null],
  ['10.0.0.1,', null],
])('TRUSTED_PROXIES=%j', (text, ranges) => {
  expect(parseTrustedProxies(text)).toEqual(ranges);
});
