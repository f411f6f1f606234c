import type { AdoptedVia, AdoptionEvidence } from '@deskside/shared/adoption';
import type { FieldChange } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';

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

/** A customer without identity that became a company (docs/decisions.md 11). */
export interface Adoption extends Adopting {
  id: string;
  customer: string;
  orgId: OrgId;
  crmCompanyId: string;
  companyName: string | null;
  /** What was to be written to the customer, and what was there before. */
  changes: FieldChange[];
  undoneAt: number | null;
}

/**
 * Which customers made by hand became which company, why, and what they were before: what undoing rests on. Survives
 * `kill -9`. An adoption that stands had its effect only if the customer has its org id.
 */
export interface CustomerAdoptions {
  /**
   * Records an adoption before its effect and returns its id, which cannot be guessed. Takes the place of one that stands
   * for the same customer and org id: that one has not come to its effect, or somebody has taken the org id away since.
   */
  record(adoption: Omit<Adoption, 'id' | 'undoneAt'>): Promise<string>;
  get(id: string): Promise<Adoption | null>;
  /** All of a customer, newest first. */
  ofCustomer(customer: string): Promise<Adoption[]>;
  /** The one by which a customer that has the org id got it; null if it was not adopted. */
  standing(customer: string, orgId: string): Promise<Adoption | null>;
  ofBatch(batch: string): Promise<Adoption[]>;
  /** Those that operators accepted and nobody has undone, newest first. */
  accepted(): Promise<Adoption[]>;
  /** Which customers were made which company and are so no more, by whomever. */
  takenBack(): Promise<Pick<Adoption, 'customer' | 'orgId'>[]>;
  /** Repeatable: the first time stays. */
  markUndone(id: string, at: number): Promise<void>;
  /** Lets an adoption count again. Repeatable. */
  restore(id: string): Promise<void>;
}
