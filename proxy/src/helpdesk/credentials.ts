import type { Upstream } from '#net/egress.ts';
import { AppError } from '#runtime/app-error.ts';
import { createFairQueue, type FairQueueLimits } from '#runtime/concurrency.ts';
import type { Clock, Memory } from '#runtime/memory.ts';
import { createRateLimit } from '#runtime/memory.ts';
import type { Secret } from '#runtime/secret.ts';
import type { Credential } from './site.ts';

/** A credential with the digest under which its permissions are cached. The digest does not reveal it. */
export interface Caller extends Credential {
  readonly digest: string;
  /** Whom the request comes from, so that strangers wait behind each other and not behind their neighbours. */
  readonly client?: string | undefined;
}

/** Identical requests of one credential are merged already, so these are for different tickets. */
const forKnown: FairQueueLimits = {
  slots: 16,
  slotsPerKey: 8,
  waiting: 2_000,
  waitingPerKey: 100,
  patienceMs: 8_000,
};

const forUnknown: FairQueueLimits = {
  slots: 6,
  slotsPerKey: 4,
  waiting: 1_000,
  waitingPerKey: 200,
  patienceMs: 4_000,
};

/** Connections that callers' requests can use at once; the service account has its own. */
export const callerSlots = forKnown.slots + forUnknown.slots;
export const serviceSlots = 10;

/** How many credentials of one address the helpdesk may refuse before the next unknown one has to wait. */
const refusals = { burst: 100, perSecond: 2 };

/** A working day, so that nobody turns into a stranger over lunch. Permissions are checked much more often than that. */
const knownMs = 12 * 3_600_000;
const refusedMs = 5_000;

export type CredentialPools = ReturnType<typeof createCredentialPools>;

/**
 * How many requests to the helpdesk a caller may have at once (docs/operate.md#the-reverse-proxy). Credentials that the helpdesk
 * has not accepted yet share a few slots, so that a flood of them cannot slow down agents; client addresses take turns.
 */
export function createCredentialPools(memory: Memory, clock?: Clock) {
  const known = memory.area<object>({ ttlMs: knownMs, max: 10_000 });
  const refused = memory.area<object>({ ttlMs: refusedMs, max: 10_000 });
  const queues = { known: createFairQueue(forKnown), unknown: createFairQueue(forUnknown) };
  const guesses = createRateLimit(memory, refusals, clock);
  /** Whether the helpdesk has accepted the credential recently. */
  const isKnown = ({ digest }: Caller) => known.get(digest) !== undefined;

  return {
    /** Sends one request to the helpdesk when it is the caller's turn. Throws `rate_limited`. */
    async ask<T>(caller: Caller, signal: AbortSignal, send: () => Promise<T>): Promise<T> {
      if (isKnown(caller)) return queues.known.run(caller.digest, signal, send);
      const client = caller.client ?? 'unknown';
      return queues.unknown.run(client, signal, () => {
        if (!guesses.has(client)) throw AppError.rateLimited(1);
        return send();
      });
    },
    isKnown,
    /** Whether the helpdesk refused it a moment ago: there is no need to ask again yet. */
    isRefused: ({ digest }: Caller) => refused.get(digest) !== undefined,
    markKnown({ digest }: Caller) {
      known.set(digest, {});
      refused.delete(digest);
    },
    markRefused({ digest, client = 'unknown' }: Caller) {
      guesses.take(client);
      known.delete(digest);
      refused.set(digest, {});
    },
  };
}

/** As the settings name them; of two secrets the first is the one to use. */
interface Keys {
  HELPDESK_API_KEY: Secret;
  HELPDESK_API_SECRET: readonly Secret[];
}

/** The service account's `key:secret`, with the first of two secrets. */
export function serviceKeyOf({ HELPDESK_API_KEY: key, HELPDESK_API_SECRET: secrets }: Keys): string {
  return `${key.reveal()}:${secrets[0]?.reveal()}`;
}

/**
 * The helpdesk, for whoever asks as `serviceKeyOf`: while the secret is being replaced (docs/operate.md#secrets) such a
 * request goes with the one of the two that was accepted last, and once more with the other where that one is refused.
 * The helpdesk has done nothing for a key that it refuses, so a write may go twice.
 */
export function withServiceKeys(config: Keys, upstream: Upstream): Upstream {
  const named = `token ${serviceKeyOf(config)}`;
  const [, second] = config.HELPDESK_API_SECRET;
  if (second === undefined) return upstream;
  const other = `token ${config.HELPDESK_API_KEY.reveal()}:${second.reveal()}`;
  let accepted = named;
  return {
    origin: upstream.origin,
    async request(request) {
      if (request.headers?.authorization !== named) return upstream.request(request);
      const as = (authorization: string) =>
        upstream.request({ ...request, headers: { ...request.headers, authorization } });
      const tried = accepted;
      const response = await as(tried);
      if (response.status !== 401) return response;
      const next = tried === named ? other : named;
      const again = await as(next);
      if (again.status !== 401) accepted = next;
      return again;
    },
  };
}

/**
 * The helpdesk, with separate connections for the service account, so that tickets are routed and `/readyz` works however
 * many callers there are.
 */
export function helpdeskUpstream(config: Keys, via: { callers: Upstream; service: Upstream }): Upstream {
  const service = withServiceKeys(config, via.service);
  const authorization = `token ${serviceKeyOf(config)}`;
  return {
    origin: via.callers.origin,
    request: (request) => (request.headers?.authorization === authorization ? service : via.callers).request(request),
  };
}
