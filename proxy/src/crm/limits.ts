import type { BucketLimits } from './request-bucket.ts';

/** Objects of so much JSON are made before anybody else waits for them noticeably. */
export const maxBytes = 2 * 2 ** 20;

/**
 * What we allow ourselves, by the portal's plan: four fifths of the published bucket, drained at nine tenths of the
 * published rate (docs/crm.md#limits: 50 and 2 a second, 250 and 5 a second), so that others at our address have room
 * and clock differences do no harm.
 */
export const ourLimits: Readonly<Record<'standard' | 'enterprise', BucketLimits>> = {
  standard: { capacity: 40, intervalMs: Math.ceil(1_000 / 1.8) },
  enterprise: { capacity: 200, intervalMs: Math.ceil(1_000 / 4.5) },
};
