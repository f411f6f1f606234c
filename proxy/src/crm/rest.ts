import type { CrmErrorCode } from '@deskside/shared/status';
import { EgressError, type EgressResponse, type Upstream } from '#net/egress.ts';
import { isRecord, jsonOf } from '#runtime/json.ts';

/** A value that a Bitrix24 command can hold. */
export type Param = string | number | readonly Param[] | { readonly [key: string]: Param };

export interface Command {
  method: string;
  params: Record<string, Param>;
}

/**
 * Execution time that the portal has counted for a method in its current window, and when the oldest part of it drops
 * (epoch milliseconds).
 */
export interface OperatingTime {
  seconds: number;
  resetAt: number;
}

/** A method's result, and what the portal has counted for that method so far; null if it does not say. */
interface MethodResult {
  result: unknown;
  operating: OperatingTime | null;
}

/** The result of one command in a batch. */
export type CommandAnswer = ({ ok: true } & MethodResult) | { ok: false; code: CrmErrorCode };

/** The largest response, in bytes: objects of so much JSON are made before anybody else waits for them noticeably. */
export const maxBytes = 2 * 2 ** 20;

/** What went wrong, as a code of the contract. Contains nothing that the CRM sent, nor its address. */
export class CrmFailure extends Error {
  override readonly name = 'CrmFailure';
  readonly code: CrmErrorCode;
  /** How long it wants to be left alone, in milliseconds; null if it does not say. */
  readonly retryAfterMs: number | null;
  /** Whether it was a web page instead of JSON: something else answers in the portal's place. */
  readonly isPage: boolean;
  constructor(
    code: CrmErrorCode,
    { retryAfterMs = null, isPage = false }: Partial<Omit<CrmFailure, keyof Error>> = {},
  ) {
    super(`The CRM lookup failed: ${code}.`);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
    this.isPage = isPage;
  }
}

/** Whoever names more is not waited for that long. */
const longestRetryMs = 10 * 60_000;

/**
 * Calls one Bitrix24 portal. Both methods throw CrmFailure, EgressError or the signal's reason; `codeOfException` tells
 * them apart.
 */
export class RestClient {
  readonly #upstream: Upstream;
  /** The one that worked last comes first. */
  #webhooks: readonly Webhook[];

  /** @param webhooks of one portal, at least one; what the portal refuses to one it is asked through the next */
  constructor(upstream: Upstream, webhooks: readonly Webhook[]) {
    this.#upstream = upstream;
    this.#webhooks = webhooks;
  }

  async call(method: string, params: Record<string, unknown>, signal: AbortSignal): Promise<MethodResult> {
    const refused: unknown[] = [];
    for (const webhook of this.#webhooks) {
      try {
        const answer = await this.#callThrough(webhook, method, params, signal);
        if (refused.length > 0) this.#webhooks = [webhook, ...this.#webhooks.filter((other) => other !== webhook)];
        return answer;
      } catch (error) {
        if (!(error instanceof CrmFailure && error.code === 'unauthorized')) throw error;
        refused.push(error);
      }
    }
    throw refused[0];
  }

  async #callThrough(
    { userId, secret }: Webhook,
    method: string,
    params: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<MethodResult> {
    const response = await this.#upstream.request({
      method: 'POST',
      path: `/rest/${userId}/${secret}/${method}.json`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(params),
      signal,
    });
    // Responses can contain addresses that the portal derived from the calling webhook (docs/crm.md#secrets-in-answers). A
    // short "secret" is not a real one, and its letters could occur anywhere in a response.
    const text = secret.length < 8 ? response.text : response.text.replaceAll(secret, 'secret');
    const { result, time } = bodyOf({ ...response, text });
    if (result === null || result === undefined) throw new CrmFailure('bad_answer');
    return { result, operating: operatingOf(time) };
  }

  /** At most 50 commands in one request, with an answer for each. Aliases must start with a letter (docs/crm.md#calling). */
  async batch(commands: Record<string, Command>, signal: AbortSignal): Promise<Map<string, CommandAnswer>> {
    const cmd = Object.fromEntries(
      Object.entries(commands).map(([alias, { method, params }]) => [alias, `${method}?${phpQuery(params)}`]),
    );
    const outer = mapOf((await this.call('batch', { halt: 0, cmd }, signal)).result);
    const [results, errors, times] = [mapOf(outer.result), mapOf(outer.result_error), outer.result_time];
    const answerTo = (alias: string): CommandAnswer => {
      if (alias in errors) {
        const { error, error_description } = mapOf(errors[alias]);
        return { ok: false, code: codeOfError(error, error_description) };
      }
      const result = results[alias];
      if (result === undefined || result === null) return { ok: false, code: 'bad_answer' };
      return { ok: true, result, operating: operatingOf(isRecord(times) ? times[alias] : null) };
    };
    return new Map(Object.keys(commands).map((alias) => [alias, answerTo(alias)]));
  }
}

/** The most that one of the methods of a batch has used. */
export function longestOf(answers: ReadonlyMap<string, CommandAnswer>): OperatingTime | null {
  const times = [...answers.values()].map((answer) => (answer.ok ? answer.operating : null));
  return times.reduce((most, time) => (time && (!most || time.seconds > most.seconds) ? time : most), null);
}

/** Reads the part of a `time` block that limits us; any of its members may be missing (docs/crm.md#calling). */
function operatingOf(time: unknown): OperatingTime | null {
  if (!isRecord(time)) return null;
  const { operating, operating_reset_at } = time;
  if (typeof operating !== 'number' || typeof operating_reset_at !== 'number') return null;
  return { seconds: operating, resetAt: operating_reset_at * 1_000 };
}

/** A map as serialised by PHP: an empty one arrives as `[]`. Anything else throws `bad_answer`. */
function mapOf(value: unknown): Record<string, unknown> {
  if (Array.isArray(value) && value.length === 0) return {};
  if (!isRecord(value)) throw new CrmFailure('bad_answer');
  return value;
}

/**
 * Writes parameters as a query string with PHP brackets, as required inside a batch (docs/crm.md#calling). Placeholders
 * of the form `$result[…]` must arrive unchanged, so their brackets are not encoded.
 */
export function phpQuery(params: Record<string, Param>): string {
  return Object.entries(params)
    .flatMap(([key, value]) => pairs(encodeURIComponent(key), value))
    .join('&');
}

function pairs(key: string, value: Param): string[] {
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([inner, v]) => pairs(`${key}[${encodeURIComponent(inner)}]`, v));
  }
  const text = String(value);
  return [`${key}=${text.startsWith('$result[') ? text : encodeURIComponent(text)}`];
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
function codeOfError(error: unknown, description: unknown): CrmErrorCode {
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
function bodyOf({ status, headers, text }: EgressResponse): Record<string, unknown> {
  if (status >= 300 && status < 400) throw new CrmFailure('redirected');
  const seconds = Number(headers['retry-after']);
  const retryAfterMs = seconds > 0 ? Math.min(seconds * 1_000, longestRetryMs) : null;
  const body = jsonOf(text);
  if (body === undefined)
    throw new CrmFailure(codeOfStatus(status), { retryAfterMs, isPage: /^[\s\ufeff]*</.test(text) });
  if (!isRecord(body)) throw new CrmFailure('bad_answer');
  if ('error' in body) throw new CrmFailure(codeOfError(body.error, body.error_description), { retryAfterMs });
  if (status !== 200) throw new CrmFailure(codeOfStatus(status), { retryAfterMs });
  return body;
}

/** What a status alone tells, without an error code: the response of a proxy or web server in front of the portal. */
function codeOfStatus(status: number): CrmErrorCode {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'server_error' : 'bad_answer';
}

/** The parts of an incoming webhook. The secret stays in the client: it is part of every request's path. */
export interface Webhook {
  origin: string;
  userId: string;
  secret: string;
}

export type ParsedWebhook = { ok: true; webhook: Webhook } | { ok: false; problem: string };

const expected = 'expected the address of an incoming webhook, such as https://crm.example.com/rest/57/<secret>/';

/**
 * Reads a webhook address in the forms that people paste: with or without trailing slash, with `/rest/api/`, or
 * followed by a method and query, such as `user.get.json?ID={ASSIGNED_BY_ID}` (docs/crm.md#webhook-addresses). A
 * problem never quotes the value, since it is a password.
 */
export function parseWebhook(value: string): ParsedWebhook {
  const text = value.trim();
  // Copied along from a page or a message, and part of the key to the portal if it stayed.
  const [invisible] = /[\p{Cf}\u00ad]/u.exec(text) ?? [];
  if (invisible !== undefined) {
    const code = (invisible.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return problem(`an invisible sign (U+${code}) is part of it: copy the address anew, or type it`);
  }
  const address = URL.parse(text);
  if (!address) return problem(expected);
  if (address.protocol !== 'https:' && address.protocol !== 'http:') return problem('expected an https address');
  if (address.username || address.password)
    return problem('expected an address without a user name or password before the host');
  const [empty, rest, ...path] = address.pathname.split('/');
  const [userId = '', secret = '', ...behind] = path[0] === 'api' ? path.slice(1) : path;
  if (empty !== '' || rest !== 'rest') return problem(`${expected}: the host must be followed by /rest/`);
  if (!/^\d{1,20}$/.test(userId))
    return problem(`${expected}: /rest/ must be followed by the number of the webhook's owner`);
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(secret))
    return problem(`${expected}: the owner's number must be followed by the secret`);
  const method = behind.filter((part) => part !== '');
  if (method.length > 1 || !/^[A-Za-z0-9_.]*$/.test(method[0] ?? ''))
    return problem(`${expected}: only a method name may follow the secret`);
  return { ok: true, webhook: { origin: address.origin, userId, secret } };
}

function problem(text: string): ParsedWebhook {
  return { ok: false, problem: text };
}

/** What is wrong with an address in the settings, without quoting it; null if nothing is. */
export function webhookProblem(address: string): string | null {
  const parsed = parseWebhook(address);
  return parsed.ok ? null : parsed.problem;
}

/** The webhook that an address is. Throws for anything else, without quoting it. */
export function webhookOf(address: string, what: string): Webhook {
  const parsed = parseWebhook(address);
  if (!parsed.ok) throw new TypeError(`${what}: ${parsed.problem}.`);
  return parsed.webhook;
}

/** The parts of an address that are secret in themselves. */
export function secretsIn(address: string): string[] {
  const parsed = parseWebhook(address);
  return parsed.ok ? [parsed.webhook.secret] : [];
}

/** Whether two addresses are the same webhook, so that one request can serve both purposes. */
export function isSameWebhook(a: Webhook, b: Webhook): boolean {
  return a.origin === b.origin && a.userId === b.userId && a.secret === b.secret;
}

/** A slash as it appears in texts: percent-encoded, perhaps more than once, or escaped as in JSON inside JSON. */
const slash = String.raw`(?:\\{0,4}/|%(?:25){0,3}2f)`;
const mark = (plain: string, code: string) => `(?:${plain}|%(?:25){0,3}${code})`;

/** The part of an incoming webhook's address in front of its secret (docs/crm.md#webhook-addresses). */
const webhookPath = `${slash}rest${slash}(?:api${slash})?\\d{1,20}${slash}`;
/** The name of a token in a query, as in file addresses and applications. */
const tokenName = `${mark('[?&;]', '(?:3f|26)')}(?:auth|access_token|refresh_token|token)${mark('=', '3d')}`;

/** A text that reveals a key to the CRM: what leads up to it, and the key. Linear in the text's length. */
const key = new RegExp(
  String.raw`(?<before>${webhookPath})[^\s/\\"'<>?#&%]+|(?<name>${tokenName})[^\s\\"'<>#&;]*`,
  'gi',
);

/** What every such text contains; searched for in a tenth of the time. */
const hint = /rest|auth|token/i;

/** Whether a text contains the secret of an incoming webhook or a token, no matter whose. */
export function holdsSecret(text: string): boolean {
  return text.search(key) >= 0;
}

/** The text with every such secret removed. */
export function maskSecrets(text: string): string {
  if (!hint.test(text)) return text;
  return text.replace(key, (_, before: string | undefined, name: string | undefined) => `${before ?? name}[secret]`);
}
