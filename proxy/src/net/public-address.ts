import { BlockList, isIP } from 'node:net';

// The special-purpose registries of IANA (RFC 6890 and its successors), slightly wider where shops have no use for a
// block.
const special4 = subnets('ipv4', [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers; some clouds keep their metadata there
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's own service for its machines
  '169.254.0.0/16', // link-local; most clouds keep their metadata there
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);
const unicast6 = subnets('ipv6', ['2000::/3']);
const special6 = subnets('ipv6', [
  '2001::/23', // protocol assignments: Teredo, ORCHID and others
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: holds an IPv4 address
  '3fff::/20', // documentation
]);
const mapped6 = subnets('ipv6', ['::ffff:0:0/96']);

/**
 * Whether an IP address, in its usual notation, is on the public internet. An IPv4 address mapped to IPv6 is judged as
 * the IPv4 address. False for anything that is not an address, and for one with a zone.
 */
export function isPublicAddress(address: string): boolean {
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 4) return !special4.check(address, 'ipv4');
  if (family !== 6) return false;
  // The block list itself reads a mapped address as IPv4.
  if (mapped6.check(address, 'ipv6')) return !special4.check(address, 'ipv6');
  return unicast6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}

function subnets(family: 'ipv4' | 'ipv6', blocks: string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [net = '', prefix] = block.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}
