import type { Leases } from '#ports/runtime/lease.ts';

/** Renews a lease that is held, three times in its life, until the returned function is called. */
export function keepLease(leases: Pick<Leases, 'take'>, key: string, owner: string, ms: number): () => void {
  const renewal = setInterval(() => void leases.take([key], owner, ms).catch(() => {}), ms / 3);
  return () => clearInterval(renewal);
}
