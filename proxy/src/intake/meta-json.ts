import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { MetaFailure } from '@deskside/shared/routing';
import type { GuardedFailure, GuardedFetch, GuardedResponse } from '#net/guarded-fetch.ts';
import { publicHost, publicUrl } from '#net/public-address.ts';
import { createSemaphore, unlessAborted } from '#runtime/concurrency.ts';
import { isRecord, jsonOf } from '#runtime/json.ts';
import type { Memory } from '#runtime/memory.ts';

/** What a shop's own meta.json says about it (docs/routing.md#intake). Everything in it is the shop's claim. */
export type MetaAnswer =
  | { kind: 'found'; address: string; orgId: string | null; domains: string[] }
  | { kind: 'none' | 'failed'; address: string; why: MetaFailure['why'] };

/** Asks a host. Rejects with the signal's reason; whatever the other side does is an answer. */
export type AskMeta = (host: string, signal: AbortSignal) => Promise<MetaAnswer>;

export type MetaReader = ReturnType<typeof createMetaReader>;

/** What a shop says about itself seldom changes; an address that failed is left alone until the ticket's next try. */
const forMs = { told: 5 * 60_000, failed: 50_000 };

/** Addresses asked at a time for decisions, and those that may wait for their turn; beyond that nobody is asked. */
export const slots = { running: 4, waiting: 200 };

interface Flight {
  answer: Promise<MetaAnswer>;
  isRunning: boolean;
  /** Tickets that were decided without it. */
  missedBy: Set<string>;
}

/**
 * Reads meta.json, each host once for all tickets that name it, so that nobody can make us ask someone else's over and
 * over. Both ways reject with the signal's reason.
 *
 * @param deps.stopped ends what is asked for decisions
 * @param deps.onArrival an address has answered, or failed, that the ticket's decision did not wait for
 */
export function createMetaReader(deps: {
  ask: AskMeta;
  memory: Memory;
  stopped: AbortSignal;
  onArrival: (ticket: string) => void;
}) {
  const { stopped } = deps;
  const told = deps.memory.area<MetaAnswer>({ ttlMs: forMs.told, max: 5_000 });
  const failed = deps.memory.area<MetaAnswer>({ ttlMs: forMs.failed, max: 5_000 });
  const known = (host: string) => told.get(host) ?? failed.get(host);
  const flights = new Map<string, Flight>();
  const slot = createSemaphore(slots.running);
  return { read, readFor };

  /** What the host says, for somebody who waits. */
  async function read(host: string, signal: AbortSignal): Promise<MetaAnswer> {
    const lately = known(host);
    if (lately) return lately;
    const answer = await deps.ask(host, signal);
    (answer.kind === 'failed' ? failed : told).set(host, answer);
    return answer;
  }

  /**
   * What the host says, for a ticket's decision. Slow addresses hold up nobody: a few are asked at a time, and go on being
   * asked when a decision has stopped waiting. Where all slots are taken, it does not wait but answers `failed`.
   */
  async function readFor(ticket: string, host: string, signal: AbortSignal): Promise<MetaAnswer> {
    const flight = known(host) ? null : (flights.get(host) ?? begin(host));
    if (flight === null) return known(host) ?? notYet(host);
    if (!flight.isRunning) {
      flight.missedBy.add(ticket);
      return notYet(host);
    }
    try {
      return await unlessAborted(flight.answer, signal);
    } catch (error) {
      flight.missedBy.add(ticket);
      throw error;
    }
  }

  function begin(host: string): Flight | null {
    if (flights.size >= slots.running + slots.waiting) return null;
    const flight: Flight = { answer: Promise.resolve(notYet(host)), isRunning: false, missedBy: new Set() };
    flights.set(host, flight);
    flight.answer = slot(() => {
      flight.isRunning = true;
      return read(host, stopped);
    }, stopped);
    const arrived = () => {
      flights.delete(host);
      if (!stopped.aborted) for (const ticket of flight.missedBy) deps.onArrival(ticket);
    };
    void flight.answer.then(arrived, arrived);
    return flight;
  }
}

function notYet(host: string): MetaAnswer {
  return { kind: 'failed', why: 'timeout', address: `https://${host}/meta.json` };
}

type NoShopMeta = { kind: 'none' | 'failed'; why: MetaFailure['why'] };

/** What the guard's failures mean for intake: `failed` may tell something later, `none` will not. */
const meanings: Record<GuardedFailure['why'], NoShopMeta> = {
  blocked: { kind: 'none', why: 'blocked' },
  no_such_host: { kind: 'none', why: 'not_found' },
  redirected: { kind: 'none', why: 'redirected' },
  too_large: { kind: 'none', why: 'too_large' },
  unreadable: { kind: 'none', why: 'not_json' },
  timeout: { kind: 'failed', why: 'timeout' },
  unreachable: { kind: 'failed', why: 'unreachable' },
  cut: { kind: 'failed', why: 'unreachable' },
};

/**
 * Reads meta.json through the egress guard. A successful answer names the address at the end of its redirects, the
 * others the one that was requested. A document with domains but no org id counts as found, too.
 */
export async function askMeta(fetch: GuardedFetch, host: string, signal: AbortSignal): Promise<MetaAnswer> {
  signal.throwIfAborted();
  const url = metaUrl(host);
  if (url === null) return { kind: 'none', address: shown(host), why: 'blocked' };
  const answer = await fetch(url.href, signal);
  const meaning = answer.kind === 'answered' ? understand(answer) : meanings[answer.why];
  return { address: url.href, ...meaning };
}

function understand(response: GuardedResponse): MetaAnswer | NoShopMeta {
  const { status, contentType, text, address } = response;
  if (status === 429 || status >= 500) return { kind: 'failed', why: 'server_error' };
  if (status >= 300) return { kind: 'none', why: 'not_found' };
  // Shops send JSON under various content types. A page that happens to be JSON is still a page.
  const meta = /^text\/html\b/i.test(contentType) ? null : parseMeta(text);
  if (meta === null) return { kind: 'none', why: 'not_json' };
  if (meta.orgId === null && meta.domains.length === 0) return { kind: 'none', why: 'no_org_id' };
  return { kind: 'found', address, ...meta };
}

/** Null if the URL parser would drop or reinterpret something, and so read another host than the text shows. */
function metaUrl(host: string): URL | null {
  if (host === '' || /[\p{Cc}\s/\\?#@:%[\]]/u.test(host)) return null;
  return publicUrl(`https://${host}/meta.json`);
}

/** How to show an address that is not a host name: without user info, encoded, cut to the length of a host name. */
function shown(host: string): string {
  const name = host.slice(host.lastIndexOf('@') + 1).slice(0, 253);
  return `https://${encodeURIComponent(name.toWellFormed())}/meta.json`;
}

type Fields = Record<string, unknown>;

const orgIdKeys = ['id', 'shop_id', 'orgid', 'org_id'];
/** A shop has a few; a longer list is someone's prank. */
const maxDomains = 10;

/**
 * Reads a meta.json, whose shape is not documented anywhere (docs/routing.md#intake): the shop's details are at the
 * top level or under `shop`. Domains are host names in lower case, the platform's own first. Null unless the text is a JSON
 * object.
 */
export function parseMeta(text: string) {
  const top = jsonOf(text);
  if (!isRecord(top)) return null;
  const shop = isRecord(top.shop) ? top.shop : {};
  return { orgId: firstOrgId([top, shop]), domains: domainsOf([top, shop]) };
}

function domainsOf(places: Fields[]): string[] {
  const platform = places.flatMap((fields) => Object.keys(fields).filter((key) => key.endsWith('_domain')));
  const domains = new Set<string>();
  for (const key of [...platform, 'domain', 'url']) {
    for (const fields of places) {
      const host = hostOf(fields[key]);
      if (host !== null) domains.add(host);
    }
  }
  return [...domains].slice(0, maxDomains);
}

/** The host of a domain or an address, with or without scheme. Null if it is not one, or not public by its name. */
function hostOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.includes('@')) return null;
  const address = value.trim();
  const url = URL.parse(/^https?:\/\//i.test(address) ? address : `https://${address}`);
  return url && publicHost(url);
}

function firstOrgId(places: Fields[]): OrgId | null {
  const values = places.flatMap((fields) => orgIdKeys.map((key) => parseOrgId(fields[key])));
  return values.find((orgId) => orgId !== null) ?? null;
}
