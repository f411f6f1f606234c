import * as z from 'zod/mini';
import { Conflict } from './envelope.ts';
import { OrgId } from './orgid.ts';
import {
  AccountLink,
  AlternativeCompany,
  Company,
  CrmContact,
  HelpdeskContact,
  HelpdeskCustomer,
  Responsible,
} from './profile.ts';
import { CrmError, LookupOutcome, LookupStatus } from './status.ts';

const text = z.nullable(z.string());

/** One value of a helpdesk record that was, or would be, written. Values are as the record shows them. */
export const FieldChange = z.object({ field: z.string(), from: text, to: text });
export type FieldChange = z.infer<typeof FieldChange>;

export const TicketLinkResult = z.object({ name: z.string(), linked: z.boolean(), previous_customer: text });
export type TicketLinkResult = z.infer<typeof TicketLinkResult>;

/** `data` of the enrichment endpoint (docs/api.md#enrichment), including what it changed. */
export const EnrichmentData = z.object({
  status: LookupStatus,
  outcome: z.optional(z.nullable(LookupOutcome)),
  /** `outcome` is what the CRM said before its answer went out of date: it could not be asked again. */
  stale: z.optional(z.boolean()),
  hd_customer: z.optional(text),
  created: z.optional(z.boolean()),
  ticket: z.optional(TicketLinkResult),
  company: z.optional(z.nullable(z.object({ id: z.string(), title: text, date_modify: text }))),
  changes: z.optional(z.array(FieldChange)),
  snapshot: z.optional(z.enum(['written', 'unchanged', 'absent'])),
  alternatives: z.optional(z.array(AlternativeCompany)),
  conflict: z.optional(z.nullable(Conflict)),
  error: z.optional(z.nullable(CrmError)),
});
export type EnrichmentData = z.infer<typeof EnrichmentData>;

/**
 * HD Customer as the older panel reads it, beside the field names of today (docs/api.md#refresh); null for what
 * Deskside does not keep.
 */
const LegacyCustomer = z.extend(HelpdeskCustomer, {
  haravan_orgid: text,
  haravan_company_id: text,
  myharavan: text,
  customer_segment: text,
  first_paid_date: text,
  shopplan_name: text,
  expired_date: text,
  hsi_segment: text,
  bitrix_company_id: text,
  bitrix_company_url: text,
  bitrix_sync_status: text,
  bitrix_last_synced_at: text,
});
export type LegacyCustomer = z.infer<typeof LegacyCustomer>;

/** The company as the older panel reads it: `id` and `title` beside the names of today. */
const LegacyCompany = z.extend(z.partial(Company), { id: z.string(), title: text, url: text });

/** `data` of the refresh endpoint and of the legacy panel endpoint (docs/api.md#refresh). */
export const CustomerRefreshData = z.object({
  ticket: z.looseObject({}),
  customer: z.nullable(LegacyCustomer),
  contact: z.nullable(HelpdeskContact),
  haravan: z.array(AccountLink),
  bitrix: z.object({
    enabled: z.nullable(z.boolean()),
    configured: z.nullable(z.boolean()),
    status: z.string(),
    cached: z.optional(z.boolean()),
    /** The company is what the CRM said before its answer went out of date: it could not be asked again. */
    stale: z.optional(z.boolean()),
    company: z.nullable(LegacyCompany),
    contact: z.nullable(z.partial(CrmContact)),
    responsible: z.nullable(Responsible),
  }),
  changes: z.optional(z.array(FieldChange)),
});
export type CustomerRefreshData = z.infer<typeof CustomerRefreshData>;

/** The panel's Sync: preview the changes, apply them, or undo them. */
export const SyncAction = z.enum(['preview', 'apply', 'undo']);
export type SyncAction = z.infer<typeof SyncAction>;

/**
 * A customer that somebody made by hand, without org id and CRM id, and that may be the company: the ticket's own, or one
 * of the company's name. `may_adopt`: whether the caller may write it, which adopting takes (decision 12: made by
 * hand). `outsiders`: accounts outside the desk that belong to it, besides the sender's, and that may write it, the
 * sender's as well; `everyone` for nobody in particular. Only one without any is proposed first.
 */
export const AdoptionCandidate = z.object({
  name: z.string(),
  of_ticket: z.boolean(),
  may_adopt: z.boolean(),
  outsiders: z.array(z.string()),
});
export type AdoptionCandidate = z.infer<typeof AdoptionCandidate>;

/**
 * `data` of the sync endpoint (docs/api.md#sync). `ticket.customer` is the ticket's customer after the action,
 * `customer` the one it is (or, in a preview, would be) linked to; `adopted`: the caller says that this one, made by hand,
 * is the company, and after an undo that it is not. `adoptable` names in a preview which ones could be instead of making
 * a new one. `changes` are those to that customer's record, without the timestamps of the check. `sync_id` identifies the sync for the action `undo`. Nothing is changed, or
 * would be, unless the status is `matched` or `cached`.
 */
export const SyncData = z.object({
  action: SyncAction,
  status: LookupStatus,
  sync_id: text,
  ticket: z.object({ name: z.string(), customer: text, previous_customer: text, linked: z.boolean() }),
  customer: z.nullable(z.object({ name: z.string(), created: z.boolean(), adopted: z.optional(z.boolean()) })),
  adoptable: z.optional(z.array(AdoptionCandidate)),
  company: z.nullable(z.object({ id: z.string(), company_id: z.nullable(OrgId), name: text })),
  changes: z.array(FieldChange),
  /**
   * In a preview the team to which `reroute` would send the ticket; null or absent if it stays where it is. After applying
   * with it the team in which the ticket is by the rules; null if it could not be decided again.
   */
  team: z.optional(text),
});
export type SyncData = z.infer<typeof SyncData>;
