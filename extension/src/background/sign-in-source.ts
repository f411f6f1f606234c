import { callProxy } from '@deskside/shared/client';
import type { Browser } from '@deskside/shared/contract';
import type { PanelErrorCode } from '../messaging/protocol.ts';
import type { Settings } from '../settings/settings.ts';
import { type AccessToken, SignInError, type SignInTools, signIn } from './sign-in.ts';

/** Longest wait for the proxy's public answer, in milliseconds. */
const discoveryMs = 5_000;

/**
 * Signs in at the helpdesk in force, with the client id that the proxy publishes for this browser.
 * @throws SignInError; `not_configured` if an address or the client id is missing
 */
export function createSignIn(
  settings: () => Promise<Pick<Settings, 'helpdesk' | 'proxy'>>,
  browser: Browser,
  redirectUri: () => string,
  tools: SignInTools,
) {
  return async (interactive: boolean): Promise<AccessToken> => {
    const { helpdesk, proxy } = await settings();
    if (!helpdesk || !proxy) throw new SignInError('not_configured');
    const options = { baseUrl: proxy, authorization: null, fetch: tools.fetch, timeoutMs: discoveryMs };
    const found = await callProxy('discovery', {}, options);
    if (!found.ok) throw new SignInError(found.error.code);
    const clientId = found.data.oauth_client_ids[browser];
    if (!clientId) throw new SignInError('not_configured');
    return signIn({ helpdesk, clientId, redirectUri: redirectUri(), interactive }, tools);
  };
}

/** The code of whatever `createSignIn` threw. */
export function signInProblem(error: unknown): PanelErrorCode {
  return error instanceof SignInError ? error.code : 'internal';
}
