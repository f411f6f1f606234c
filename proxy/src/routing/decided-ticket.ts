import type { Turn } from './fairness.ts';

/** One decision, as far as fairness is judged by it. */
export interface DecidedTicket {
  id: string;
  ticket: string;
  team: string | null;
  /** Whose turn it was, and who could have got the ticket; null if nobody's. */
  turn: { agent: string; eligible: readonly string[] } | null;
}

/** The turns that were taken. */
export function turnsOf(decided: readonly DecidedTicket[]): Turn[] {
  return decided.flatMap(({ ticket, team, turn }) =>
    team === null || turn === null ? [] : [{ ticket, team, ...turn }],
  );
}
