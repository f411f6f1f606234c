import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';

const inner = [
  '0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.100.100.200 100.127.255.255 127.0.0.1',
  '127.255.255.255 168.63.129.16 169.254.0.0 169.254.169.254 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.192',
  '192.0.2.1 192.88.99.1 192.168.0.0 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.1 203.0.113.255',
  '224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1',
  '::ffff:7f00:1 ::FFFF:10.0.0.1 0:0:0:0:0:ffff:a9fe:a9fe ::ffff:0:8.8.8.8 64:ff9b::127.0.0.1 64:ff9b::8.8.8.8',
  '64:ff9b:1::a00:1 100::1 2001::1 2001:0:4136:e378:: 2001:20::1 2001:1ff:ffff:: 2001:db8::1 2002:7f00:1::',
  '3fff::1 2002:808:808:: 3fff:fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%lo fec0::1 ff02::1',
  '2606:4700::1111%eth0 4000:: 1fff:ffff:: localhost 8.8.8.8:443 8.8.8 010.8.8.8 0x8.8.8.8 134744072',
  '[2606:4700::1111] 8.8.8.8/8 ٨.8.8.8',
]
  .flatMap((line) => line.split(' '))
  .concat('', '8.8.8.8 ');

const outer = [
  '1.0.0.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255',
  '169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255',
  '198.20.0.0 223.255.255.255 ::ffff:8.8.8.8 ::ffff:808:808 2000::1 2001:200:: 2001:4860:4860::8888',
  '2001:db7::1 2001:db9::1 2003::1 2606:4700::1111 3ffe:ffff::1 3fff:1000::1',
].flatMap((line) => line.split(' '));

describe('an address', () => {
  it.each(inner)('%j is not of the public internet', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(outer)('%j is', (address) => expect(isPublicAddress(address)).toBe(true));

  it('of IPv4 is judged alike when it is mapped to IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
      }),
    );
  });

  it('of IPv6 is public at most within 2000::/3', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const top = Number.parseInt(address.split(':', 1)[0] || '0', 16) >> 13;
        fc.pre(!address.toLowerCase().includes('ffff:'));
        if (top !== 1) expect(isPublicAddress(address)).toBe(false);
      }),
    );
  });
});
