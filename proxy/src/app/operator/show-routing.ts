import type { OperatorRouting } from '@deskside/shared/operator/routing';
import { routingOf } from '#domain/operator/day.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { ReadDay } from './read-day.ts';

/** Where the day's tickets went, since a moment in epoch milliseconds; names that cannot be had are left out. */
export type ShowRouting = (since: number, signal: AbortSignal) => Promise<OperatorRouting>;

/** Names are a nicety: the answer does not wait longer for them. */
const namesWithinMs = 1_500;

export function createShowRouting(deps: {
  readDay: ReadDay;
  helpdesk: Pick<HelpdeskTickets, 'userNames'>;
}): ShowRouting {
  return async (wanted, signal) => {
    const { since, now, decided } = await deps.readDay(wanted);
    const users = [...new Set(decided.flatMap(({ turn }) => turn?.eligible ?? []))];
    const limited = AbortSignal.any([signal, AbortSignal.timeout(namesWithinMs)]);
    const names = users.length === 0 ? [] : await deps.helpdesk.userNames(users, limited).catch(() => []);
    return routingOf(decided, { since, now, names: new Map(names) });
  };
}
