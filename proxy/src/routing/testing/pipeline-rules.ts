import type { RoutingConfig } from '#rules.ts';

export const scale = 'Medium - Scale';
export const grow = 'Medium - Grow';
export const cs = 'CS 60p';

/** The specification's rules. */
export const routingConfig: RoutingConfig = {
  claims: 'accept',
  teams: { medium_scale: scale, medium_grow: grow, sme: cs },
  plan_words: { scale: ['scale'], grow: ['grow'] },
  medium_segments: ['Medium'],
};
