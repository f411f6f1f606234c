import { isRecord, jsonOf } from '@deskside/shared/json';
import type { CrmErrorCode } from '@deskside/shared/status';
import { EgressError, type EgressResponse } from '#net/egress.ts';

/** What went wrong, as a code of the contract. Contains nothing that the CRM sent, nor its address. */
export class CrmFailure extends Error {
  override readonly name = 'CrmFailure';
  readonly code: CrmErrorCode;
  constructor(code: CrmErrorCode) {
    super(`The CRM lookup failed: ${code}.`);
    this.code = code;
  }
}

/**
 * By Bitrix24's error code, in lower case; never by HTTP status, which does not reliably distinguish failures
 * (docs/crm.md#errors).
 */
const codes: Record<string, CrmErrorCode> = {
  query_limit_exceeded: 'rate_limited',
  operation_time_limit: 'operation_limit',
  overload_limit: 'overloaded',
  invalid_credentials: 'unauthorized',
  no_auth_found: 'unauthorized',
  expired_token: 'unauthorized',
  invalid_token: 'unauthorized',
  authorization_error: 'unauthorized',
  payment_required: 'unauthorized',
  user_access_error: 'unauthorized',
  allowed_only_intranet_user: 'unauthorized',
  wrong_auth_type: 'unauthorized',
  method_confirm_waiting: 'unauthorized',
  method_confirm_denied: 'unauthorized',
  portal_deleted: 'unauthorized',
  insufficient_scope: 'insufficient_scope',
  access_denied: 'insufficient_scope',
  internal_server_error: 'server_error',
  error_unexpected_answer: 'server_error',
};

/** The code for an `error` member, whatever its type: it may be empty, a number or in lower case. */
export function codeOfError(error: unknown, description: unknown): CrmErrorCode {
  const code = String(error).trim().toLowerCase();
  if (Object.hasOwn(codes, code)) return codes[code] ?? 'bad_answer';
  // The classic CRM methods return an empty code if the webhook's owner lacks a permission.
  return code === '' && /access denied/i.test(String(description)) ? 'insufficient_scope' : 'bad_answer';
}

/** The code for a request without any response. `timedOut`: the caller's deadline passed. */
export function codeOfException(error: unknown, timedOut: boolean): CrmErrorCode {
  if (error instanceof CrmFailure) return error.code;
  if (timedOut) return 'timeout';
  if (!(error instanceof EgressError)) return 'bad_answer';
  return (
    {
      timeout: 'timeout',
      unreachable: 'unreachable',
      cut: 'unreachable',
      too_large: 'bad_answer',
      blocked: 'bad_answer',
    } as const
  )[error.code];
}

/** The parsed body of a usable response. Throws CrmFailure for all others. */
export function bodyOf({ status, text }: EgressResponse): Record<string, unknown> {
  if (status >= 300 && status < 400) throw new CrmFailure('redirected');
  const body = jsonOf(text);
  if (body === undefined) throw new CrmFailure(codeOfStatus(status));
  if (!isRecord(body)) throw new CrmFailure('bad_answer');
  if ('error' in body) throw new CrmFailure(codeOfError(body.error, body.error_description));
  if (status !== 200) throw new CrmFailure(codeOfStatus(status));
  return body;
}

/** What a status alone tells, without an error code: the response of a proxy or web server in front of the portal. */
function codeOfStatus(status: number): CrmErrorCode {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'server_error' : 'bad_answer';
}
