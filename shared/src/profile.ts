import * as z from 'zod/mini';
import { OrgId } from './orgid.ts';
import { CrmError, LookupOutcome, LookupStatus, PlanStatus, ResponsibleStatus, TrustLevel } from './status.ts';

const text = z.nullable(z.string());

/** The part of the ticket that the profile needs. `name` is opaque: "61307" or "0035" (decision 16: checked names). */
export const TicketRef = z.object({
  name: z.string(),
  subject: text,
  customer: text,
  contact: text,
  raised_by: text,
  agent_group: text,
  custom_orgid: text,
});
export type TicketRef = z.infer<typeof TicketRef>;

/** HD Customer under its own field names; null for fields that the site does not have (docs/data.md#hd-customer). */
export const HelpdeskCustomer = z.object({
  name: z.string(),
  customer_name: text,
  domain: text,
  custom_platform_orgid: text,
  custom_myplatform: text,
  custom_customer_segment: text,
  custom_shopplan_name: text,
  custom_crm_company_id: text,
  custom_crm_company_url: text,
  custom_crm_sync_status: text,
  custom_crm_last_synced_at: text,
  custom_crm_last_checked_at: text,
});
export type HelpdeskCustomer = z.infer<typeof HelpdeskCustomer>;

export const HelpdeskContact = z.object({
  name: z.string(),
  full_name: text,
  email_id: text,
  phone: text,
  mobile_no: text,
});
export type HelpdeskContact = z.infer<typeof HelpdeskContact>;

/** A row of the account-link DocType, at most 20 (docs/data.md#account-links). */
export const AccountLink = z.object({
  user: text,
  email: text,
  haravan_userid: text,
  haravan_orgid: text,
  haravan_orgname: text,
  last_login: text,
});
export type AccountLink = z.infer<typeof AccountLink>;

/** A field that the operator added to the field map, under its own label: shown as is, `yes` or `no` if it is a boolean, a number of `files`. */
export const ExtraField = z.object({
  key: z.string(),
  label: z.string(),
  value: z.string(),
  type: z.optional(z.enum(['boolean', 'files'])),
});
export type ExtraField = z.infer<typeof ExtraField>;

/**
 * The CRM company, normalised (docs/data.md#the-crm-company). Dates are `dd/MM/yyyy` in the CRM's own offset;
 * `shopplan_days_left` counts whole days and is negative after expiry.
 */
export const Company = z.object({
  bitrix_id: z.string(),
  company_id: text,
  company_name: text,
  title_full: text,
  url: text,
  date_create: text,
  date_modify: text,
  assigned_by_id: text,
  address_region: text,
  address_country: text,
  verified_status: text,
  company_stage: text,
  freshsales_id: text,
  owner_name: text,
  owner_email: text,
  owner_phone: text,
  /** The company's own, as the CRM has them. */
  company_phone: text,
  company_email: text,
  membership: text,
  shop_created_date: text,
  first_shopplan_date: text,
  current_shopplan: text,
  current_shopplan_date: text,
  shopplan_expiry: text,
  shopplan_status: z.optional(PlanStatus),
  shopplan_days_left: z.optional(z.number()),
  current_hsi_segment: text,
  current_hsi_detail: text,
  last_hsi_segment: text,
  last_hsi_detail: text,
  customer_segment: text,
  customer_segment_code: text,
  metrics: z.optional(z.array(ExtraField)),
  profit: z.optional(z.array(ExtraField)),
  context: z.optional(z.array(ExtraField)),
});
export type Company = z.infer<typeof Company>;

/** One of the company's own contacts, and why this one was chosen (decision 6: what is beside it). */
export const CrmContact = z.object({
  id: z.string(),
  name: text,
  post: text,
  email: text,
  phone: text,
  url: text,
  chosen_by: z.enum(['email', 'first']),
});
export type CrmContact = z.infer<typeof CrmContact>;

/** The account owner: the CRM user in the company's ASSIGNED_BY_ID (docs/data.md#the-crm-company). */
export const Responsible = z.object({
  id: z.string(),
  active: z.boolean(),
  email: text,
  name: text,
  user_type: text,
  status: ResponsibleStatus,
});
export type Responsible = z.infer<typeof Responsible>;

/** Another company that the CRM has for the same org id; only the first one is used. */
export const AlternativeCompany = z.object({
  bitrix_id: z.string(),
  company_id: text,
  company_name: text,
  date_modify: text,
  url: text,
  /** What tells two companies with one org id apart. */
  current_shopplan: text,
  shopplan_expiry: text,
  customer_segment: text,
  owner_name: text,
  owner_email: text,
  owner_phone: text,
  address_region: z.optional(text),
});
export type AlternativeCompany = z.infer<typeof AlternativeCompany>;

/**
 * One reason for the trust level, as a code that the panel puts into words. `field` names the field that holds a value,
 * `value` quotes it: the sender's address; when an operator accepted it, of `on_desk_list` (ISO 8601); the agent of `linked_by_agent`, `known_to_agent` and `entered_by_agent`; the
 * account of somebody else of `contact_of_other`, `made_by_other` and `shared_with_other` (`everyone`: whoever is signed in);
 * our own account, or a guest's of a ticket that was split, of `maker_unknown`.
 */
export const TrustEvidence = z.object({
  code: z.enum([
    'linked_by_agent',
    'signed_in_email_of_company',
    'sender_email_of_company',
    'signed_in_known_to_agent',
    'sender_known_to_agent',
    'signed_in_on_desk_list',
    'sender_on_desk_list',
    'entered_by_agent',
    'contact_of_other',
    'split_unknown',
    'sender_changed',
    'made_by_other',
    'guest_ticket',
    'shared_with_other',
    'maker_unknown',
    'sender_not_of_company',
    'value_on_ticket',
    'value_on_customer',
    'value_in_customer_name',
  ]),
  field: z.optional(z.string()),
  value: z.optional(z.string()),
});
export type TrustEvidence = z.infer<typeof TrustEvidence>;

export const LookupTrust = z.object({ level: TrustLevel, evidence: z.array(TrustEvidence) });
export type LookupTrust = z.infer<typeof LookupTrust>;

/** What the CRM said of one org id, and how fresh it is. `as_of` is when it was checked, as an ISO instant (UTC). */
export const CompanyFile = z.object({
  status: LookupStatus,
  outcome: z.nullable(LookupOutcome),
  cached: z.boolean(),
  stale: z.boolean(),
  as_of: text,
  company: z.nullable(Company),
  contact: z.nullable(CrmContact),
  responsible: z.nullable(Responsible),
  alternatives: z.array(AlternativeCompany),
  error: z.nullable(CrmError),
});
export type CompanyFile = z.infer<typeof CompanyFile>;

/**
 * A company that the ticket or its customer names besides the leading one (decision 10: who leads). `source` and `field`
 * tell where; `trust` is null if it could not be judged in time. `file`: all of it, to be shown instead of the leading one.
 */
export const AlsoNamed = z.object({
  org_id: OrgId,
  source: z.enum(['ticket', 'customer', 'customer_name']),
  field: z.string(),
  bitrix_id: z.string(),
  company_name: text,
  url: text,
  trust: z.nullable(LookupTrust),
  file: CompanyFile,
});
export type AlsoNamed = z.infer<typeof AlsoNamed>;

/** Why a company is not the customer. `other` comes with a note. */
export const RejectionReasonCode = z.enum(['other_company', 'left_company', 'wrong_id', 'other']);
export type RejectionReasonCode = z.infer<typeof RejectionReasonCode>;

/** A reason of a later version reads as `other`. `note`: the agent's own words, empty if there are none. */
export const RejectionReason = z.object({ code: z.catch(RejectionReasonCode, 'other'), note: z.string() });
export type RejectionReason = z.infer<typeof RejectionReason>;

/** A company that an agent has rejected for the ticket or its sender (decision 13: wrong customer). `at`: ISO instant. */
export const RejectedCompany = z.object({
  id: z.string(),
  org_id: OrgId,
  bitrix_id: text,
  company_name: text,
  /** The agent's user id. */
  agent: z.string(),
  reason: RejectionReason,
  at: z.string(),
  /** The ticket on which it was rejected. */
  ticket: z.string(),
});
export type RejectedCompany = z.infer<typeof RejectedCompany>;

/** How a customer made by hand became a company: by a ticket of the company's own address, a Sync, the enrichment endpoint, `customers match`. */
export const AdoptedVia = z.enum(['pipeline', 'sync', 'enrichment', 'match']);
export type AdoptedVia = z.infer<typeof AdoptedVia>;

/** A ticket's customer that somebody made by hand and that may be the company on screen: for an agent to say. */
export const OfferedAdoption = z.object({ customer: z.string() });
export type OfferedAdoption = z.infer<typeof OfferedAdoption>;

/**
 * One that became the company. `id`: to undo it, as `sync_id` of a Sync's undo. `by`: the user whose word it was;
 * null: Deskside itself, because the company's own address raised the ticket. `at` is an ISO instant.
 */
const AdoptedCustomer = z.extend(OfferedAdoption, { id: z.string(), by: text, via: AdoptedVia, at: z.string() });

/** What the CRM said of the leading org id, and which others there are. */
export const CrmBlock = z.extend(CompanyFile, {
  enabled: z.boolean(),
  configured: z.boolean(),
  lookup_candidates: z.array(OrgId),
  lookup_value: z.nullable(OrgId),
  lookup_trust: z.nullable(LookupTrust),
  also_named: z.array(AlsoNamed),
  /** Companies that agents have rejected for the ticket or its sender, newest first. */
  rejected: z.array(RejectedCompany),
  /** The ticket's customer, made by hand: one that may be the leading company, or became it by this ticket. Absent if it is neither. */
  adoption: z.optional(OfferedAdoption),
  adopted: z.optional(AdoptedCustomer),
});
export type CrmBlock = z.infer<typeof CrmBlock>;

/** Parts that are still being read; a second request in a moment has them. `crm`: all that the CRM says, the status included. */
const PendingPart = z.enum(['lookup_trust', 'haravan', 'crm']);

/** `data` of the profile endpoint (docs/api.md#profile). The names `haravan` and `bitrix` are part of the interface. */
export const ProfileData = z.object({
  ticket: TicketRef,
  customer: z.nullable(HelpdeskCustomer),
  contact: z.nullable(HelpdeskContact),
  haravan: z.array(AccountLink),
  bitrix: CrmBlock,
  /** Full names of the agents whose word is told, by user; one who has none is left out. */
  names: z._default(z.record(z.string(), z.string()), {}),
  pending: z.array(PendingPart),
  /** Org id fields whose value is not an org id, so that someone can correct them. */
  notes: z.array(z.object({ code: z.literal('orgid_unusable'), field: z.string() })),
});
export type ProfileData = z.infer<typeof ProfileData>;
