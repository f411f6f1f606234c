import type { ProfileResult } from '#messaging/protocol.ts';

/**
 * A request for a profile by one call from one tab. `user`: whom its page shows; nobody else's answer is given to it.
 * `maxAgeMs`: how old a cached answer may be.
 */
export interface ProfileRequest {
  tabId: number;
  user: string;
  ticket: string;
  call: string;
  refresh: boolean;
  maxAgeMs: number;
}

interface ProfileServiceOptions {
  load(request: Pick<ProfileRequest, 'ticket' | 'refresh' | 'user'>, signal: AbortSignal): Promise<ProfileResult>;
  now(): number;
}

/** Delays before a profile with pending parts is requested again, in milliseconds. */
const settleDelaysMs = [500, 1500, 3000];

/** Answers cached in memory, so that reopening the panel is instant. Lost when the browser suspends the background. */
const maxAnswers = 50;

interface Flight {
  key: string;
  tabId: number;
  ticket: string;
  /** The calls waiting for it; aborted once none is left. */
  calls: Set<string>;
  abort: AbortController;
  /** The ticket was written to after it started: its answer is for those already waiting, and is not cached. */
  outdated: boolean;
  result: Promise<ProfileResult>;
}

/**
 * Profiles for tabs. Equal requests from a tab share one call to the proxy, recent answers are reused, and a call is
 * aborted when it is cancelled, or when its tab is closed or shows another ticket.
 */
export function createProfileService({ load, now }: ProfileServiceOptions) {
  const flights = new Set<Flight>();
  /** By `answerKey`, oldest first. */
  const answers = new Map<string, ProfileResult & { ok: true }>();
  /** The ticket that each tab was last seen showing. */
  const shown = new Map<number, string>();

  function keep(request: ProfileRequest, result: ProfileResult): void {
    const key = answerKey(request);
    answers.delete(key);
    // A profile with pending parts has to be requested again.
    if (!result.ok || result.profile.pending.length > 0) return;
    answers.set(key, result);
    const oldest = answers.keys().next();
    if (answers.size > maxAnswers && !oldest.done) answers.delete(oldest.value);
  }

  function start(request: ProfileRequest, key: string): Flight {
    const { tabId, ticket } = request;
    const abort = new AbortController();
    const result = load(request, abort.signal).then((answer) => {
      if (abort.signal.aborted) return aborted;
      if (!flight.outdated) keep(request, answer);
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

  /** Never throws. An aborted request answers immediately with the code `aborted`. */
  async function get(request: ProfileRequest): Promise<ProfileResult> {
    const { tabId, user, ticket, refresh, call, maxAgeMs } = request;
    shown.set(tabId, ticket);
    stop((flight) => flight.tabId === tabId && flight.ticket !== ticket);
    const answer = answers.get(answerKey(request));
    if (!refresh && answer && now() - answer.receivedAt < maxAgeMs) return answer;
    const key = JSON.stringify([tabId, user, ticket, refresh]);
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

    /** Like `get`, but repeats the request for a while as long as parts are pending and the tab still shows the ticket. */
    async getSettled(request: ProfileRequest): Promise<ProfileResult> {
      let result = await get(request);
      for (const wait of settleDelaysMs) {
        if (!result.ok || result.profile.pending.length === 0) break;
        await new Promise((resolve) => setTimeout(resolve, wait));
        if (shown.get(request.tabId) !== request.ticket) return aborted;
        result = await get(request);
      }
      return result;
    },

    /** Cancels one call. The request goes on if other calls share it. */
    cancel(tabId: number, call: string): void {
      stop((flight) => flight.tabId === tabId && flight.calls.delete(call) && flight.calls.size === 0);
    },

    /** The tab now shows this ticket, or none (null), or was closed. */
    leave(tabId: number, ticket: string | null): void {
      if (ticket === null) shown.delete(tabId);
      else shown.set(tabId, ticket);
      stop((flight) => flight.tabId === tabId && flight.ticket !== ticket);
    },

    /** The ticket was written to, or somebody has signed out (null: all tickets): answers from before must not be reused. */
    forget(ticket: string | null): void {
      const concerns = (one: string) => ticket === null || one === ticket;
      for (const [key, { profile }] of answers) if (concerns(profile.ticket.name)) answers.delete(key);
      for (const flight of flights) flight.outdated ||= concerns(flight.ticket);
    },

    /** Another person signed in or an address changed: no earlier answer may be shown. */
    clear(): void {
      answers.clear();
      stop(() => true);
    },
  };
}

export type ProfileService = ReturnType<typeof createProfileService>;

const answerKey = ({ user, ticket }: Pick<ProfileRequest, 'user' | 'ticket'>) => JSON.stringify([user, ticket]);

const aborted: ProfileResult = { ok: false, error: { code: 'aborted', requestId: null } };
