import * as z from 'zod';

const name = z.string().trim().min(1, 'expected a name').max(140, 'expected at most 140 characters');
const words = z.array(z.string().trim().min(1, 'expected a word')).min(1, 'expected at least one word');

/** The part of the rules that routing goes by (spec.md, "Ticket routing rules"; design.md, decisions 10 and 22). */
export const RoutingRules = z.strictObject({
  /**
   * `accept`: an org id that only the sender vouches for links and routes a ticket that has no customer. `propose`: it
   * does neither, for sites where customers see each other's tickets.
   */
  claims: z.enum(['accept', 'propose'], 'expected accept or propose').default('accept'),
  /** Agent groups that tickets are routed to. */
  teams: z
    .strictObject({
      medium_scale: name.default('Medium - Scale'),
      medium_grow: name.default('Medium - Grow'),
      sme: name.default('CS 60p'),
    })
    .prefault({}),
  /** Words that tell the shop plan; those of `scale` are looked for first. */
  plan_words: z.strictObject({ scale: words.default(['scale']), grow: words.default(['grow']) }).prefault({}),
  /** Values of the customer segment that count as Medium; case, blanks, `-` and `_` make no difference. */
  medium_segments: words.default(['Medium']),
});
export type RoutingRules = z.output<typeof RoutingRules>;
