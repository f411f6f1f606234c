import { contract } from '@deskside/shared/contract';
import type { RoutingDecision, RoutingDecisions } from '@deskside/shared/routing';
import { type Call, endpoint } from '#context.ts';
import { machine } from '#runtime/machine.ts';
import * as decisions from '#store/decisions.ts';
import * as notes from '#store/notes.ts';

/** Names are a nicety: the answer does not wait longer for them. */
const namesWithinMs = 1_500;

/**
 * Why a ticket went where it went: every decision on it, newest first, for an agent who may read it. Names that cannot be had
 * are left out. Throws what `openTicket` throws.
 */
export async function listDecisions(ctx: Call, { ticket }: { ticket: string }): Promise<RoutingDecisions> {
  const { ticket: read } = await ctx.gate.openTicket(ctx.caller, ticket, ctx.signal);
  const [all, refusal] = await Promise.all([decisions.list(ctx.db, read), notes.refusalOf(ctx.db, read)]);
  const names = await namesOf(ctx, all.flatMap(usersOf));
  return { ticket: read.name, decisions: all, names, ...(refusal && { refused: refusal.refusal }) };
}

export const decisionsEndpoint = endpoint(contract.routingDecisions, {
  who: 'agent',
  handle: listDecisions,
  message: ({ decisions }) =>
    decisions.length > 0 ? 'Routing decisions loaded.' : 'There are no decisions on this ticket.',
});

/** Full names of these users, as far as they can be had in a moment. */
export async function namesOf({ helpdesk, signal }: Call, users: readonly string[]): Promise<Record<string, string>> {
  if (users.length === 0) return {};
  const limited = AbortSignal.any([signal, machine.timeout(namesWithinMs)]);
  const names = await helpdesk.people.userNames(users, limited).catch(() => []);
  return Object.fromEntries(names);
}

/** Of the helpdesk's users: whoever was looked at, and agents who vouched for the company. */
function usersOf({ assignment, inputs }: RoutingDecision): string[] {
  const vouching = (inputs.org_id?.trust?.evidence ?? []).filter(
    ({ code }) => code === 'linked_by_agent' || code === 'entered_by_agent',
  );
  const { agent, candidates } = assignment;
  return [agent, ...candidates.map(({ user }) => user), ...vouching.map(({ value }) => value)].filter(
    (user): user is string => Boolean(user),
  );
}
