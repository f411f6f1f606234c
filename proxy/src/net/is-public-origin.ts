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
  if (url === null) return false;
  const addresses = await resolve(url.hostname, signal);
  return addresses.length > 0 && addresses.every(isPublicAddress);
}
