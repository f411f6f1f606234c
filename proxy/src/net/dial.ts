import { connect, isIPv6, type Socket } from 'node:net';

/** Where a connection goes. Only `addresses` are connected to; the name is never looked up again. */
export interface DialTarget {
  host: string;
  /** At least one address, each of which the caller has checked. */
  addresses: readonly string[];
  port: number;
  /** Ends the connection when it fires, also long after it was opened. */
  signal: AbortSignal;
}

/** Opens one TCP connection. The socket says `connect` or `error` later. */
export type Dial = (target: DialTarget) => Socket;

/** Tries the addresses in turn, the families alternating, until one answers. */
export const dial: Dial = ({ host, addresses, port, signal }) =>
  connect({
    host,
    port,
    signal,
    autoSelectFamily: true,
    // Shops may be half a world away; an address that does not answer costs a fifth of the time there is.
    autoSelectFamilyAttemptTimeout: 1_000,
    lookup: (_host, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })),
      ),
  });
