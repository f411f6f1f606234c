import type { HelpdeskUserSeed } from '@deskside/simulators/seed/index';

/** The Authorization header of a user's API key. */
export function keyOf({ apiKey, apiSecret }: Pick<HelpdeskUserSeed, 'apiKey' | 'apiSecret'>): string {
  return `token ${apiKey}:${apiSecret}`;
}
