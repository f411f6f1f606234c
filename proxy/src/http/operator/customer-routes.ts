import { operatorContract } from '@deskside/shared/operator/contract';
import type { CustomerMatches } from '@deskside/shared/operator/customers';
import type { Context, Handler } from 'hono';
import { type AcceptNeeds, acceptCertain, acceptMatch, undoAccepted } from '#app/customer/match/accept-match.ts';
import { type ListMatchesNeeds, listMatches } from '#app/customer/match/list-matches.ts';
import { beginMatching, type MatchNeeds } from '#app/customer/match/match-customers.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { bodyOf } from '#http/body.ts';
import type { AppEnv } from '#http/context.ts';
import { parseInput } from '#http/input.ts';

type Needs = MatchNeeds & AcceptNeeds & ListMatchesNeeds;
type Endpoint = 'customers' | 'matchCustomers' | 'acceptMatch' | 'acceptCertain' | 'undoAccepted';

/**
 * The part of the operator page's data about customers made by hand. Every operator sees them, System Managers accept.
 *
 * @param contextOf what the configuration in force gives; null if there is no CRM to ask
 * @param actorOf who is signed in, with the roles of this moment if they want to change something; throws `unauthenticated`,
 *   or `helpdesk_…` if that cannot be known
 */
export function customerRoutes(
  contextOf: () => Needs | null,
  actorOf: (c: Context<AppEnv>, isChange: boolean) => Promise<{ name: string; mayChangeSettings: boolean }>,
): Record<Endpoint, Handler<AppEnv>> {
  const { acceptMatch: one, acceptCertain: certain, undoAccepted: undo } = operatorContract;
  const changing =
    (change: (ctx: Needs, by: string, c: Context<AppEnv>) => Promise<object>): Handler<AppEnv> =>
    async (c) => {
      const { name, mayChangeSettings } = await actorOf(c, true);
      if (!mayChangeSettings) throw new AppError('not_a_system_manager');
      const ctx = contextOf();
      if (ctx === null) throw new AppError('changed_since');
      return c.json({ success: true, data: await change(ctx, name, c), message: 'Done.' });
    };
  return {
    customers: async (c) => {
      await actorOf(c, false);
      const ctx = contextOf();
      const none: CustomerMatches = { has_crm: false, run: null, matches: [], accepted: [] };
      return c.json({ success: true, data: ctx === null ? none : await listMatches(ctx), message: 'Done.' });
    },
    matchCustomers: changing(async (ctx) => {
      await beginMatching(ctx);
      return {};
    }),
    acceptMatch: changing(async (ctx, by, c) => {
      const { customer, org_id: orgId } = parseInput(one.input, await bodyOf(c));
      return acceptMatch(ctx, { by, customer, orgId }, c.req.raw.signal);
    }),
    acceptCertain: changing(async (ctx, by, c) => {
      const { judged_at: judgedAt, ...order } = parseInput(certain.input, await bodyOf(c));
      return acceptCertain(ctx, { by, judgedAt, ...order }, c.req.raw.signal);
    }),
    undoAccepted: changing(async (ctx, _, c) =>
      undoAccepted(ctx, parseInput(undo.input, await bodyOf(c)), c.req.raw.signal),
    ),
  };
}
