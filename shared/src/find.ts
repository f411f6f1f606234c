import * as z from 'zod/mini';
import { Id, TicketName } from './input.ts';
import { maxQueryLength } from './limits.ts';
import { OrgId } from './orgid.ts';
import { CrmError, PlanStatus } from './status.ts';

const text = z.nullable(z.string());

/**
 * Input of the search for a company (docs/api.md#find-company): the ticket that it is for, and what was typed. Without a
 * text it is searched by what is known of the ticket's sender: their address, then their telephone.
 */
export const FindInput = z.object({
  ticket: z.pipe(Id, TicketName),
  query: z.optional(
    z.string('Expected a text.').check(z.maxLength(maxQueryLength, 'Expected at most 200 characters.')),
  ),
});

/** What a text may be that somebody knows a company by. */
export const FindKind = z.enum(['org_id', 'shop_address', 'email', 'phone', 'name']);
export type FindKind = z.infer<typeof FindKind>;

/** What of a company matches. `person`: whose it is, if it is a contact's; `value` quotes the record. */
const FoundBy = z.object({ by: FindKind, value: z.string(), person: text });

/**
 * A company that was found, in the CRM, in the helpdesk or in both. Without `org_id` no ticket can be linked to it.
 * `customer`: the helpdesk's. `same_org_id`: how many more companies the CRM has under this org id.
 */
export const FoundCompany = z.object({
  org_id: z.nullable(OrgId),
  bitrix_id: text,
  name: text,
  url: text,
  plan: text,
  plan_status: z.optional(PlanStatus),
  plan_days_left: z.optional(z.number()),
  /** What tells it from another one of its name: the shop owner, the last three digits of the telephone, the region. */
  owner: z.optional(text),
  phone_end: z.optional(text),
  region: z.optional(text),
  customer: text,
  same_org_id: z.number(),
  found_by: z.array(FoundBy),
});
export type FoundCompany = z.infer<typeof FoundCompany>;

/** Whether one of the two systems was searched. `failed`, also where some of it was: there may be more. */
const SearchStatus = z.enum(['searched', 'failed', 'not_permitted', 'disabled', 'missing_config']);

/**
 * `data` of the search for a company. `read_as`: what the text was taken for, empty if it is too short for anything.
 * `companies`: the closest first, at most ten, three by the sender; `more`: there are others.
 */
export const FindData = z.object({
  ticket: z.string(),
  read_as: z.array(FindKind),
  companies: z.array(FoundCompany),
  more: z.boolean(),
  helpdesk: z.object({ status: SearchStatus }),
  crm: z.object({ status: SearchStatus, error: z.nullable(CrmError) }),
});
export type FindData = z.infer<typeof FindData>;
