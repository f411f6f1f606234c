import type { Secret } from '#runtime/secret.ts';

/** How a stored secret compares with ours; the values themselves are not passed on. */
export type SecretState = 'current' | 'previous' | 'other' | 'unset';

/** `ours`: the current secret, then possibly the previous one. */
export function compareSecret(stored: string | null, ours: readonly Secret[]): SecretState {
  return stored === null || stored === '' ? 'unset' : whichOf(ours, (secret) => secret === stored);
}

/** Which of our secrets it is, by what is known of the stored one. */
export function whichOf(ours: readonly Secret[], isIt: (secret: string) => boolean): Exclude<SecretState, 'unset'> {
  const [current, previous] = ours.map((secret) => isIt(secret.reveal()));
  return current ? 'current' : previous ? 'previous' : 'other';
}
