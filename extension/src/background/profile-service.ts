import type { ProfileResult } from '../messaging/protocol.ts';

/** One question for a profile, by one call of one tab. `maxAgeMs`: a younger answer will do. */
export interface ProfileRequest {
  tabId: number;
  ticket: string;
  call: string;
  refresh: boolean;
  maxAgeMs: number;
}

export interface ProfileServiceOptions {
  load(ticket: string, refresh: boolean, signal: AbortSignal): Promise<ProfileResult>;
  now(): number;
}

/** Waits before a profile with parts still to come is asked for again, in milliseconds. */
const settleWaits = [500, 1500, 3000];

/** Answers kept in memory, so that reopening the panel is instant. Lost when the browser puts the background to sleep. */
const kept = 50;

interface Flight {
  key: string;
  tabId: number;
  ticket: string;
  /** The calls that wait for it. Without any left, it is aborted. */
  calls: Set<string>;
  abort: AbortController;
  /** The ticket was written to since it began: its answer serves those who wait for it, and nobody later. */
  outdated: boolean;
  result: Promise<ProfileResult>;
}

/**
 * Profiles for tabs: equal questions of a tab share one request, a recent answer serves again, and a request whose
 * ticket was left, cancelled, closed or followed by another ticket in the same tab does not stay alive.
 */
export function createProfileService({ load, now }: ProfileServiceOptions) {
  const flights = new Set<Flight>();
  const answers = new Map<string, ProfileResult & { ok: true }>();
  /** The ticket that each tab was last seen with. */
  const shown = new Map<number, string>();

  function keep(ticket: string, result: ProfileResult): void {
    answers.delete(ticket);
    // A profile with parts still to come is asked for again, not served again.
    if (!result.ok || result.profile.pending.length > 0) return;
    answers.set(ticket, result);
    const oldest = answers.keys().next();
    if (answers.size > kept && !oldest.done) answers.delete(oldest.value);
  }

  function start({ tabId, ticket, refresh }: ProfileRequest, key: string): Flight {
    const abort = new AbortController();
    const result = load(ticket, refresh, abort.signal).then((answer) => {
      if (abort.signal.aborted) return aborted;
      if (!flight.outdated) keep(ticket, answer);
      return answer;
    });
    const flight: Flight = { key, tabId, ticket, calls: new Set(), abort, outdated: false, result };
    flights.add(flight);
    const end = () => flights.delete(flight);
    result.then(end, end);
    return flight;
  }

  function stop(leave: (flight: Flight) => boolean): void {
    for (const flight of flights) {
      if (!leave(flight)) continue;
      flights.delete(flight);
      flight.abort.abort();
    }
  }

  /** Never throws. An aborted request answers with the code `aborted` at once. */
  async function get(request: ProfileRequest): Promise<ProfileResult> {
    const { tabId, ticket, refresh, call, maxAgeMs } = request;
    shown.set(tabId, ticket);
    stop((flight) => flight.tabId === tabId && flight.ticket !== ticket);
    const answer = answers.get(ticket);
    if (!refresh && answer && now() - answer.receivedAt < maxAgeMs) return answer;
    const key = JSON.stringify([tabId, ticket, refresh]);
    const running = [...flights].find((flight) => flight.key === key && !flight.outdated);
    const flight = running ?? start(request, key);
    flight.calls.add(call);
    const left = new Promise<ProfileResult>((resolve) => {
      flight.abort.signal.addEventListener('abort', () => resolve(aborted), { once: true });
    });
    return Promise.race([flight.result, left]);
  }

  return {
    get,

    /** Like `get`, but a profile with parts still to come is asked for again for a while, as long as the tab shows it. */
    async getSettled(request: ProfileRequest): Promise<ProfileResult> {
      let result = await get(request);
      for (const wait of settleWaits) {
        if (!result.ok || result.profile.pending.length === 0) break;
        await new Promise((resolve) => setTimeout(resolve, wait));
        if (shown.get(request.tabId) !== request.ticket) return aborted;
        result = await get(request);
      }
      return result;
    },

    /** A call is not waited for any more. Others that share its request keep it alive. */
    cancel(tabId: number, call: string): void {
      stop((flight) => flight.tabId === tabId && flight.calls.delete(call) && flight.calls.size === 0);
    },

    /** The tab shows another ticket, or none (null), or is gone. */
    leave(tabId: number, ticket: string | null): void {
      if (ticket === null) shown.delete(tabId);
      else shown.set(tabId, ticket);
      stop((flight) => flight.tabId === tabId && flight.ticket !== ticket);
    },

    /** The ticket was written to: what was asked for before must not serve again. */
    forget(ticket: string): void {
      answers.delete(ticket);
      for (const flight of flights) flight.outdated ||= flight.ticket === ticket;
    },

    /** Another person or another address: nothing that was asked for before may be shown. */
    clear(): void {
      answers.clear();
      stop(() => true);
    },
  };
}

export type ProfileService = ReturnType<typeof createProfileService>;

const aborted: ProfileResult = { ok: false, error: { code: 'aborted', requestId: null } };
