import { afterAll, beforeAll } from 'vitest';
import type { Generation, HelpdeskSimulator } from '#helpdesk/api.ts';
import { startHelpdesk } from '#helpdesk/server.ts';
import { accounts, replaySeed } from '#helpdesk/testing/replay-seed.ts';
import { keyOf } from '#seed/index.ts';

export interface SiteAnswer {
  status: number;
  headers: Headers;
  /** Parsed JSON, or the text of anything else. */
  body: Record<string, unknown>;
  text: string;
}

type Account = keyof typeof accounts;

/** A running simulator with ways to talk to it; made before the tests of a `describe` and closed after them. */
export interface TestSite {
  simulator: HelpdeskSimulator;
  /** Epoch milliseconds of the simulator's clock; moves only when a test sets it. */
  now: number;
  get(as: Account | null, path: string, headers?: Record<string, string>): Promise<SiteAnswer>;
  send(as: Account | null, method: string, path: string, body: unknown): Promise<SiteAnswer>;
  /** The list of a DocType with JSON parameters. */
  list(as: Account | null, doctype: string, parameters?: Record<string, unknown>): Promise<SiteAnswer>;
}

export const noon = Date.parse('2026-11-21T06:30:00Z');

export function useSite(generation: Generation): TestSite {
  const site = { now: noon } as TestSite;
  const request = async (as: Account | null, method: string, path: string, init: RequestInit): Promise<SiteAnswer> => {
    const headers = new Headers(init.headers);
    if (as !== null) headers.set('Authorization', keyOf(accounts[as]));
    return read(await fetch(site.simulator.url + path, { redirect: 'manual', ...init, method, headers }));
  };
  site.get = (as, path, headers = {}) => request(as, 'GET', path, { headers });
  site.send = (as, method, path, body) =>
    request(as, method, path, { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  site.list = (as, doctype, parameters = {}) => {
    const texts = Object.entries(parameters).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    return site.get(as, `/api/resource/${encodeURIComponent(doctype)}?${new URLSearchParams(texts)}`);
  };
  beforeAll(async () => {
    site.simulator = await startHelpdesk({ seed: replaySeed(generation), generation, now: () => site.now });
  });
  afterAll(() => site.simulator.close());
  return site;
}

/** Reads an answer whole. */
export async function read(response: Response): Promise<SiteAnswer> {
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  const body = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.status, headers: response.headers, body, text };
}

/** The names in a list's answer. */
export function names(answer: SiteAnswer): unknown[] {
  return (answer.body.data as Record<string, unknown>[]).map((row) => row.name);
}

/** Message or data of an answer as an object. */
export function content(answer: SiteAnswer): Record<string, unknown> {
  return (answer.body.message ?? answer.body.data) as Record<string, unknown>;
}
