import { connect, isIPv6, type Socket } from 'node:net';

/** Where to connect. Only `addresses` are used; the name is never looked up again. */
export interface DialTarget {
  host: string;
  /** At least one address, all checked by the caller. */
  addresses: readonly string[];
  port: number;
  /** Closes the connection when it fires, even long after it was opened. */
  signal: AbortSignal;
}

/** Opens one TCP connection. The socket emits `connect` or `error` later. */
export type Dial = (target: DialTarget) => Socket;

/** Tries the addresses in turn, alternating between the families, until one answers. */
export const dial: Dial = ({ host, addresses, port, signal }) =>
  connect({
    host,
    port,
    signal,
    autoSelectFamily: true,
    // Shops may be half a world away; an address that does not answer costs a fifth of the available time.
    autoSelectFamilyAttemptTimeout: 1_000,
    lookup: (_host, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })),
      ),
  });
