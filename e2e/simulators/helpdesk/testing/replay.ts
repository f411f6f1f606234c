import type { HelpdeskSimulator } from '#helpdesk/api.ts';
import type { Exchange } from './recorded.ts';
import { accounts } from './seed.ts';

export interface Played {
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

  async play(exchange: Exchange): Promise<Played> {
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
    return { Authorization: `token ${account.apiKey}:${account.apiSecret}` };
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

  private learn(exchange: Exchange, played: Played): void {
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
