import { operatorContract, operatorHeader } from '@deskside/shared/operator/contract';
import { expect } from 'vitest';
import type { World } from '../demo/world.ts';

/** A browser as far as signing in needs one: it keeps cookies by path, and follows redirects by hand. */
export class Visitor {
  readonly cookies = new Map<string, { value: string; path: string; line: string }>();
  readonly #origin: string;
  readonly #world: Pick<World, 'helpdesk' | 'proxyUrl' | 'operatorUrl'>;

  constructor(world: Pick<World, 'helpdesk' | 'proxyUrl' | 'operatorUrl'>) {
    this.#world = world;
    this.#origin = new URL(world.operatorUrl).origin;
  }

  /** Asks the proxy for a path; keeps what cookies it sets. */
  async get(path: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(path, this.#origin);
    const cookie = [...this.cookies]
      .filter(([, kept]) => url.pathname === kept.path || url.pathname.startsWith(`${kept.path}/`))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
    // The name localhost may lead elsewhere than to where the proxy listens.
    const response = await fetch(`${this.#world.proxyUrl}${url.pathname}${url.search}`, {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie && { cookie }), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /; Path=([^;]*)/i.exec(line)?.[1] ?? '/';
      if (/; Max-Age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, { value, path, line });
    }
    return response;
  }

  /** Begins to sign in, and goes through the helpdesk as this user; gives the address that it sends the browser back to. */
  async throughHelpdesk(user: string): Promise<string> {
    const sent = await this.get('/operator/sign-in');
    const cookie = `sid=${this.#world.helpdesk.sessionFor(user)}`;
    let at = sent.headers.get('location') ?? '';
    for (let hops = 0; hops < 3 && at.startsWith(this.#world.helpdesk.url); hops += 1) {
      const hop = await fetch(at, { redirect: 'manual', headers: { cookie } });
      at = new URL(hop.headers.get('location') ?? '', at).href;
    }
    return at;
  }

  /** Signs in as this user of the helpdesk; gives the proxy's answer to the browser that comes back. */
  async signIn(user: string): Promise<Response> {
    return this.get(await this.throughHelpdesk(user));
  }

  /** Asks as the page does. */
  async ask(
    endpoint: keyof typeof operatorContract,
    init: RequestInit = {},
  ): Promise<{ status: number; body: unknown }> {
    const { method, path } = operatorContract[endpoint];
    const headers = { [operatorHeader]: '1', ...(method === 'POST' && { origin: this.#origin }), ...init.headers };
    const response = await this.get(path, { method, ...init, headers });
    return { status: response.status, body: await response.json() };
  }

  /** Whether the proxy knows who this is. */
  async isSignedIn(): Promise<boolean> {
    const { status } = await this.ask('me');
    expect([200, 401]).toContain(status);
    return status === 200;
  }
}
