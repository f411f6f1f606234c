import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';

/**
 * Where a request comes from: one address, or the /64 of an IPv6 client. A reverse proxy counts as the client that it names.
 *
 * @param trusted addresses and ranges of our reverse proxies, such as 10.0.0.0/8
 * @param onStranger called when an address that is not trusted names a client
 */
export function readClientAddress(
  trusted: readonly string[],
  onStranger: () => void = () => {},
): (incoming: IncomingMessage) => string {
  const ranges = new BlockList();
  for (const range of trusted) {
    const [address = '', bits] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) ranges.addAddress(address, family);
    else ranges.addSubnet(address, Number(bits), family);
  }

  const isTrusted = (address: string | undefined) => {
    const plain = plainAddress(address);
    return plain !== null && ranges.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };

  // A connection's own address does not change.
  const peers = new WeakMap<Socket, string>();
  const ofSocket = (socket: Socket) => {
    const known = peers.get(socket);
    if (known !== undefined) return known;
    const address = networkOf(socket.remoteAddress);
    peers.set(socket, address);
    return address;
  };

  return ({ headers, socket }) => {
    const peer = socket.remoteAddress;
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined) return ofSocket(socket);
    if (!isTrusted(peer)) {
      onStranger();
      return networkOf(peer);
    }
    // Each proxy appends the address it heard from; anything to the left of the first stranger is the stranger's own
    // writing.
    const chain = String(forwarded).split(',').reverse();
    const client = chain.map((entry) => entry.trim()).find((entry) => !isTrusted(entry));
    return plainAddress(client) === null ? networkOf(peer) : networkOf(client);
  };
}

/** An address without IPv6-mapping of IPv4 and without a zone; null if it is not an address. */
function plainAddress(address: string | undefined): string | null {
  const plain = address?.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '') ?? '';
  return isIP(plain) > 0 ? plain : null;
}

/** IPv6 gives every client 2^64 addresses: they count as one. */
function networkOf(address: string | undefined): string {
  const plain = plainAddress(address);
  if (plain === null) return 'unknown';
  if (!isIPv6(plain)) return plain;
  const groups = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const [head = [], tail = []] = groups.map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}
