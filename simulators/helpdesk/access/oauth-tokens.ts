import { createHash, randomBytes } from 'node:crypto';
import { type AuthorizationCode, childRows, type FakeSite, lookup } from '#helpdesk/site/site.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import { rolesOf } from './permissions.ts';

const tokenLifetimeSeconds = 3600;

export interface AuthorizeRequest {
  client: StoredDocument;
  code: AuthorizationCode;
  state: string | null;
}

/**
 * Checks client, roles, redirect URI byte for byte, response type and scope. Gives why it is refused, if it is, in the words of
 * the provider (docs/helpdesk.md#oauth).
 */
export function checkAuthorize(site: FakeSite, user: string, query: URLSearchParams): AuthorizeRequest | string {
  const client = lookup(site, 'OAuth Client', query.get('client_id') ?? '');
  if (client === undefined || !mayUseClient(site, user, client)) return 'Invalid client_id parameter value.';
  const redirectUri = query.get('redirect_uri') ?? '';
  const redirectUris = String(client.redirect_uris ?? '').split(' ');
  if (!redirectUris.includes(redirectUri)) return 'Mismatching redirect URI.';
  if (query.get('response_type') !== 'code') return 'Invalid response_type parameter value.';
  const scope = query.get('scope') ?? '';
  const allowed = String(client.scopes).split(/\s+/);
  if (!scope.split(/\s+/).every((name) => allowed.includes(name))) return 'Invalid scope.';
  // Without a method the challenge is the verifier itself, in which way nothing of ours asks: no verifier fits then.
  const isHashed = query.get('code_challenge_method')?.toLowerCase() === 's256';
  const challenge = (isHashed && query.get('code_challenge')) || '';
  const code = { clientId: client.name, user, redirectUri, scope, challenge };
  return { client, code, state: query.get('state') };
}

function mayUseClient(site: FakeSite, user: string, client: StoredDocument): boolean {
  const allowed = childRows(client, 'allowed_roles').map((row) => String(row.role));
  const roles = rolesOf(site, user);
  return allowed.length === 0 || allowed.some((role) => roles.has(role));
}

/** Issues a code, good once, and gives the address to send the browser to. */
export function issueCode(site: FakeSite, { code, state }: AuthorizeRequest): string {
  const secret = randomBytes(15).toString('hex');
  site.oauth.codes.set(secret, code);
  const target = new URL(code.redirectUri);
  target.searchParams.set('code', secret);
  if (state !== null) target.searchParams.set('state', state);
  return target.href;
}

export type TokenAnswer = { status: 200 | 400; body: Record<string, unknown> };

/** The token endpoint. Anything but a code in a form is `unsupported_grant_type`: nothing of ours refreshes a token. */
export function exchange(site: FakeSite, form: Record<string, unknown> | undefined): TokenAnswer {
  const refusal = (error: string): TokenAnswer => ({ status: 400, body: { error } });
  if (form?.grant_type !== 'authorization_code') return refusal('unsupported_grant_type');
  if (lookup(site, 'OAuth Client', form.client_id) === undefined) return refusal('invalid_client');
  const secret = String(form.code);
  const code = site.oauth.codes.get(secret);
  if (code === undefined || code.clientId !== form.client_id) return refusal('invalid_grant');
  if (form.redirect_uri !== code.redirectUri) return refusal('invalid_grant');
  // S256, the one method of ours.
  const challenge = createHash('sha256').update(String(form.code_verifier)).digest('base64url');
  if (challenge !== code.challenge) return refusal('invalid_grant');
  site.oauth.codes.delete(secret);
  const body = { expires_in: tokenLifetimeSeconds, token_type: 'Bearer', scope: code.scope };
  const refresh_token = randomBytes(15).toString('hex');
  return { status: 200, body: { ...body, access_token: issueToken(site, code.user), refresh_token } };
}

/** Gives a user an access token. */
export function issueToken(site: FakeSite, user: string): string {
  const accessToken = randomBytes(15).toString('hex');
  site.oauth.tokens.set(accessToken, { user, expiresAt: site.clock.epochMs() + tokenLifetimeSeconds * 1000 });
  return accessToken;
}
