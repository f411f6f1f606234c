import { ProfileData } from '@deskside/shared/profile';
import * as z from 'zod/mini';
import type { Result } from '#messaging/protocol.ts';
import { createQueue, sessionItem } from './storage.ts';

const maxProfiles = 30;
/** Delays before a profile with pending parts is requested again, in milliseconds. */
const settleDelaysMs = [500, 1500, 3000];

/** A profile as it was last seen. `receivedAt`: when, in epoch milliseconds. `isLatest`: no request has failed since. */
const KeptProfile = z.object({ profile: ProfileData, receivedAt: z.number(), isLatest: z.boolean() });
type KeptProfile = z.infer<typeof KeptProfile>;

/** `user`: who saw them. */
const StoredProfiles = z.object({ user: z.string(), profiles: z.array(KeptProfile) });

/** `user`: whom its page shows; nobody else's answer is given to it. `maxAgeMs`: how old a kept answer may be. */
interface ProfileRequest {
  user: string;
  ticket: string;
  refresh: boolean;
  maxAgeMs: number;
}

/** A call to the proxy, for all who wait for it. It ends when nobody does any more. */
interface Flight {
  waiting: number;
  abort: AbortController;
  answer: Promise<Result<ProfileData>>;
}

type Load = (request: ProfileRequest, signal: AbortSignal) => Promise<Result<ProfileData>>;

/**
 * The profiles that somebody saw last in this browser session: on screen at once when they come back to a ticket, and reused
 * while they are recent. They are one person's: somebody else's page, a sign-out and another address clear them. Equal
 * requests share one call to the proxy.
 */
export function createProfiles(load: Load) {
  const store = sessionItem('lastProfiles', StoredProfiles);
  /** By ticket, longest ago first. */
  const kept = new Map<string, KeptProfile>();
  let owner = '';
  /** The calls whose answers are kept, by what they ask for. One that is no longer here is for those who wait for it alone. */
  const flights = new Map<string, Flight>();
  let restored: Promise<void> | undefined;
  const inTurn = createQueue();
  /** How often they were cleared: what was read before is not put back. */
  let clearings = 0;

  /** What was stored before the background was suspended, read once. */
  function restore(): Promise<void> {
    restored ??= read();
    return restored;
  }

  async function read(): Promise<void> {
    const before = clearings;
    const stored = await store.read().catch(() => undefined);
    if (!stored || clearings !== before) return;
    owner = stored.user;
    for (const one of stored.profiles) kept.set(one.profile.ticket.name, one);
  }

  /** Never throws: what does not fit into the browser's storage is kept until the background is suspended. */
  async function save(): Promise<void> {
    const profiles = () => (kept.size === 0 ? null : { user: owner, profiles: [...kept.values()] });
    await inTurn(() => store.write(profiles())).catch(() => {});
  }

  /** Nothing that was answered is shown again, nor what is still on its way to those who wait for it. */
  async function clear(): Promise<void> {
    clearings += 1;
    flights.clear();
    kept.clear();
    await save();
  }

  /** A page shows this user, or nobody (empty): what somebody else saw is cleared. */
  async function keepOnly(user: string): Promise<void> {
    await restore();
    if (owner === user) return;
    owner = user;
    flights.clear();
    if (kept.size > 0) await clear();
  }

  function keep(ticket: string, answer: KeptProfile): void {
    kept.delete(ticket);
    kept.set(ticket, answer);
    const oldest = kept.keys().next();
    if (kept.size > maxProfiles && !oldest.done) kept.delete(oldest.value);
    // The answer does not wait until it is stored.
    void save();
  }

  function fail(ticket: string): void {
    const last = kept.get(ticket);
    if (last) kept.set(ticket, { ...last, isLatest: false });
  }

  function start(request: ProfileRequest, key: string): Flight {
    const abort = new AbortController();
    const answer = load(request, abort.signal).then((result) => {
      if (abort.signal.aborted) return aborted;
      if (flights.get(key) === flight) {
        flights.delete(key);
        if (result.ok) keep(request.ticket, { profile: result.data, receivedAt: Date.now(), isLatest: true });
        else fail(request.ticket);
      }
      return result;
    });
    const flight: Flight = { waiting: 0, abort, answer };
    flights.set(key, flight);
    return flight;
  }

  /** Never throws. A request that is given up answers at once with the code `aborted`. */
  async function get(request: ProfileRequest, signal: AbortSignal): Promise<Result<ProfileData>> {
    const { user, ticket, refresh, maxAgeMs } = request;
    await keepOnly(user);
    if (signal.aborted) return aborted;
    const last = kept.get(ticket);
    const isReusable = last?.isLatest && isWhole(last.profile) && Date.now() - last.receivedAt < maxAgeMs;
    if (isReusable && !refresh) return { ok: true, data: last.profile };
    const key = JSON.stringify([ticket, refresh]);
    const flight = flights.get(key) ?? start(request, key);
    const { promise: left, resolve } = Promise.withResolvers<Result<ProfileData>>();
    const leave = () => {
      flight.waiting -= 1;
      if (flight.waiting === 0) {
        if (flights.get(key) === flight) flights.delete(key);
        flight.abort.abort();
      }
      resolve(aborted);
    };
    flight.waiting += 1;
    signal.addEventListener('abort', leave);
    return Promise.race([flight.answer, left]).finally(() => signal.removeEventListener('abort', leave));
  }

  return {
    get,

    /** Like `get`, but repeats the request for a while as long as parts are pending and somebody waits. */
    async getSettled(request: ProfileRequest, signal: AbortSignal): Promise<Result<ProfileData>> {
      let result = await get(request, signal);
      for (const wait of settleDelaysMs) {
        if (!result.ok || result.data.pending.length === 0) break;
        await new Promise((resolve) => setTimeout(resolve, wait));
        result = await get(request, signal);
      }
      return result;
    },

    async last(user: string, ticket: string): Promise<KeptProfile | null> {
      await keepOnly(user);
      return kept.get(ticket) ?? null;
    },

    /** The ticket was written to: what was answered before is outdated, and what is on its way may be. */
    async forget(ticket: string): Promise<void> {
      for (const refresh of [false, true]) flights.delete(JSON.stringify([ticket, refresh]));
      await restore();
      if (kept.delete(ticket)) await save();
    },

    keepOnly,
    clear,
  };
}

export type Profiles = ReturnType<typeof createProfiles>;

/** Whether nothing of it is missing, or has failed and may have passed since. */
function isWhole({ pending, bitrix }: ProfileData): boolean {
  return pending.length === 0 && bitrix.status !== 'error';
}

const aborted: Result<never> = { ok: false, error: { code: 'aborted' } };
