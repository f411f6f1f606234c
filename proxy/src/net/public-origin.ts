import type { buildConnector } from 'undici';
import { unlessAborted } from '#concurrency/unless-aborted.ts';
import { type ConnectHow, connectorTo, notOpened } from './connect-to.ts';
import { EgressError } from './egress-error.ts';
import { isPublicAddress } from './public-address.ts';
import { publicUrl } from './public-host.ts';
import { createResolve, type Resolve } from './resolve.ts';

/**
 * Whether an address leads to the public internet alone, by its name and by every address that the name has now. Rejects
 * if the name cannot be looked up.
 */
export async function isPublicOrigin(
  address: string,
  signal: AbortSignal,
  resolve: Resolve = createResolve(),
): Promise<boolean> {
  const url = publicUrl(address);
  return url !== null && arePublic(await resolve(url.hostname, signal));
}

/**
 * A connector for the HTTP library that looks the name up for each connection and connects only if every address is public
 * at that moment. Fails with an EgressError `unreachable`.
 */
export function publicConnector(how: ConnectHow & { resolve: Resolve }): buildConnector.connector {
  return (options, callback) => {
    const opening = new AbortController();
    const timer = setTimeout(() => opening.abort(), how.timeoutMs);
    const addresses = unlessAborted(how.resolve(options.hostname, opening.signal), opening.signal).then((found) => {
      if (arePublic(found)) return found;
      throw new EgressError('unreachable', 'The host name leads to no public address.');
    });
    addresses.then(
      (found) =>
        connectorTo(
          found,
          opening.signal,
          how,
        )(options, (...result) => {
          clearTimeout(timer);
          callback(...result);
        }),
      (error) => {
        clearTimeout(timer);
        callback(notOpened(error), null);
      },
    );
  };
}

function arePublic(addresses: readonly string[]): boolean {
  return addresses.length > 0 && addresses.every(isPublicAddress);
}
