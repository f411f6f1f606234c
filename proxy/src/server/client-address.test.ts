import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { loopback } from '#config.ts';
import { readClientAddress } from './http-server.ts';

const from = (remoteAddress: string | undefined, forwarded?: string) =>
  ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }) as unknown as IncomingMessage;

test.each([
  ['a direct connection', '192.0.2.7', undefined, '192.0.2.7'],
  ['IPv4 in IPv6’s clothes', '::ffff:192.0.2.7', undefined, '192.0.2.7'],
  ['a stranger who names somebody', '192.0.2.7', '198.51.100.1', '192.0.2.7'],
  ['the reverse proxy', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['the reverse proxy, in IPv6’s clothes', '::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['two reverse proxies', '127.0.0.1', '198.51.100.1, 10.1.2.3', '198.51.100.1'],
  ['a client that writes the header itself', '127.0.0.1', '8.8.8.8, 198.51.100.1', '198.51.100.1'],
  ['a reverse proxy that says nothing', '127.0.0.1', undefined, '127.0.0.1'],
  ['a reverse proxy that says nonsense', '127.0.0.1', 'unknown', '127.0.0.1'],
  ['nothing but proxies', '127.0.0.1', '10.0.0.1', '127.0.0.1'],
  ['one IPv6 client', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  ['the same client, at another of its addresses', '2001:db8:1:2::9', undefined, '2001:db8:1:2::/64'],
  ['a zone', 'fe80::1%eth0', undefined, 'fe80:0:0:0::/64'],
  ['a socket that is gone', undefined, undefined, 'unknown'],
])('%s', (_, peer, forwarded, address) => {
  const addressOf = readClientAddress([...loopback, '10.0.0.0/8']);
  expect(addressOf(from(peer, forwarded))).toBe(address);
});

test('whoever is not trusted and names a client is noticed', () => {
  let noticed = 0;
  const addressOf = readClientAddress(loopback, () => {
    noticed += 1;
  });
  addressOf(from('192.0.2.7'));
  addressOf(from('127.0.0.1', '192.0.2.7'));
  expect(noticed).toBe(0);
  addressOf(from('192.0.2.7', '198.51.100.1'));
  expect(noticed).toBe(1);
});
