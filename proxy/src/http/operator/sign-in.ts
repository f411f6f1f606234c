import type { SignInProblem } from '@deskside/shared/operator/contract';
import type { Context } from 'hono';
import type { OperatorGate } from '#app/operator/operator-gate.ts';
import type { AppEnv } from '#http/context.ts';
import { keepPending, keepSession, takePending } from './cookies.ts';

interface SigningIn {
  /** Undefined while signing in is not set up: the page then says so. */
  gate: OperatorGate | undefined;
  /** Signs what a browser keeps of a sign-in under way; the same in every process. */
  signInKey: string;
}

/** GET /operator/sign-in: sends the browser to the helpdesk. */
export function signInRoute({ gate, signInKey }: SigningIn) {
  return async (c: Context<AppEnv>) => {
    if (gate === undefined) return back(c, 'not_set_up');
    const { url, pending } = await gate.begin();
    await keepPending(c, pending, signInKey);
    return c.redirect(url);
  };
}

/**
 * GET /operator/callback: where the helpdesk sends the browser back to. Of a sign-in that did not begin here the helpdesk
 * is asked nothing.
 *
 * @param icon address of the page's icon; undefined where there is none
 */
export function callbackRoute({ gate, signInKey }: SigningIn, icon: string | undefined) {
  return async (c: Context<AppEnv>) => {
    if (gate === undefined) return back(c, 'not_set_up');
    const pending = await takePending(c, signInKey);
    if (pending === null) return back(c, 'expired');
    const result = await gate.finish(new URL(c.req.url).search, pending, c.req.raw.signal, c.env?.client);
    if ('problem' in result) return back(c, result.problem);
    keepSession(c, result.token);
    return c.html(continuePage(icon));
  };
}

function back(c: Context<AppEnv>, problem: SignInProblem): Response {
  return c.redirect(`/operator?sign_in=${problem}`);
}

/**
 * The browser comes from the helpdesk's site, and would not send a strict cookie along with a redirect from there. This page
 * is ours: the step that it makes is a step within the site. Without an icon a browser would look for one where there is none.
 */
const continuePage = (icon: string | undefined) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Deskside</title>
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">
${icon === undefined ? '' : `<link rel="icon" href="${icon}">`}
<meta http-equiv="refresh" content="0;url=/operator">
<p><a href="/operator">Deskside</a></p></html>
`;
