import type { HelpdeskUserSeed } from '../simulators/seed/types.ts';

/** The Authorization header of a user's API key. */
export function keyOf({ apiKey, apiSecret }: Pick<HelpdeskUserSeed, 'apiKey' | 'apiSecret'>): string {
  return `token ${apiKey}:${apiSecret}`;
}
