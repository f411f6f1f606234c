import * as z from 'zod/mini';
import type { PanelErrorCode } from '#messaging/protocol.ts';
import type { AccessToken } from './sign-in.ts';

/** The Authorization header for the proxy, or why there is none. */
export type Authorization = { ok: true; header: string } | { ok: false; code: PanelErrorCode };

/** Stored instead of a token after signing out: no silent sign-in until the agent clicks Sign in. */
const signedOut = 'signed_out';

/** Keeps one access token until the browser is closed. */
interface TokenStore {
  read(): Promise<unknown>;
  write(token: AccessToken | typeof signedOut | null): Promise<void>;
}

export interface SessionOptions {
  store: TokenStore;
  apiKey(): Promise<string | null>;
  /** Origin of the configured helpdesk, or null. A token of another helpdesk is never sent. */
  helpdesk(): Promise<string | null>;
  signIn(interactive: boolean): Promise<AccessToken>;
  revoke(token: AccessToken): Promise<void>;
  codeOf(error: unknown): PanelErrorCode;
  now(): number;
}

const StoredToken = z.object({ value: z.string(), expiresAt: z.number(), helpdesk: z.string(), clientId: z.string() });

/** A token that expires within this time is renewed before use. */
const expiryMarginMs = 60_000;
/** A silent sign-in that failed is not attempted again within this time. */
const coolDownMs = 5_000;

/**
 * The agent's credential for the proxy: the API key if one is set, else an access token of the helpdesk, obtained silently
 * and kept until it expires. Concurrent requests share one sign-in.
 */
export function createSession(options: SessionOptions) {
  let running: { interactive: boolean; result: Promise<Authorization> } | undefined;
  let failed: { at: number; code: PanelErrorCode } | undefined;

  async function validToken(): Promise<AccessToken | null> {
    const parsed = StoredToken.safeParse(await options.store.read());
    if (!parsed.success || parsed.data.helpdesk !== (await options.helpdesk())) return null;
    return parsed.data.expiresAt - expiryMarginMs > options.now() ? parsed.data : null;
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
      const token = await validToken();
      return token ? bearer(token) : obtain(false);
    },

    /** The proxy rejected this header: get a new one silently. An API key cannot be renewed. */
    async renew(rejected: string): Promise<Authorization> {
      if (await options.apiKey()) return { ok: false, code: 'unauthenticated' };
      const token = await validToken();
      if (token && bearer(token).header !== rejected) return bearer(token);
      await options.store.write(null);
      return obtain(false);
    },

    /** For a click: silent if possible, else with the helpdesk's sign-in window. Null: signed in. */
    async signIn(): Promise<PanelErrorCode | null> {
      failed = undefined;
      if ((await options.store.read()) === signedOut) await options.store.write(null);
      const silent = await obtain(false);
      const result = silent.ok || silent.code !== 'signed_out' ? silent : await obtain(true);
      return result.ok ? null : result.code;
    },

    /** Forgets the token, then revokes it at the helpdesk that issued it, even if another one is configured now. */
    async signOut(): Promise<void> {
      const parsed = StoredToken.safeParse(await options.store.read());
      await options.store.write(signedOut);
      if (parsed.success) await options.revoke(parsed.data);
    },

    async kind(): Promise<'none' | 'signed_in' | 'api_key'> {
      if (await options.apiKey()) return 'api_key';
      return (await validToken()) ? 'signed_in' : 'none';
    },
  };
}

export type Session = ReturnType<typeof createSession>;

function bearer(token: AccessToken): { ok: true; header: string } {
  return { ok: true, header: `Bearer ${token.value}` };
}
