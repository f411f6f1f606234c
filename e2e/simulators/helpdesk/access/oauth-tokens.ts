import { createHash, randomBytes } from 'node:crypto';
import type { BearerToken } from '#helpdesk/site/site.ts';
import { childRows, lookup, type Site } from '#helpdesk/site/site.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import { rolesOf } from './permissions.ts';

const tokenLifetimeSeconds = 3600;

export interface AuthorizeRequest {
  client: StoredDocument;
  redirectUri: string;
  scope: string;
  state: string | undefined;
  challenge: string | null;
  challengeMethod: string;
}

/** Why an authorize request is refused, in the words of the provider (docs/helpdesk.md#oauth). */
export class AuthorizeRefusal extends Error {}

/** Checks client, roles, redirect URI byte for byte, response type and scope. Throws AuthorizeRefusal. */
export function checkAuthorize(site: Site, user: string, query: URLSearchParams): AuthorizeRequest {
  const client = lookup(site, 'OAuth Client', query.get('client_id') ?? '');
  if (client === undefined || !mayUseClient(site, user, client)) {
    throw new AuthorizeRefusal('Invalid client_id parameter value.');
  }
  const redirectUri = query.get('redirect_uri') ?? String(client.default_redirect_uri);
  if (
    !String(client.redirect_uris ?? '')
      .split(' ')
      .includes(redirectUri)
  ) {
    throw new AuthorizeRefusal('Mismatching redirect URI.');
  }
  if (query.get('response_type') !== 'code') throw new AuthorizeRefusal('Invalid response_type parameter value.');
  const scope = query.get('scope') ?? String(client.scopes);
  const allowed = String(client.scopes).split(/\s+/);
  if (!scope.split(/\s+/).every((name) => allowed.includes(name))) throw new AuthorizeRefusal('Invalid scope.');
  return {
    client,
    redirectUri,
    scope,
    state: query.get('state') ?? undefined,
    challenge: query.get('code_challenge'),
    challengeMethod: query.get('code_challenge_method') ?? 'plain',
  };
}

function mayUseClient(site: Site, user: string, client: StoredDocument): boolean {
  const allowed = childRows(client, 'allowed_roles').map((row) => String(row.role));
  const roles = rolesOf(site, user);
  return allowed.length === 0 || allowed.some((role) => roles.has(role));
}

/** Issues a code, good once, and gives the address to send the browser to. */
export function issueCode(site: Site, user: string, request: AuthorizeRequest): string {
  const code = randomBytes(15).toString('hex');
  site.oauth.codes.set(code, {
    code,
    user,
    clientId: request.client.name,
    redirectUri: request.redirectUri,
    scope: request.scope,
    challenge: request.challenge,
    challengeMethod: request.challengeMethod,
    used: false,
  });
  const target = new URL(request.redirectUri);
  target.searchParams.set('code', code);
  if (request.state !== undefined) target.searchParams.set('state', request.state);
  return target.href;
}

export type TokenAnswer = { status: 200 | 400; body: Record<string, unknown> };

/** The token endpoint. Anything but a code in a form is `unsupported_grant_type`: nothing of ours refreshes a token. */
export function exchange(site: Site, form: Record<string, unknown> | undefined): TokenAnswer {
  const refusal = (error: string): TokenAnswer => ({ status: 400, body: { error } });
  if (form?.grant_type !== 'authorization_code') return refusal('unsupported_grant_type');
  const code = site.oauth.codes.get(String(form.code ?? ''));
  if (lookup(site, 'OAuth Client', form.client_id) === undefined) return refusal('invalid_client');
  const valid = code !== undefined && !code.used;
  if (!valid || code.clientId !== form.client_id) return refusal('invalid_grant');
  if (form.redirect_uri !== code.redirectUri) return refusal('invalid_grant');
  if (!verifies(code.challenge, code.challengeMethod, form.code_verifier)) return refusal('invalid_grant');
  code.used = true;
  const { accessToken } = issueToken(site, code.user);
  const { scope } = code;
  const refresh_token = randomBytes(15).toString('hex');
  const body = { access_token: accessToken, expires_in: tokenLifetimeSeconds, token_type: 'Bearer', scope };
  return { status: 200, body: { ...body, refresh_token } };
}

function verifies(challenge: string | null, method: string, verifier: unknown): boolean {
  if (challenge === null) return true;
  if (typeof verifier !== 'string') return false;
  if (method.toLowerCase() === 'plain') return verifier === challenge;
  return createHash('sha256').update(verifier).digest('base64url') === challenge.replace(/=+$/, '');
}

/** Gives a user an access token. */
export function issueToken(site: Site, user: string): BearerToken {
  const accessToken = randomBytes(15).toString('hex');
  const expiresAt = site.clock.epochMs() + tokenLifetimeSeconds * 1000;
  const token: BearerToken = { accessToken, user, expiresAt };
  site.oauth.tokens.set(accessToken, token);
  return token;
}
