import { promises as dns } from 'node:dns';
import { EgressError } from './egress-error.ts';
import { codeOf } from './exchange.ts';

/**
 * All addresses of a host name, IPv4 and IPv6; empty when there is no such name. Rejects when the answer is not known,
 * and may when the signal fires.
 */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>;

/** Codes of an answer that says there is nothing, and of a name that cannot be asked for. */
const nothing = ['ENOTFOUND', 'ENODATA', 'EBADNAME'];

/**
 * Asks the DNS servers of the machine, or the given ones (`host:port`). Not by way of the system's own lookup: that
 * adds search domains and the hosts file, and occupies one of four threads for as long as a hostile name server likes.
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
