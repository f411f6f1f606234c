import { callProxy } from '@deskside/shared/client';
import type { PageAnchors } from '@deskside/shared/contract';
import * as oauth from 'oauth4webapi';
import { browser } from 'wxt/browser';
import * as z from 'zod/mini';
import { answers, browserKind } from '#browser/browser.ts';
import { readSettings } from '#browser/settings.ts';
import type { PanelErrorCode } from '#messaging/protocol.ts';

/** An access token of a helpdesk's user, for the one proxy of that helpdesk. `expiresAt`: epoch milliseconds. */
export const AccessToken = z.object({
  value: z.string(),
  expiresAt: z.number(),
  user: z.string(),
  helpdesk: z.string(),
  proxy: z.string(),
  clientId: z.string(),
});
export type AccessToken = z.infer<typeof AccessToken>;

interface SignInRequest {
  /** Origins. The proxy only becomes part of the token. */
  helpdesk: string;
  proxy: string;
  clientId: string;
  redirectUri: string;
  /** Whether a sign-in window may be shown. Without it, only someone who is signed in to the helpdesk gets a token. */
  interactive: boolean;
}

/** Timeouts in milliseconds. Some browsers never answer (docs/helpdesk.md#oauth). */
const deadlines = {
  silent: 10_000,
  interactive: 300_000,
  discovery: 5_000,
  exchange: 15_000,
  revoke: 5_000,
  probe: 5_000,
};

/**
 * Signs in to the helpdesk by OAuth2 with PKCE as a public client (docs/helpdesk.md#oauth). State and verifier exist
 * only during this call. The refresh token is dropped: signing in again is silent.
 * @throws SignInError `signed_out` (not signed in to the helpdesk, not allowed to use the client, or window closed),
 *   `timeout`, `unreachable`, `bad_answer`
 */
export async function signIn(request: SignInRequest): Promise<AccessToken> {
  const server = serverOf(request.helpdesk);
  const client: oauth.Client = { client_id: request.clientId };
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint);
  url.search = new URLSearchParams({
    client_id: request.clientId,
    response_type: 'code',
    redirect_uri: request.redirectUri,
    scope: 'all openid',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();

  const landed = await launch(url.href, request.interactive);
  let granted: URLSearchParams;
  try {
    granted = oauth.validateAuthResponse(server, client, landed, state);
  } catch (cause) {
    throw new SignInError(cause instanceof oauth.AuthorizationResponseError ? 'signed_out' : 'bad_answer', cause);
  }
  const options = requestOptions(request.helpdesk, deadlines.exchange);
  try {
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      granted,
      request.redirectUri,
      verifier,
      options,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, await accessTokenOnly(response));
    const { helpdesk, proxy, clientId } = request;
    return {
      value: tokens.access_token,
      expiresAt: Date.now() + (tokens.expires_in ?? 0) * 1000,
      user: await readUser(helpdesk, `Bearer ${tokens.access_token}`, options.signal),
      helpdesk,
      proxy,
      clientId,
    };
  } catch (cause) {
    if (cause instanceof SignInError) throw cause;
    throw new SignInError(exchangeErrorCode(cause, options.signal), cause);
  }
}

/** Signs in to the configured helpdesk with the client that the proxy publishes for this browser. @throws SignInError */
export async function signInAsConfigured(
  interactive: boolean,
  learnAnchors: (proxy: string, anchors: PageAnchors | undefined) => Promise<void>,
): Promise<AccessToken> {
  const { helpdesk, proxy } = await readSettings();
  if (!helpdesk || !proxy) throw new SignInError('not_configured');
  const found = await discover(proxy);
  if (!found.ok) throw new SignInError(found.error.code);
  void learnAnchors(proxy, found.data.page_anchors);
  const clientId = found.data.oauth_client_ids[browserKind()];
  if (!clientId) throw new SignInError('not_configured');
  // Registered at the helpdesk exactly like this, one OAuth client per browser.
  const redirectUri = browser.identity.getRedirectURL('cb');
  return signIn({ helpdesk, proxy, clientId, redirectUri, interactive });
}

/** What a proxy tells anybody of itself. */
export function discover(proxy: string, timeoutMs = deadlines.discovery) {
  return callProxy('discovery', {}, { baseUrl: proxy, authorization: null, timeoutMs });
}

/** Revokes a token at the helpdesk. Never throws: signing out must always succeed locally. */
export async function revoke(token: AccessToken): Promise<void> {
  const options = requestOptions(token.helpdesk, deadlines.revoke);
  const client = { client_id: token.clientId };
  await oauth
    .revocationRequest(serverOf(token.helpdesk), client, oauth.None(), token.value, options)
    .catch(() => undefined);
}

function serverOf(helpdesk: string) {
  const method = (name: string) => `${helpdesk}/api/method/frappe.integrations.oauth2.${name}`;
  return {
    issuer: helpdesk,
    authorization_endpoint: method('authorize'),
    token_endpoint: method('get_token'),
    revocation_endpoint: method('revoke_token'),
  } satisfies oauth.AuthorizationServer;
}

async function launch(url: string, interactive: boolean): Promise<URL> {
  const late = new SignInError('timeout');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), interactive ? deadlines.interactive : deadlines.silent);
  });
  try {
    const landed = await Promise.race([browser.identity.launchWebAuthFlow({ url, interactive }), deadline]);
    return new URL(landed ?? '');
  } catch (cause) {
    if (cause === late) throw late;
    // Chrome uses this message both for a helpdesk that is down and for one that answers 400. Any other error means that
    // the person would have to do something.
    const unloaded = cause instanceof Error && /could not be loaded/i.test(cause.message);
    const isDown = unloaded && !(await answers(new URL('/api/method/ping', url).href, deadlines.probe));
    throw new SignInError(isDown ? 'unreachable' : 'signed_out', cause);
  } finally {
    clearTimeout(timer);
  }
}

function requestOptions(helpdesk: string, deadlineMs: number) {
  return {
    // Addresses are https except on loopback: messaging/settings.ts.
    [oauth.allowInsecureRequests]: helpdesk.startsWith('http:'),
    // With cookies the helpdesk would require its CSRF token (docs/helpdesk.md#credentials).
    [oauth.customFetch]: (url: string, init: RequestInit) =>
      fetch(url, { ...init, credentials: 'omit', redirect: 'error', cache: 'no-store' }),
    signal: AbortSignal.timeout(deadlineMs),
  };
}

/** Drops the ID token from the answer: it is signed with a secret that a public client does not have. */
async function accessTokenOnly(response: Response): Promise<Response> {
  if (!response.ok) return response;
  const { access_token, token_type, expires_in } = (await response.json()) as Record<string, unknown>;
  return Response.json({ access_token, token_type, expires_in });
}

function exchangeErrorCode(cause: unknown, signal: AbortSignal): PanelErrorCode {
  if (signal.aborted) return 'timeout';
  if (cause instanceof oauth.ResponseBodyError) return cause.error === 'invalid_grant' ? 'signed_out' : 'bad_answer';
  return cause instanceof TypeError && !('code' in cause) ? 'unreachable' : 'bad_answer';
}

export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly code: PanelErrorCode;

  constructor(code: PanelErrorCode, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

export function signInErrorCode(error: unknown): PanelErrorCode {
  return error instanceof SignInError ? error.code : 'internal';
}

const Answer = z.object({ message: z.string() });

/** The helpdesk user of an Authorization header, by the same id as in the page's cookie. @throws SignInError, and what `fetch` throws */
async function readUser(helpdesk: string, authorization: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${helpdesk}/api/method/frappe.auth.get_logged_user`, {
    headers: { accept: 'application/json', authorization },
    // Without cookies: with them the answer would be about the page's person, and would sign that page out.
    credentials: 'omit',
    redirect: 'error',
    cache: 'no-store',
    signal,
  });
  const answer = Answer.safeParse(await response.json());
  if (response.status === 401 || response.status === 403) throw new SignInError('signed_out');
  if (!response.ok || !answer.success) throw new SignInError('bad_answer');
  return answer.data.message;
}
