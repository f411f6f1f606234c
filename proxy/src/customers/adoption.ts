import type { AdoptedVia } from '@deskside/shared/adoption';

/** Why a customer made by hand becomes a company, and at whose word. `at` in epoch milliseconds. */
export interface Adopting {
  /** The user's id; null: Deskside itself, because the company's own address raised the ticket. */
  by: string | null;
  via: AdoptedVia;
  ticket: string | null;
  at: number;
}
