import type { CrmState } from '#ports/crm/crm-budget.ts';
import type { FindOwnerDeps } from './find-owner.ts';
import type { LookupDeps } from './lookup-company.ts';
import type { SearchCompanies } from './search-companies.ts';

/** The CRM with every layer in front of it (ARCHITECTURE.md#the-crms-budget), as the verbs need it. */
export interface CrmLayers extends LookupDeps, FindOwnerDeps {
  searchCompanies: SearchCompanies;
  /** Searches in what the others leave of the budget. Never throws. */
  askInSpare: SearchCompanies;
  /** The CRM has announced a change of its fields. */
  forgetSegments(): void;
  /** For an operator. Throws if the store fails. */
  state(): Promise<CrmState>;
}
