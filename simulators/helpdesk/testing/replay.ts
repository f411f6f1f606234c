import type { HelpdeskSimulator } from '#helpdesk/api.ts';
import { keyOf } from '#seed/index.ts';
import { accounts, type Exchange } from './replay-seed.ts';

export interface ReplayAnswer {
  status: number;
  headers: Headers;
  body: unknown;
}

/**
 * Sends recorded requests to a simulator. Placeholders and values that the recorded site made up (client id, code,
 * tokens, `modified`) are replaced by those that this simulator answered earlier.
 */
export class Player {
  /** Recorded text, live text. */
  private readonly live = new Map<string, string>();
  private readonly sessions = new Map<string, string>();
  private accessTokens: string[] = [];
  private readonly simulator: HelpdeskSimulator;

  constructor(simulator: HelpdeskSimulator) {
    this.simulator = simulator;
  }

  async play(exchange: Exchange): Promise<ReplayAnswer> {
    const { method, path, json, form, headers: given } = exchange.request;
    const headers = new Headers({ ...given, ...this.credentials(exchange.as) });
    let body: string | undefined;
    if (json !== undefined) {
      headers.set('Content-Type', 'application/json');
      body = this.substitute(JSON.stringify(json));
    } else if (form !== undefined) {
      headers.set('Content-Type', 'application/x-www-form-urlencoded');
      const fields = Object.entries(form).map(([key, value]) => [
        key,
        this.substitute(this.formValue(exchange, key, value)),
      ]);
      body = new URLSearchParams(fields).toString();
    }
    const url = `${this.simulator.url}${this.substitute(path)}`;
    const response = await fetch(url, { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    const played = {
      status: response.status,
      headers: response.headers,
      body: isJson ? (JSON.parse(text) as unknown) : text,
    };
    this.learn(exchange, played);
    return played;
  }

  /** Sends another text wherever a recorded one stands in a request. */
  replace(recorded: string, live: string): void {
    this.live.set(recorded, live);
  }

  /** The session cookie of an account, the same one each time. */
  session(user: string): string {
    const known = this.sessions.get(user) ?? this.simulator.sessionFor(user);
    this.sessions.set(user, known);
    return `sid=${known}`;
  }

  /** Lets an account sign in anew with its next request; a new session has no CSRF token yet. */
  signInAnew(user: string): void {
    this.sessions.delete(user);
  }

  private credentials(as: string): Record<string, string> {
    if (as === 'guest' || as === 'no-cookies') return {};
    if (as === 'bad-token') return { Authorization: 'token nobody:wrong' };
    if (as === 'bad-bearer') return { Authorization: 'Bearer nothing' };
    if (as === 'malformed') return { Authorization: 'token' };
    if (as === 'Administrator') return { Cookie: this.session('Administrator') };
    if (as === 'bearer2') return { Authorization: `Bearer ${this.accessTokens.at(-1)}` };
    if (as.startsWith('bearer-')) return { Authorization: `Bearer ${this.accessTokens[0]}` };
    const account = accounts[as.replace('session-', '') as keyof typeof accounts];
    if (as.startsWith('session-')) return { Cookie: this.session(account.name) };
    return { Authorization: keyOf(account) };
  }

  /** `<token>` is the first access token where it is looked into, the last one where it is revoked. */
  private formValue(exchange: Exchange, key: string, value: string): string {
    if (key !== 'token') return value;
    return (exchange.name === 'oauth-revoke' ? this.accessTokens.at(-1) : this.accessTokens[0]) ?? value;
  }

  /** A recorded text as it is sent to this simulator. */
  substitute(text: string): string {
    let result = text;
    for (const [recorded, live] of this.live) result = result.replaceAll(recorded, live);
    return result;
  }

  private learn(exchange: Exchange, played: ReplayAnswer): void {
    const code = /[?&]code=([^&]+)/.exec(played.headers.get('location') ?? '')?.[1];
    if (code !== undefined) this.live.set('<code>', code);
    const [recorded, live] = [exchange.response.body, played.body] as (Record<string, unknown> | null)[];
    if (typeof live?.access_token === 'string') this.accessTokens.push(live.access_token);
    if (typeof live?.refresh_token === 'string') this.live.set('<refresh_token>', live.refresh_token);
    const [was, is] = [recorded?.data, live?.data] as (Record<string, unknown> | undefined)[];
    for (const key of ['modified', 'client_id']) {
      if (typeof was?.[key] === 'string' && typeof is?.[key] === 'string') this.live.set(was[key], is[key]);
    }
  }
}

/** A place where an answer has another shape than the recorded one. */
export type Difference = string;

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/**
 * Compares two answers by keys and kinds of values, recursively; the values themselves may differ. Lists must both be
 * empty or both not, and each element must have the shape of some recorded one. `_server_messages` is unpacked.
 */
export function shapeDifferences(recorded: unknown, live: unknown, path = '$'): Difference[] {
  const [wanted, found] = [kindOf(recorded), kindOf(live)];
  if (wanted !== found)
    return [`${path}: ${wanted} recorded, ${found} answered (${JSON.stringify(live)?.slice(0, 80)})`];
  if (Array.isArray(recorded) && Array.isArray(live)) return listDifferences(recorded, live, path);
  if (typeof recorded !== 'object' || recorded === null) return [];
  return objectDifferences(recorded as Record<string, unknown>, live as Record<string, unknown>, path);
}

function listDifferences(recorded: unknown[], live: unknown[], path: string): Difference[] {
  if ((recorded.length === 0) !== (live.length === 0)) {
    return [`${path}: ${recorded.length} elements recorded, ${live.length} answered`];
  }
  return live.flatMap((element, index) => {
    const attempts = recorded.map((candidate) => shapeDifferences(candidate, element, `${path}[${index}]`));
    return attempts.sort((left, right) => left.length - right.length)[0] ?? [];
  });
}

function objectDifferences(
  recorded: Record<string, unknown>,
  live: Record<string, unknown>,
  path: string,
): Difference[] {
  const missing = Object.keys(recorded).filter((key) => !(key in live));
  const surplus = Object.keys(live).filter((key) => !(key in recorded));
  const inner = Object.keys(recorded)
    .filter((key) => key in live)
    .flatMap((key) => shapeDifferences(unpack(key, recorded[key]), unpack(key, live[key]), `${path}.${key}`));
  return [
    ...missing.map((key) => `${path}.${key}: recorded, not answered`),
    ...surplus.map((key) => `${path}.${key}: answered, not recorded`),
    ...inner,
  ];
}

function unpack(key: string, value: unknown): unknown {
  if (key !== '_server_messages' || typeof value !== 'string') return value;
  return (JSON.parse(value) as string[]).map((message) => JSON.parse(message) as unknown);
}
