import * as z from 'zod/mini';
import type { PanelErrorCode } from '../messaging/protocol.ts';
import type { AccessToken } from './sign-in.ts';

/** What to send to the proxy, or why there is nothing to send. */
export type Authorization = { ok: true; header: string } | { ok: false; code: PanelErrorCode };

/** Written in place of a token after the agent signed out: no silent sign-in until the next click. */
const signedOut = 'signed_out';

/** Keeps one access token for as long as the browser runs; in a browser, `storage.session`. */
export interface TokenStore {
  read(): Promise<unknown>;
  write(token: AccessToken | typeof signedOut | null): Promise<void>;
}

export interface SessionOptions {
  store: TokenStore;
  apiKey(): Promise<string | null>;
  /** Origin of the helpdesk in force, or null. A token of another one is never sent. */
  helpdesk(): Promise<string | null>;
  signIn(interactive: boolean): Promise<AccessToken>;
  revoke(token: AccessToken): Promise<void>;
  codeOf(error: unknown): PanelErrorCode;
  now(): number;
}

const StoredToken = z.object({ value: z.string(), expiresAt: z.number(), helpdesk: z.string(), clientId: z.string() });

/** A token this close to its end is renewed before it is used, and a failed silent attempt stands for as long. */
const earlyMs = 60_000;
const coolDownMs = 5_000;

/**
 * Who the agent is towards the proxy: an API key where one is set, else an access token of the helpdesk, got silently
 * and kept until it expires. However many ask at once, one sign-in runs.
 */
export function createSession(options: SessionOptions) {
  let running: { interactive: boolean; result: Promise<Authorization> } | undefined;
  let failed: { at: number; code: PanelErrorCode } | undefined;

  async function usable(): Promise<AccessToken | null> {
    const parsed = StoredToken.safeParse(await options.store.read());
    if (!parsed.success || parsed.data.helpdesk !== (await options.helpdesk())) return null;
    return parsed.data.expiresAt - earlyMs > options.now() ? parsed.data : null;
  }

  async function obtain(interactive: boolean): Promise<Authorization> {
    if (!interactive && (await options.store.read()) === signedOut) return { ok: false, code: 'signed_out' };
    if (running && (running.interactive || !interactive)) return running.result;
    if (!interactive && failed && options.now() - failed.at < coolDownMs) return { ok: false, code: failed.code };
    const attempt = { interactive, result: run(interactive) };
    running = attempt;
    try {
      return await attempt.result;
    } finally {
      if (running === attempt) running = undefined;
    }
  }

  async function run(interactive: boolean): Promise<Authorization> {
    try {
      const token = await options.signIn(interactive);
      await options.store.write(token);
      failed = undefined;
      return bearer(token);
    } catch (error) {
      failed = { at: options.now(), code: options.codeOf(error) };
      return { ok: false, code: failed.code };
    }
  }

  return {
    /** The value of the Authorization header for the proxy. */
    async authorization(): Promise<Authorization> {
      const key = await options.apiKey();
      if (key) return { ok: true, header: `token ${key}` };
      const token = await usable();
      return token ? bearer(token) : obtain(false);
    },

    /** The proxy did not accept this header: get another one silently. An API key cannot be renewed. */
    async renew(rejected: string): Promise<Authorization> {
      if (await options.apiKey()) return { ok: false, code: 'unauthenticated' };
      const token = await usable();
      if (token && bearer(token).header !== rejected) return bearer(token);
      await options.store.write(null);
      return obtain(false);
    },

    /** From a click: silently if that will do, else with the helpdesk's own sign-in window. Null: signed in. */
    async signIn(): Promise<PanelErrorCode | null> {
      failed = undefined;
      if ((await options.store.read()) === signedOut) await options.store.write(null);
      const silent = await obtain(false);
      const result = silent.ok || silent.code !== 'signed_out' ? silent : await obtain(true);
      return result.ok ? null : result.code;
    },

    /** Forgets the token here, then revokes it at the helpdesk, also one of a helpdesk that is not in force any more. */
    async signOut(): Promise<void> {
      const parsed = StoredToken.safeParse(await options.store.read());
      await options.store.write(signedOut);
      if (parsed.success) await options.revoke(parsed.data);
    },

    async kind(): Promise<'none' | 'signed_in' | 'api_key'> {
      if (await options.apiKey()) return 'api_key';
      return (await usable()) ? 'signed_in' : 'none';
    },
  };
}

export type Session = ReturnType<typeof createSession>;

function bearer(token: AccessToken): { ok: true; header: string } {
  return { ok: true, header: `Bearer ${token.value}` };
}
