import { isRecord } from '@deskside/shared/json';
import type { CrmErrorCode } from '@deskside/shared/status';
import type { Upstream } from '#net/egress.ts';
import type { OperatingTime } from './crm.ts';
import { bodyOf, CrmFailure, codeOfError } from './crm-failure.ts';
import type { Webhook } from './parse-webhook.ts';

/** A value that a Bitrix24 command can hold. */
export type Param = string | number | readonly Param[] | { readonly [key: string]: Param };

export interface Command {
  method: string;
  params: Record<string, Param>;
}

/** A method's result, and what the portal has counted for that method so far; null if it does not say. */
interface Answered {
  result: unknown;
  operating: OperatingTime | null;
}

/** The result of one command in a batch. */
export type CommandAnswer = ({ ok: true } & Answered) | { ok: false; code: CrmErrorCode };

/**
 * Calls a Bitrix24 portal. Every method throws CrmFailure, EgressError or the signal's reason.
 */
export interface BitrixClient {
  call(method: string, params: Record<string, Param>, signal: AbortSignal): Promise<Answered>;
  /** At most 50 commands in one request, with an answer for each. Aliases must start with a letter. */
  batch(commands: Record<string, Command>, signal: AbortSignal): Promise<Map<string, CommandAnswer>>;
}

/** @param webhooks of one portal, at least one; what the portal refuses to one it is asked through the next */
export function createBitrixClient(upstream: Upstream, webhooks: readonly Webhook[]): BitrixClient {
  /** The one that worked last comes first. */
  let order = webhooks;

  async function call(method: string, params: Record<string, unknown>, signal: AbortSignal): Promise<Answered> {
    const refused: unknown[] = [];
    for (const webhook of order) {
      try {
        const answer = await callThrough(webhook, method, params, signal);
        if (refused.length > 0) order = [webhook, ...webhooks.filter((other) => other !== webhook)];
        return answer;
      } catch (error) {
        if (!(error instanceof CrmFailure && error.code === 'unauthorized')) throw error;
        refused.push(error);
      }
    }
    throw refused[0];
  }

  async function callThrough(
    { userId, secret }: Webhook,
    method: string,
    params: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<Answered> {
    const response = await upstream.request({
      method: 'POST',
      path: `/rest/${userId}/${secret}/${method}.json`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(params),
      signal,
    });
    // Responses can contain addresses that the portal derived from the calling webhook
    // (docs/crm.md#secrets-in-answers). A short "secret" is not a real one, and its letters could occur anywhere in a
    // response.
    const text = secret.length < 8 ? response.text : response.text.replaceAll(secret, 'secret');
    const { result, time } = bodyOf({ ...response, text });
    if (result === null || result === undefined) throw new CrmFailure('bad_answer');
    return { result, operating: operatingOf(time) };
  }

  return {
    call,
    async batch(commands, signal) {
      const cmd = Object.fromEntries(
        Object.entries(commands).map(([alias, { method, params }]) => [alias, `${method}?${phpQuery(params)}`]),
      );
      const outer = mapOf((await call('batch', { halt: 0, cmd }, signal)).result);
      const [results, errors, times] = [mapOf(outer.result), mapOf(outer.result_error), outer.result_time];
      return new Map(
        Object.keys(commands).map((alias): [string, CommandAnswer] => {
          if (alias in errors) {
            const { error, error_description } = mapOf(errors[alias]);
            return [alias, { ok: false, code: codeOfError(error, error_description) }];
          }
          const result = results[alias];
          return [
            alias,
            result === undefined || result === null
              ? { ok: false, code: 'bad_answer' }
              : { ok: true, result, operating: operatingOf(isRecord(times) ? times[alias] : null) },
          ];
        }),
      );
    },
  };
}

/** Reads the part of a `time` block that limits us; any of its members may be missing (docs/crm.md#answers). */
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
 * Writes parameters as a query string with PHP brackets, as required inside a batch (docs/crm.md#batch). Placeholders
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
