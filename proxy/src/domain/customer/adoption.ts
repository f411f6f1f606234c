import type { AdoptedVia, AdoptionEvidence } from '@deskside/shared/adoption';

/** Why a customer made by hand becomes a company, and at whose word. */
export interface AdoptionCause {
  /** The user's id; null: Deskside itself, by the evidence. */
  by: string | null;
  via: AdoptedVia;
  ticket: string | null;
  /** What an operator accepted at once. */
  batch: string | null;
  evidence: AdoptionEvidence;
}

/** `at` in epoch milliseconds. */
export type Adopting = AdoptionCause & { at: number };

/** That an agent said so is all there is to it. */
export function agentsWord(word: Pick<Adopting, 'via' | 'ticket' | 'at'> & { by: string }): Adopting {
  return { ...word, batch: null, evidence: { for: [], against: [] } };
}
