import type { CrmRecord, CrmSeed } from '#seed/types.ts';
import type { CrmFault } from './calls/faults.ts';
import type { PortalPlan } from './calls/limits.ts';
import type { Params } from './http/request.ts';

export type { CrmFault } from './calls/faults.ts';

export interface CrmOptions {
  seed: CrmSeed;
  /** Port on 127.0.0.1; 0 or absent for a free one. */
  port?: number;
  /** Whose published limits hold. */
  plan?: PortalPlan;
  /** The present in epoch milliseconds, for limits and times. */
  now?: () => number;
}

/** How a portal declares a field. */
export interface FieldType {
  type: string;
  multiple: boolean;
}

export type WebhookName = 'main' | 'crm_only' | 'responsible';

/** A call that has come in; what a fault may depend on. */
export interface CrmCall {
  method: string;
  params: Params;
  /** Methods of a batch, in order. */
  commands?: string[];
  /** Null for an address that is none of the portal's webhooks. */
  webhook: WebhookName | null;
}

/** One HTTP request. `status` 0: nothing was answered (yet). `error`: the code that the whole request failed with. */
export interface CrmJournalEntry extends CrmCall {
  status: number;
  error: string | null;
}

/** A running portal. Assignable settings hold from the next request on. */
export interface CrmSimulator {
  /** Origin, also the portal's address. */
  url: string;
  /** Scopes crm and user_basic. */
  webhookUrl: string;
  /** Scope crm alone. */
  crmOnlyWebhookUrl: string;
  /** Scope user_basic alone. */
  responsibleWebhookUrl: string;
  /** Scopes that each webhook was given; may be replaced. */
  scopes: Record<WebhookName, string[]>;
  /** Fields of companies that this portal does not have. */
  absentFields: Set<string>;
  /** Fields of companies that this portal has with another type, or as several values. */
  fieldTypes: Map<string, FieldType>;
  /** Every secret in use, for canary tests. */
  secrets: string[];
  journal: CrmJournalEntry[];
  clearJournal(): void;
  fault: CrmFault | null | ((call: CrmCall) => CrmFault | null);
  /** Added before each answer. */
  latencyMs: number;
  /** Execution time charged for each method call, and the sum in ten minutes at which a method is blocked. */
  operatingSeconds: { perCall: number; limit: number };
  company(id: string): CrmRecord | undefined;
  putCompany(record: CrmRecord): void;
  removeCompany(id: string): void;
  putContact(record: CrmRecord): void;
  close(): Promise<void>;
}

/** The records of one portal, by id. */
export interface Portal {
  companies: Map<string, CrmRecord>;
  contacts: Map<string, CrmRecord>;
  users: Map<string, CrmRecord>;
}
