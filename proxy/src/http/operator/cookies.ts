import type { Context } from 'hono';
import { deleteCookie, getCookie, getSignedCookie, setCookie, setSignedCookie } from 'hono/cookie';
import type { AppEnv } from '#http/context.ts';
import type { PendingSignIn } from '#ports/helpdesk/helpdesk-sign-in.ts';

/**
 * The operator page's two cookies (docs/decisions.md 33). The session's goes along only with what the page itself asks.
 * The sign-in's has to come back with a browser that the helpdesk sends here, so it is lax, and only that address gets it.
 */
const session = { name: 'deskside_operator', path: '/operator', sameSite: 'Strict' } as const;
const signIn = { name: 'deskside_sign_in', path: '/operator/callback', sameSite: 'Lax' } as const;
const always = { httpOnly: true, secure: true } as const;

/** How long somebody may take to sign in to the helpdesk, in seconds; as long as the helpdesk's code is good for. */
const signInSeconds = 600;

export function keepSession(c: Context<AppEnv>, token: string): void {
  // Ends with the browser at the latest: how long it lasts is the store's matter.
  setCookie(c, session.name, token, { ...always, path: session.path, sameSite: session.sameSite });
}

/** The token; undefined unless it looks like one of ours. */
export function sessionOf(c: Context<AppEnv>): string | undefined {
  const token = getCookie(c, session.name);
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined;
}

export function dropSession(c: Context<AppEnv>): void {
  deleteCookie(c, session.name, { ...always, path: session.path });
}

/** @param key signs it, so that nobody else can make one */
export async function keepPending(c: Context<AppEnv>, { state, verifier }: PendingSignIn, key: string): Promise<void> {
  const { name, path, sameSite } = signIn;
  await setSignedCookie(c, name, `${state}.${verifier}`, key, { ...always, path, sameSite, maxAge: signInSeconds });
}

/** What the browser that began a sign-in has of it, once: it is taken away. Null for what we did not make. */
export async function takePending(c: Context<AppEnv>, key: string): Promise<PendingSignIn | null> {
  const kept = await getSignedCookie(c, key, signIn.name);
  const [, state, verifier] = /^([\w-]{43})\.([\w-]{43})$/.exec(kept || '') ?? [];
  deleteCookie(c, signIn.name, { ...always, path: signIn.path });
  return state !== undefined && verifier !== undefined ? { state, verifier } : null;
}
