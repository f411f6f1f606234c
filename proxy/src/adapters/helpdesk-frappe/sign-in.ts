import * as oauth from 'oauth4webapi';
import * as z from 'zod';
import { createFrappeClient, type FrappeClient } from '#adapters/helpdesk-frappe/client/client.ts';
import { refusalAsOutage } from '#adapters/helpdesk-frappe/client/frappe-error.ts';
import { EgressError, type Upstream } from '#net/egress.ts';
import { HelpdeskError, type HelpdeskErrorKind } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskSignIn, PendingSignIn, ReadRoles, SignedInUser } from '#ports/helpdesk/helpdesk-sign-in.ts';
import { RolesOfUser } from './reads/people/desk.ts';
import { CurrentUser } from './reads/people/identity.ts';

const Roles = z.object({ roles: z.array(z.string()) });
const Account = z.object({ name: z.string(), enabled: z.union([z.number(), z.boolean()]).nullish() });

/** Longest wait for revoking, in milliseconds: nobody waits for more than the sign-in itself. */
const revokeWithinMs = 5_000;

/**
 * OAuth2 with PKCE as a public client of the helpdesk, whose browser leg runs in somebody's browser and whose exchange runs
 * here (docs/helpdesk.md#oauth).
 *
 * @param redirectUri where the helpdesk sends the browser back, byte for byte as the client has it
 */
export function createFrappeSignIn({
  upstream,
  clientId,
  redirectUri,
}: {
  upstream: Upstream;
  clientId: string;
  redirectUri: string;
}): HelpdeskSignIn {
  const server = serverOf(upstream.origin);
  const client: oauth.Client = { client_id: clientId };
  const frappe = createFrappeClient(upstream);
  const options = (signal: AbortSignal) => ({
    // Addresses are https, or the guard would have refused them.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: fetchOver(upstream, signal),
    signal,
  });

  async function tokenFor(query: string, { state, verifier }: PendingSignIn, signal: AbortSignal): Promise<string> {
    const granted = oauth.validateAuthResponse(server, client, new URLSearchParams(query), state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      granted,
      redirectUri,
      verifier,
      options(signal),
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, await accessTokenOnly(response));
    return tokens.access_token;
  }

  return {
    async begin() {
      const pending = { state: oauth.generateRandomState(), verifier: oauth.generateRandomCodeVerifier() };
      const url = new URL(server.authorization_endpoint);
      url.search = new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: 'all openid',
        state: pending.state,
        code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      }).toString();
      return { url: url.href, pending };
    },

    async finish(query, pending, signal) {
      const token = await tokenFor(query, pending, signal).catch((cause: unknown) => {
        throw failureOf(cause);
      });
      try {
        return await readUser(frappe, `Bearer ${token}`, signal);
      } finally {
        const revoking = oauth.revocationRequest(
          server,
          client,
          oauth.None(),
          token,
          options(AbortSignal.timeout(revokeWithinMs)),
        );
        await revoking.catch(() => undefined);
      }
    },
  };
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

/** The library's requests, sent as all others are: only to the helpdesk, with its limits, and without cookies. */
function fetchOver(upstream: Upstream, signal: AbortSignal) {
  return async (url: string, { method, headers, body }: oauth.CustomFetchOptions<string, unknown>) => {
    const { pathname, search } = new URL(url);
    const { status, text } = await upstream.request({
      method: method as 'POST',
      path: pathname + search,
      headers,
      body: String(body),
      signal,
    });
    return new Response(text || null, { status, headers: { 'content-type': 'application/json' } });
  };
}

/** Without the ID token, which is signed with a secret that a public client does not have. */
async function accessTokenOnly(response: Response): Promise<Response> {
  if (!response.ok) return response;
  const { access_token, token_type, expires_in } = (await response.json()) as Record<string, unknown>;
  return Response.json({ access_token, token_type, expires_in });
}

async function readUser(frappe: FrappeClient, as: string, signal: AbortSignal): Promise<SignedInUser> {
  const [{ message: user }, { roles }] = await Promise.all([
    frappe.call('helpdesk.api.auth.get_user', {}, CurrentUser, as, signal),
    // A user may not read their own roles from their own record.
    frappe.call('frappe.integrations.oauth2.openid_profile', {}, Roles, as, signal),
  ]);
  return { id: user.user_id, fullName: user.user_name || null, language: user.language || null, roles };
}

function failureOf(cause: unknown): unknown {
  const failed = (kind: HelpdeskErrorKind) => new HelpdeskError(kind, 'Signing in with the helpdesk failed.');
  if (cause instanceof EgressError) return failed(cause.code === 'timeout' ? 'timeout' : 'unavailable');
  if (cause instanceof oauth.AuthorizationResponseError) return failed('unauthenticated');
  if (cause instanceof oauth.ResponseBodyError)
    return failed(cause.error === 'invalid_grant' ? 'unauthenticated' : 'bad_answer');
  if (cause instanceof oauth.OperationProcessingError)
    // An answer that is not to this browser's question comes from a link that somebody else made.
    return failed(cause.code === oauth.INVALID_RESPONSE ? 'unauthenticated' : 'bad_answer');
  return cause instanceof SyntaxError || cause instanceof oauth.UnsupportedOperationError
    ? failed('bad_answer')
    : cause;
}

/** @param service the service account's Authorization header; everybody may ask for roles (docs/helpdesk.md#roles) */
export function createReadRoles(upstream: Upstream, service: string): ReadRoles {
  const client = createFrappeClient(upstream);
  return async (user, signal) => {
    const accounts = { fields: ['name', 'enabled'], filters: [['name', '=', user]], limit: 1 };
    const [{ message: roles }, rows] = await refusalAsOutage(
      Promise.all([
        client.call('frappe.core.doctype.user.user.get_roles', { uid: user }, RolesOfUser, service, signal),
        client.list('User', accounts, Account, service, signal),
      ]),
    );
    // A disabled account keeps its roles. Agents are not shown Administrator, whom nobody can disable.
    const isEnabled = user === 'Administrator' || rows.some(({ name, enabled }) => name === user && Boolean(enabled));
    return isEnabled ? roles : [];
  };
}
