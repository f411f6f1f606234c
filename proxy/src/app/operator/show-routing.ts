import type { OperatorRouting } from '@deskside/shared/operator/routing';
import type { OperatorContext } from '#app/context.ts';
import { routingOf } from '#domain/operator/day.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';

/** Names are a nicety: the answer does not wait longer for them. */
const namesWithinMs = 1_500;

type Needs = Pick<OperatorContext, 'readDay'> & { helpdesk: Pick<HelpdeskTickets, 'userNames'> };

/** Where the day's tickets went, since a moment (ISO 8601); names that cannot be had are left out. */
export async function showRouting(ctx: Needs, asked: { since: string }, signal: AbortSignal): Promise<OperatorRouting> {
  const { since, now, decided } = await ctx.readDay(Date.parse(asked.since));
  const users = [...new Set(decided.flatMap(({ turn }) => turn?.eligible ?? []))];
  const limited = AbortSignal.any([signal, AbortSignal.timeout(namesWithinMs)]);
  const names = users.length === 0 ? [] : await ctx.helpdesk.userNames(users, limited).catch(() => []);
  return routingOf(decided, { since, now, names: new Map(names) });
}
