import { callProxy } from '@deskside/shared/client';
import type { Browser } from '@deskside/shared/contract';
import type { Settings } from '#settings/settings.ts';
import { type AccessToken, signIn } from './sign-in.ts';
import { SignInError, type SignInTools } from './sign-in-tools.ts';

/** Timeout of the discovery request, in milliseconds. */
const discoveryMs = 5_000;

/**
 * Signs in to the configured helpdesk with the client id that the proxy publishes for this browser.
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
    return signIn({ helpdesk, proxy, clientId, redirectUri: redirectUri(), interactive }, tools);
  };
}
