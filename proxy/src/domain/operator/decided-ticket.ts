import type { RoutingDecision, RoutingRule } from '@deskside/shared/routing';
import type { Turn } from '#domain/routing/fairness.ts';

/** One decision, as far as the operator page looks at it. `at`: epoch milliseconds. */
export interface DecidedTicket {
  id: string;
  ticket: string;
  /** Whether it is the ticket's latest. */
  isLatest: boolean;
  at: number;
  cause: RoutingDecision['cause'];
  /** How its ticket was found, if it is the ticket's first: `sweep` if no webhook has come to this day. */
  foundBy: 'webhook' | 'sweep' | null;
  team: string | null;
  rule: RoutingRule | null;
  orgId: string | null;
  trust: 'confirmed' | 'likely' | 'claimed' | null;
  /** Whether the CRM said that it has no such company. */
  isNotFound: boolean;
  fallback: RoutingDecision['outcome']['fallback'];
  isOverruled: boolean;
  /** Whose turn it was, and who could have got the ticket; null if nobody's. */
  turn: { agent: string; eligible: readonly string[] } | null;
}

/** The turns that were taken. */
export function turnsOf(decided: readonly DecidedTicket[]): Turn[] {
  return decided.flatMap(({ ticket, team, turn }) =>
    team === null || turn === null ? [] : [{ ticket, team, ...turn }],
  );
}

/**
 * Whether the company is vouched for, only claimed, or not known. What nobody has judged is a claim, as it is for the rules
 * (`isClaim`).
 */
export function matchOf({ orgId, trust, isNotFound }: DecidedTicket): 'matched' | 'claimed' | 'unknown' {
  if (orgId === null || isNotFound) return 'unknown';
  return (trust ?? 'claimed') === 'claimed' ? 'claimed' : 'matched';
}
