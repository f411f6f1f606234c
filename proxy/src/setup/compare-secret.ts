import { timingSafeEqual } from 'node:crypto';
import type { Secret } from '#ports/runtime/secret.ts';

/** How a stored secret compares with ours; the values themselves are not passed on. */
export type SecretState = 'current' | 'previous' | 'other' | 'unset';

/** `ours`: the current secret, then possibly the previous one. */
export function compareSecret(stored: string | null, ours: readonly Secret[]): SecretState {
  if (stored === null || stored === '') return 'unset';
  const [current, previous] = ours.map((secret) => isSame(secret.reveal(), stored));
  return current ? 'current' : previous ? 'previous' : 'other';
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
