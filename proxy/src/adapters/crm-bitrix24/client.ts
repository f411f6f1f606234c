import type { CrmErrorCode } from '@deskside/shared/status';
import type { Upstream } from '../../net/egress.ts';
import type { OperatingTime } from '../../ports/crm.ts';
import { bodyOf, CrmFailure, codeOfError } from './crm-failure.ts';
import type { Webhook } from './parse-webhook.ts';
import { type Param, phpQuery } from './php-query.ts';
import { isRecord } from './records.ts';

export interface Command {
  method: string;
  params: Record<string, Param>;
}

/** A method's result, and what the portal has counted for that method by now; null where it does not say. */
export interface Answered {
  result: unknown;
  operating: OperatingTime | null;
}

/** What one command of a batch came to. */
export type CommandAnswer = ({ ok: true } & Answered) | { ok: false; code: CrmErrorCode };

/** Calls a Bitrix24 portal by one incoming webhook. Every method throws CrmFailure, EgressError or the signal's reason. */
export interface BitrixClient {
  call(method: string, params: Record<string, Param>, signal: AbortSignal): Promise<Answered>;
  /** At most 50 commands in one request; each has an answer of its own. Aliases must start with a letter. */
  batch(commands: Record<string, Command>, signal: AbortSignal): Promise<Map<string, CommandAnswer>>;
}

export function createBitrixClient(upstream: Upstream, { userId, secret }: Webhook): BitrixClient {
  async function call(method: string, params: Record<string, unknown>, signal: AbortSignal): Promise<Answered> {
    const response = await upstream.request({
      method: 'POST',
      path: `/rest/${userId}/${secret}/${method}.json`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(params),
      signal,
    });
    // Answers can hold addresses that the portal made from the calling webhook (facts/bitrix24.md section 0, trap 4).
    // A short "secret" is no real one, and its letters could be anywhere in an answer.
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

/** Reads the part of a `time` block that limits us; every member of it may be missing (facts/bitrix24.md 1.3). */
function operatingOf(time: unknown): OperatingTime | null {
  if (!isRecord(time)) return null;
  const { operating, operating_reset_at } = time;
  if (typeof operating !== 'number' || typeof operating_reset_at !== 'number') return null;
  return { seconds: operating, resetAt: operating_reset_at * 1_000 };
}

/** A map as PHP serialises it: an empty one arrives as `[]`. Anything else throws `bad_answer`. */
function mapOf(value: unknown): Record<string, unknown> {
  if (Array.isArray(value) && value.length === 0) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new CrmFailure('bad_answer');
  return value as Record<string, unknown>;
}
