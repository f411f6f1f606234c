import { promises as dns } from 'node:dns';
import { EgressError } from './egress-error.ts';
import { codeOf } from './exchange.ts';

/**
 * All addresses of a host name, IPv4 and IPv6; empty if there is no such name. Rejects if the answer is unknown, and
 * may reject when the signal fires.
 */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>;

/** Codes for an empty answer, and for a name that cannot be looked up. */
const nothing = ['ENOTFOUND', 'ENODATA', 'EBADNAME'];

/**
 * Asks the machine's DNS servers, or the given ones (`host:port`). Avoids the system's own lookup, which adds search
 * domains and the hosts file, and occupies one of four threads for as long as a hostile name server likes.
 */
export function createResolve(servers?: string[]): Resolve {
  return async (host, signal) => {
    const resolver = new dns.Resolver({ timeout: 1_500, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      signal.throwIfAborted();
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0) return addresses;
      const codes = answers.flatMap((answer) => (answer.status === 'rejected' ? [codeOf(answer.reason)] : []));
      const unknown = codes.find((code) => !nothing.includes(code));
      if (unknown === undefined) return [];
      throw new EgressError('unreachable', `The host name could not be looked up (${unknown}).`);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}
