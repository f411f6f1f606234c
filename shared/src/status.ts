import * as z from 'zod/mini';

/** How the CRM look-up of one request ended (spec.md, "Named status values"). */
export const lookupStatuses = [
  'disabled',
  'missing_config',
  'missing_orgid',
  'matched',
  'not_found',
  'error',
  'cached',
] as const;
export const LookupStatus = z.enum(lookupStatuses);
export type LookupStatus = z.infer<typeof LookupStatus>;

/** What the CRM last said of an org id, apart from how this request came by it (design.md, decision 2). */
export const LookupOutcome = z.enum(['matched', 'not_found']);
export type LookupOutcome = z.infer<typeof LookupOutcome>;

/** Why the CRM could not be asked or did not give a usable answer. Closed, so that each has a designed text. */
export const crmErrorCodes = [
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
] as const;
export const CrmErrorCode = z.enum(crmErrorCodes);
export type CrmErrorCode = z.infer<typeof CrmErrorCode>;

/** Whose word the org id rests on (design.md, decision 9). */
export const trustLevels = ['confirmed', 'likely', 'claimed'] as const;
export const TrustLevel = z.enum(trustLevels);
export type TrustLevel = z.infer<typeof TrustLevel>;

/** State of the account owner in the CRM (facts/domain.md 1.7). */
export const responsibleStatuses = ['active', 'inactive', 'not_found', 'missing_config', 'error'] as const;
export const ResponsibleStatus = z.enum(responsibleStatuses);
export type ResponsibleStatus = z.infer<typeof ResponsibleStatus>;

/** Whether the shop plan still runs: expired below 0 days left, expiring soon below 30 (facts/domain.md 1.5). */
export const planStatuses = ['active', 'expiring_soon', 'expired'] as const;
export const PlanStatus = z.enum(planStatuses);
export type PlanStatus = z.infer<typeof PlanStatus>;

/**
 * Every error code an answer of the proxy can carry, with its HTTP status (design.md section 2).
 * The 403s and 409s stay apart because the agent can act on them differently.
 */
export const errorStatuses = {
  bad_input: 400,
  unauthenticated: 401,
  not_an_agent: 403,
  ticket_not_readable: 403,
  ticket_not_writable: 403,
  customer_not_readable: 403,
  route_not_found: 404,
  ticket_not_found: 404,
  customer_not_found: 404,
  sync_not_found: 404,
  method_not_allowed: 405,
  identity_conflict: 409,
  changed_since: 409,
  body_too_large: 413,
  rate_limited: 429,
  internal: 500,
  helpdesk_bad_answer: 502,
  helpdesk_unavailable: 503,
  helpdesk_timeout: 504,
} as const;
export type ErrorCode = keyof typeof errorStatuses;
export const errorCodes = Object.keys(errorStatuses) as [ErrorCode, ...ErrorCode[]];
export const ErrorCode = z.enum(errorCodes);
