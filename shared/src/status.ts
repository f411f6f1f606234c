import * as z from 'zod/mini';

/** How a request's CRM lookup ended (docs/api.md#profile). */
export const LookupStatus = z.enum([
  'disabled',
  'missing_config',
  'missing_orgid',
  'matched',
  'not_found',
  'error',
  'cached',
]);
export type LookupStatus = z.infer<typeof LookupStatus>;

/** What the CRM last said about an org id, however this request came by it (decision 3: deadlines). */
export const LookupOutcome = z.enum(['matched', 'not_found']);
export type LookupOutcome = z.infer<typeof LookupOutcome>;

/** Why the CRM could not be asked or gave no usable answer. A closed list, so that each has a designed text. */
export const CrmErrorCode = z.enum([
  'timeout',
  'unreachable',
  'rate_limited',
  'operation_limit',
  'overloaded',
  'unauthorized',
  'insufficient_scope',
  'redirected',
  'bad_answer',
  'server_error',
]);
export type CrmErrorCode = z.infer<typeof CrmErrorCode>;

/** One that came up in a request. */
export const CrmError = z.object({ code: CrmErrorCode, request_id: z.string() });

/** Who vouches for the org id (decision 7: who vouches). */
export const TrustLevel = z.enum(['confirmed', 'likely', 'claimed']);
export type TrustLevel = z.infer<typeof TrustLevel>;

/** State of the account owner in the CRM (docs/data.md#the-crm-company). */
export const ResponsibleStatus = z.enum(['active', 'inactive', 'not_found', 'missing_config', 'error']);
export type ResponsibleStatus = z.infer<typeof ResponsibleStatus>;

/**
 * Whether the shop plan is still running: expired below 0 days left, expiring soon below 30 (docs/data.md#the-crm-company).
 */
export const PlanStatus = z.enum(['active', 'expiring_soon', 'expired']);
export type PlanStatus = z.infer<typeof PlanStatus>;

/**
 * Every error code that the proxy can return, with its HTTP status (docs/api.md#errors). The 403s and 409s are distinct
 * codes because agents can act on them differently.
 */
export const errorStatuses = {
  bad_input: 400,
  unauthenticated: 401,
  not_an_agent: 403,
  not_a_manager: 403,
  ticket_not_readable: 403,
  ticket_not_writable: 403,
  ticket_read_by_other: 409,
  customer_not_readable: 403,
  customer_not_writable: 403,
  route_not_found: 404,
  ticket_not_found: 404,
  customer_not_found: 404,
  sync_not_found: 404,
  rejection_not_found: 404,
  method_not_allowed: 405,
  identity_conflict: 409,
  changed_since: 409,
  other_revision: 409,
  body_too_large: 413,
  rate_limited: 429,
  internal: 500,
  helpdesk_bad_answer: 502,
  helpdesk_refused: 502,
  helpdesk_rate_limited: 503,
  helpdesk_unavailable: 503,
  store_unavailable: 503,
  helpdesk_timeout: 504,
} as const;
export type ErrorCode = keyof typeof errorStatuses;
export const ErrorCode = z.enum(Object.keys(errorStatuses) as [ErrorCode, ...ErrorCode[]]);
