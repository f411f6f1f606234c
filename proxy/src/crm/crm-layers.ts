import type { SearchCompanies } from './ask-for-companies.ts';
import type { CrmState } from './crm-budget.ts';
import type { FindOwnerDeps } from './find-owner.ts';
import type { LookupDeps } from './lookup-company.ts';

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

interface HasCrm {
  /** Null if no webhook is configured. */
  crm: CrmLayers | null;
}

/** A context in which a CRM is configured. */
export type WithCrm<C> = C & { crm: CrmLayers };

/** Whether a CRM is configured, so that the context is one of verbs that need it. */
export function hasCrm<C extends HasCrm>(ctx: C): ctx is WithCrm<C> {
  return ctx.crm !== null;
}

/** Likewise, and whether it is switched on. */
export function hasCrmOn<C extends HasCrm & { crmEnabled: boolean }>(ctx: C): ctx is WithCrm<C> {
  return ctx.crmEnabled && hasCrm(ctx);
}
