import type { Upstream } from '#net/egress.ts';
import type { Clock } from '#runtime/clock.ts';

/**
 * An upstream that also measures how far the other side's clock is ahead of ours, in milliseconds: by the `Date` header of
 * the fastest response. Accurate to a second.
 */
export function createClockProbe(upstream: Upstream, clock: Clock): { upstream: Upstream; ahead(): number | null } {
  let best: { took: number; ahead: number } | null = null;
  return {
    ahead: () => best?.ahead ?? null,
    upstream: {
      origin: upstream.origin,
      async request(options) {
        const asked = clock();
        const response = await upstream.request(options);
        const took = clock() - asked;
        const told = Date.parse(response.headers.date ?? '');
        if (!Number.isNaN(told) && (best === null || took < best.took)) best = { took, ahead: told - asked - took / 2 };
        return response;
      },
    },
  };
}
