import * as z from 'zod/mini';
import { readSettings } from '#browser/settings.ts';
import { sessionItem } from '#browser/storage.ts';
import type { PanelErrorCode } from '#messaging/protocol.ts';
import { AccessToken, signInErrorCode } from './sign-in.ts';

/** An Authorization header, and the origin of the only proxy that it may be sent to. */
export interface BearerCredential {
  header: string;
  proxy: string;
}

export type Authorization = ({ ok: true } & BearerCredential) | { ok: false; code: PanelErrorCode };

/**
 * Stored instead of a token after signing out: no silent sign-in until the agent clicks Sign in, or, where `of` has only
 * signed out of the helpdesk, until its page shows that person again.
 */
const SignOutMark = z.object({ signedOut: z.literal(true), of: z.nullable(z.string()) });

interface SessionOptions {
  signIn(interactive: boolean): Promise<AccessToken>;
  revoke(token: AccessToken): Promise<void>;
  /** Called when somebody has signed out, or has been. */
  ended(): void;
}

/** A token that expires within this time is renewed before use. */
const expiryMarginMs = 60_000;
/** A silent sign-in that failed is not attempted again within this time. */
const coolDownMs = 5_000;

/**
 * The agent's credential for the proxy: an access token of the helpdesk, obtained silently and kept until it expires.
 * Concurrent requests share one sign-in.
 *
 * Every request names the `user` that the asking page shows (empty: nobody is signed in there), and gets that person's
 * credential or none: a token of somebody else is ended as if they had signed out. Null: a page of the extension's own,
 * which shows nobody.
 */
export class Session {
  private readonly options: SessionOptions;
  /** One access token, until the browser is closed. */
  private readonly store = sessionItem('token', z.union([AccessToken, SignOutMark]));
  private running: { user: string | null; result: Promise<Authorization> } | undefined;
  private failed: { at: number; user: string | null; code: PanelErrorCode } | undefined;
  /** How often somebody has signed out. A sign-in that was started before then no longer counts. */
  private ends = 0;

  constructor(options: SessionOptions) {
    this.options = options;
  }

  /** The credential with which to act as this user. */
  async authorization(user: string | null): Promise<Authorization> {
    const token = await this.tokenFor(user);
    if (user === '') return { ok: false, code: 'signed_out' };
    return isUsable(token) ? bearer(token) : this.obtain(false, user);
  }

  /** A page shows this user, or nobody (empty), and wants nothing. */
  async seen(user: string): Promise<void> {
    await this.tokenFor(user);
  }

  /** The proxy rejected this header: get a new one silently. */
  async renew(rejected: string, user: string | null): Promise<Authorization> {
    const before = this.ends;
    const token = await this.storedToken();
    const isRejected = token !== null && bearer(token).header === rejected;
    if (!isRejected && isUsable(token) && (user === null || token.user === user)) return bearer(token);
    // Not after a sign-out, which must stay one.
    if (isRejected && this.ends === before) await this.store.write(null);
    return this.obtain(false, user);
  }

  /** For a click: silent if possible, else with the helpdesk's sign-in window. Null: signed in. */
  async signIn(user: string | null): Promise<PanelErrorCode | null> {
    this.failed = undefined;
    if (await this.needsClick(user)) await this.store.write(null);
    const silent = await this.obtain(false, user);
    const result = silent.ok || silent.code !== 'signed_out' ? silent : await this.obtain(true, user);
    return result.ok ? null : result.code;
  }

  /** Forgets the token, then revokes it at the helpdesk that issued it, even if another one is configured now. */
  async signOut(): Promise<void> {
    const kept = await this.store.read();
    await this.end(null);
    if (kept && 'value' in kept) await this.options.revoke(kept);
  }

  /** Null also for one that was obtained for other addresses than the configured ones: it is never sent. */
  private async storedToken(): Promise<AccessToken | null> {
    const kept = await this.store.read();
    const { helpdesk, proxy } = await readSettings();
    return kept && 'value' in kept && kept.helpdesk === helpdesk && kept.proxy === proxy ? kept : null;
  }

  /** @param of who may come back without a click; null: nobody */
  private async end(of: string | null): Promise<void> {
    this.ends += 1;
    this.running = undefined;
    this.failed = undefined;
    this.options.ended();
    await this.store.write({ signedOut: true, of });
  }

  /** Whether a sign-in has to wait for a click. */
  private async needsClick(user: string | null): Promise<boolean> {
    const kept = await this.store.read();
    return kept !== undefined && 'of' in kept && (kept.of === null || kept.of !== user);
  }

  /** The stored token, unless it is somebody else's than the page shows: that one is ended as if they had signed out. */
  private async tokenFor(user: string | null): Promise<AccessToken | null> {
    const token = await this.storedToken();
    if (!token || user === null || token.user === user) return token;
    await this.end(user === '' ? token.user : null);
    void this.options.revoke(token);
    return null;
  }

  private async obtain(interactive: boolean, user: string | null): Promise<Authorization> {
    if (!interactive && (await this.needsClick(user))) return { ok: false, code: 'signed_out' };
    const { running, failed } = this;
    if (running?.user === user) return running.result;
    if (!interactive && failed?.user === user && Date.now() - failed.at < coolDownMs)
      return { ok: false, code: failed.code };
    const attempt = { user, result: this.run(interactive, user) };
    this.running = attempt;
    try {
      return await attempt.result;
    } finally {
      if (this.running === attempt) this.running = undefined;
    }
  }

  private async run(interactive: boolean, user: string | null): Promise<Authorization> {
    const before = this.ends;
    const fail = (code: PanelErrorCode): Authorization => {
      this.failed = { at: Date.now(), user, code };
      return { ok: false, code };
    };
    try {
      const token = await this.options.signIn(interactive);
      const isOther = !!user && token.user !== user;
      if (isOther || this.ends !== before) {
        void this.options.revoke(token);
        return isOther ? fail('other_user') : { ok: false, code: 'signed_out' };
      }
      await this.store.write(token);
      this.failed = undefined;
      return bearer(token);
    } catch (error) {
      return fail(signInErrorCode(error));
    }
  }
}

function isUsable(token: AccessToken | null): token is AccessToken {
  return token !== null && token.expiresAt - expiryMarginMs > Date.now();
}

function bearer({ value, proxy }: AccessToken): { ok: true } & BearerCredential {
  return { ok: true, header: `Bearer ${value}`, proxy };
}
