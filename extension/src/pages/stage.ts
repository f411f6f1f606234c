import type { ConnectionTest, OptionsState } from '#messaging/page-protocol.ts';
import { parseAddress } from '#messaging/settings.ts';

/** Makes a request that answers with the new state; undefined: it failed. */
export type RunChange = (change: () => Promise<OptionsState | undefined>) => Promise<OptionsState | undefined>;

/** Both addresses, as origins. */
export interface Addresses {
  helpdesk: string;
  proxy: string;
}

/**
 * What the person has to do next. `address`: name the proxy. `access`: let the browser allow both addresses. `sign_in`:
 * nothing, or sign in to the helpdesk.
 */
export type Stage = { at: 'address' } | ({ at: 'access' | 'sign_in' } & Addresses);

/** The next step. `found`: a helpdesk that the person has not yet allowed. `changing`: they want another address. */
export function stageOf({ helpdesk, proxy }: OptionsState, found: Addresses | null, changing: boolean): Stage {
  if (found) return { at: 'access', ...found };
  if (!helpdesk.value || !proxy.value || changing) return { at: 'address' };
  const addresses = { helpdesk: helpdesk.value, proxy: proxy.value };
  return { at: helpdesk.granted && proxy.granted ? 'sign_in' : 'access', ...addresses };
}

/** `refused`: the helpdesk's own sign-in was opened and gave nothing. `other`: a code without words of its own. */
export type SignInProblem =
  | 'signed_out'
  | 'refused'
  | 'not_agent'
  | 'no_client'
  | 'helpdesk_down'
  | 'proxy_down'
  | 'other_helpdesk'
  | 'other';

export type SignInOutcome = { ok: true; name: string } | { ok: false; problem: SignInProblem; code: string };

/** What a connection test, which signs in silently, says to somebody who starts. */
export function outcomeOf(test: ConnectionTest | undefined, { helpdesk }: Addresses): SignInOutcome {
  const failed = (problem: SignInProblem, code: string = problem): SignInOutcome => ({ ok: false, problem, code });
  if (!test) return failed('other', 'internal');
  const { discovery, canSignIn, whoami } = test;
  if (!discovery.ok) return failed('proxy_down', discovery.error.code);
  const served = parseAddress(discovery.data.helpdesk_url);
  if (!served.ok || served.origin !== helpdesk) return failed('other_helpdesk');
  if (whoami?.ok) {
    const { is_agent, full_name, user } = whoami.data;
    return is_agent ? { ok: true, name: full_name || user } : failed('not_agent');
  }
  const code = whoami?.error.code ?? 'internal';
  if (code === 'not_an_agent') return failed('not_agent', code);
  if (!canSignIn) return failed('no_client', code);
  if (code === 'signed_out' || code === 'unauthenticated') return failed('signed_out', code);
  // The proxy has just answered, so it is the helpdesk that does not.
  const isDown = code === 'unreachable' || code === 'timeout' || code.startsWith('helpdesk_');
  return failed(isDown ? 'helpdesk_down' : 'other', code);
}

/** The proxy's address in a link to the welcome page (`#proxy=…`), as it was written there; empty if there is none. */
export function addressInLink(hash: string): string {
  return new URLSearchParams(hash.replace(/^#/, '')).get('proxy')?.slice(0, 300) ?? '';
}
