import { BlockList, isIP, isIPv6 } from 'node:net';

// Which addresses of strangers may be asked at all (docs/security.md#addresses-of-strangers).

/** Endings that never lead out of the local network or machine, or not by DNS (RFC 6761, 6762, 7686, 8375, 9476). */
const inner = new Set(
  'alt arpa corp home internal intranet invalid lan local localdomain localhost onion private'.split(' '),
);
const hostName = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

/**
 * The host name of a URL as the URL parser returns it, without the root's dot, if it can be a public DNS name: at least
 * two labels, no IP address in any notation (the parser has resolved the odd ones), no ending for internal names. Null
 * otherwise.
 */
export function publicHost({ hostname }: URL): string | null {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  const ending = hostName.exec(name)?.[1];
  return ending === undefined || inner.has(ending) ? null : name;
}

/**
 * An address supplied by a stranger, possibly relative to `base`, in the one spelling that is then used, without
 * fragment. Null unless it is https on the standard port of a public host name, without user info.
 */
export function publicUrl(address: string, base?: URL): URL | null {
  const url = URL.parse(address, base?.href);
  const host = url && publicHost(url);
  if (url?.protocol !== 'https:' || host === null) return null;
  if (url.port !== '' || url.username !== '' || url.password !== '') return null;
  url.hostname = host;
  url.hash = '';
  return url;
}

/**
 * The special-purpose registries of IANA (RFC 6890 and its successors), slightly wider where shops have no use for a
 * block. It checks an IPv4 address that is mapped to IPv6 by the rules for IPv4, too.
 */
const special = new BlockList();
for (const block of [
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
  '2001::/23', // protocol assignments: Teredo, ORCHID and others
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: holds an IPv4 address
  '3fff::/20', // documentation
]) {
  const [net = '', prefix] = block.split('/');
  special.addSubnet(net, Number(prefix), isIPv6(net) ? 'ipv6' : 'ipv4');
}
// All but 2000::/3, which is what is given out for the internet, and the mapped addresses ::ffff:0:0/96. Loopback,
// private, link-local, multicast and NAT64 addresses are among them.
special.addRange('::', '::fffe:ffff:ffff', 'ipv6');
special.addRange('::1:0:0:0', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ipv6');
special.addRange('4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ipv6');

/** Whether an IP address, in its usual notation, is on the public internet. One with a zone is not. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  return !special.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
