import { ProfileData } from '@deskside/shared/profile';
import * as z from 'zod/mini';
import { createQueue, sessionItem } from '#browser/storage.ts';
import type { Result } from '#messaging/protocol.ts';

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
export class Profiles {
  private readonly load: Load;
  private readonly store = sessionItem('lastProfiles', StoredProfiles);
  /** By ticket, longest ago first. */
  private readonly kept = new Map<string, KeptProfile>();
  private owner = '';
  /** The calls whose answers are kept, by what they ask for. One that is no longer here is for those who wait for it alone. */
  private readonly flights = new Map<string, Flight>();
  private restored: Promise<void> | undefined;
  private readonly inTurn = createQueue();
  /** How often they were cleared: what was read before is not put back. */
  private clearings = 0;

  constructor(load: Load) {
    this.load = load;
  }

  /** Never throws. A request that is given up answers at once with the code `aborted`. */
  async get(request: ProfileRequest, signal: AbortSignal): Promise<Result<ProfileData>> {
    const { user, ticket, refresh, maxAgeMs } = request;
    await this.restore();
    void this.turnTo(user);
    if (signal.aborted) return aborted;
    const last = this.kept.get(ticket);
    const isReusable = last?.isLatest && isWhole(last.profile) && Date.now() - last.receivedAt < maxAgeMs;
    if (isReusable && !refresh) return { ok: true, data: last.profile };
    const key = JSON.stringify([ticket, refresh]);
    return this.join(this.flights.get(key) ?? this.start(request, key), key, signal);
  }

  /** Like `get`, but repeats the request for a while as long as parts are pending and somebody waits. */
  async getSettled(request: ProfileRequest, signal: AbortSignal): Promise<Result<ProfileData>> {
    let result = await this.get(request, signal);
    for (const wait of settleDelaysMs) {
      if (!result.ok || result.data.pending.length === 0) break;
      await new Promise((resolve) => setTimeout(resolve, wait));
      result = await this.get(request, signal);
    }
    return result;
  }

  async last(user: string, ticket: string): Promise<KeptProfile | null> {
    await this.restore();
    void this.turnTo(user);
    return this.kept.get(ticket) ?? null;
  }

  /** The ticket was written to: what was answered before is outdated, and what is on its way may be. */
  async forget(ticket: string): Promise<void> {
    for (const refresh of [false, true]) this.flights.delete(JSON.stringify([ticket, refresh]));
    await this.restore();
    if (this.kept.delete(ticket)) await this.save();
  }

  /** A page shows this user, or nobody (empty): what somebody else saw is cleared. */
  async keepOnly(user: string): Promise<void> {
    await this.restore();
    await this.turnTo(user);
  }

  /** Nothing that was answered is shown again, nor what is still on its way to those who wait for it. */
  async clear(): Promise<void> {
    this.clearings += 1;
    this.flights.clear();
    this.kept.clear();
    await this.save();
  }

  /** Nothing may be awaited between this and what is then read or started for the user: the next may be somebody else's. */
  private async turnTo(user: string): Promise<void> {
    if (this.owner === user) return;
    this.owner = user;
    await this.clear();
  }

  private start(request: ProfileRequest, key: string): Flight {
    const abort = new AbortController();
    const answer = this.load(request, abort.signal).then((result) => {
      if (this.flights.get(key) === flight) {
        this.flights.delete(key);
        if (result.ok) this.keep(request.ticket, result.data);
        else this.fail(request.ticket);
      }
      return result;
    });
    const flight: Flight = { waiting: 0, abort, answer };
    this.flights.set(key, flight);
    return flight;
  }

  /** Waits for a call with the others. Whoever leaves last ends it. */
  private join(flight: Flight, key: string, signal: AbortSignal): Promise<Result<ProfileData>> {
    const { promise: left, resolve } = Promise.withResolvers<Result<ProfileData>>();
    const leave = () => {
      flight.waiting -= 1;
      if (flight.waiting === 0) {
        if (this.flights.get(key) === flight) this.flights.delete(key);
        flight.abort.abort();
      }
      resolve(aborted);
    };
    flight.waiting += 1;
    signal.addEventListener('abort', leave);
    return Promise.race([flight.answer, left]).finally(() => signal.removeEventListener('abort', leave));
  }

  private keep(ticket: string, profile: ProfileData): void {
    this.kept.delete(ticket);
    this.kept.set(ticket, { profile, receivedAt: Date.now(), isLatest: true });
    const oldest = this.kept.keys().next();
    if (this.kept.size > maxProfiles && !oldest.done) this.kept.delete(oldest.value);
    // The answer does not wait until it is stored.
    void this.save();
  }

  private fail(ticket: string): void {
    const last = this.kept.get(ticket);
    if (last) this.kept.set(ticket, { ...last, isLatest: false });
  }

  /** What was stored before the background was suspended, read once. */
  private restore(): Promise<void> {
    this.restored ??= this.readStored();
    return this.restored;
  }

  private async readStored(): Promise<void> {
    const before = this.clearings;
    const stored = await this.store.read().catch(() => undefined);
    if (!stored || this.clearings !== before) return;
    this.owner = stored.user;
    for (const one of stored.profiles) this.kept.set(one.profile.ticket.name, one);
  }

  /** Never throws: what does not fit into the browser's storage is kept until the background is suspended. */
  private async save(): Promise<void> {
    const profiles = () => (this.kept.size === 0 ? null : { user: this.owner, profiles: [...this.kept.values()] });
    await this.inTurn(() => this.store.write(profiles())).catch(() => {});
  }
}

/** Whether nothing of it is missing, or has failed and may have passed since. */
function isWhole({ pending, bitrix }: ProfileData): boolean {
  return pending.length === 0 && bitrix.status !== 'error';
}

const aborted: Result<never> = { ok: false, error: { code: 'aborted' } };
