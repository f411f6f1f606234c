import * as z from 'zod/mini';
import { AroundTicket } from './around.ts';
import { CustomerRefreshData, EnrichmentData, SyncData } from './enrichment.ts';
import { EnrichmentInput, IntakeInput, RefreshInput, SyncInput } from './enrichment-input.ts';
import { FindData, FindInput } from './find.ts';
import { Flag, PostedTicketName, TicketName } from './input.ts';
import { ProfileData } from './profile.ts';
import { RejectInput, RejectionData } from './reject-customer.ts';
import { IntakeData, RoutingDecisions } from './routing.ts';
import { Today, TodayInput } from './today.ts';

export const Browser = z.enum(['chrome', 'edge', 'firefox']);
export type Browser = z.infer<typeof Browser>;

/**
 * What the extension looks for on the helpdesk's ticket page: the header into which it puts its button, the frame with the
 * conversation and the reply, the column beside it that the panel lies over, and the field with the ticket's customer in it.
 */
export const PageAnchor = z.enum(['ticket_header', 'app_frame', 'ticket_column', 'ticket_fields']);
export type PageAnchor = z.infer<typeof PageAnchor>;

/** A CSS selector, and nothing that could be more: no rule, no markup. */
const Selector = z
  .string()
  .check(z.minLength(1), z.maxLength(200), z.regex(/^[^{}<;@\\\p{Cc}]+$/u, 'Expected a CSS selector.'));
const Selectors = z.optional(z.array(Selector).check(z.maxLength(5)));

/** Selectors for what the helpdesk's page has elsewhere now, by anchor; the first that finds something counts. */
export const PageAnchors = z.object({
  ticket_header: Selectors,
  app_frame: Selectors,
  ticket_column: Selectors,
  ticket_fields: Selectors,
});
export type PageAnchors = z.infer<typeof PageAnchors>;

/** What the extension needs before anyone has signed in. Public. */
export const Discovery = z.object({
  name: z.literal('deskside'),
  version: z.string(),
  helpdesk_url: z.string(),
  oauth_client_ids: z.partialRecord(Browser, z.string()),
  page_anchors: z.optional(PageAnchors),
});
export type Discovery = z.infer<typeof Discovery>;

/** Something that keeps Deskside from working fully, and the part of the setup it belongs to. */
export const SetupGap = z.object({
  part: z.enum(['crm', 'helpdesk', 'service_account']),
  code: z.enum([
    'crm_disabled',
    'crm_not_configured',
    'responsible_not_configured',
    'fields_missing',
    'helpdesk_refused',
  ]),
  detail: z.optional(z.string()),
});
export type SetupGap = z.infer<typeof SetupGap>;

export const Whoami = z.object({
  user: z.string(),
  full_name: z.nullable(z.string()),
  /** The language they use the helpdesk in, such as `vi`. Null: none is set. */
  language: z.nullable(z.string()),
  is_agent: z.boolean(),
  /** Has the role Agent Manager, to whom the Team page is shown. */
  is_manager: z.boolean(),
  proxy_version: z.string(),
  helpdesk_url: z.string(),
  missing: z.array(SetupGap),
});
export type Whoami = z.infer<typeof Whoami>;

/** A version such as `1.28.1`, and nothing that could say more than that. */
const Version = z.string().check(z.maxLength(20), z.regex(/^\d+(\.\d+){0,3}$/, 'Expected a version such as 1.28.1.'));

/** `known`: answered at once, without the CRM, for somebody who waits for it already. */
const ProfileInput = z.object({
  ticket: PostedTicketName,
  refresh: z.prefault(Flag, '0'),
  known: z.prefault(Flag, '0'),
});

/** Every endpoint of the proxy that clients may call. Both sides validate with these schemas. */
export const contract = {
  customerProfile: {
    method: 'GET',
    path: '/api/method/platform_crm_customer_profile',
    input: ProfileInput,
    data: ProfileData,
  },
  legacyProfile: {
    method: 'GET',
    path: '/api/method/login_with_platform.customer_profile.get_ticket_customer_profile',
    input: ProfileInput,
    data: CustomerRefreshData,
  },
  refreshCustomer: {
    method: 'POST',
    path: '/api/method/login_with_platform.customer_profile.refresh_customer_profile',
    input: RefreshInput,
    data: CustomerRefreshData,
  },
  enrichCompany: {
    method: 'POST',
    path: '/api/method/platform_crm_metajson_company_enrichment',
    input: EnrichmentInput,
    data: EnrichmentData,
  },
  syncTicketCustomer: {
    method: 'POST',
    path: '/api/method/platform_crm_sync_ticket_customer',
    input: SyncInput,
    data: SyncData,
  },
  rejectCompany: {
    method: 'POST',
    path: '/api/customer/rejections',
    input: RejectInput,
    data: RejectionData,
  },
  storeUrlEnrich: {
    method: 'POST',
    path: '/api/method/platform_ticket_store_url_enrich',
    input: IntakeInput,
    data: IntakeData,
  },
  findCompanies: {
    method: 'POST',
    path: '/api/companies/find',
    input: FindInput,
    data: FindData,
  },
  routingDecisions: {
    method: 'GET',
    path: '/api/routing/decisions',
    input: z.object({ ticket: TicketName }),
    data: RoutingDecisions,
  },
  routingToday: { method: 'GET', path: '/api/routing/today', input: TodayInput, data: Today },
  aroundTicket: {
    method: 'GET',
    path: '/api/customer/tickets',
    input: z.object({ ticket: TicketName }),
    data: AroundTicket,
  },
  missingAnchor: {
    method: 'POST',
    path: '/api/extension/missing-anchor',
    // Strict: nothing about a ticket, a customer or a page can come along.
    input: z.strictObject({ anchor: PageAnchor, extension: Version }),
    data: z.object({}),
  },
  whoami: { method: 'GET', path: '/api/whoami', input: z.object({}), data: Whoami },
  discovery: { method: 'GET', path: '/.well-known/deskside', input: z.object({}), data: Discovery },
} as const;

export type EndpointName = keyof typeof contract;

/** Those asked by GET that are asked by POST as well: the helpdesk's own pages post whatever they ask. */
export const alsoPosted: readonly EndpointName[] = ['customerProfile', 'legacyProfile'];

export type Input<E extends EndpointName> = z.input<(typeof contract)[E]['input']>;
export type Output<E extends EndpointName> = z.output<(typeof contract)[E]['data']>;
