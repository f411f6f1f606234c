import { parse } from 'hono/utils/cookie';
import type { ApiRequest } from '#helpdesk/api.ts';
import { csrfError, notAuthenticated } from '#helpdesk/errors.ts';
import { type FakeSite, type SiteSession, sessionLifetimeMs } from '#helpdesk/site/site.ts';
import { rolesOf } from './permissions.ts';

/** Who sent a request, and by what. */
export interface SiteCaller {
  /** `Guest` where nothing valid came. */
  user: string;
  session: SiteSession | undefined;
  /** A `sid` cookie that no longer means anybody. */
  staleSession: boolean;
}

type RequestHead = Pick<ApiRequest, 'method' | 'headers'>;

/**
 * Judges cookie, then Authorization (docs/helpdesk.md#credentials): a write by cookie needs the session's CSRF token
 * before anything else; a Bearer token outranks the cookie, the cookie outranks an API key; an Authorization without
 * credentials counts as none. Throws 400 `CSRFTokenError` and 401.
 */
export function identify(site: FakeSite, request: RequestHead, formToken: unknown): SiteCaller {
  const sid = parse(request.headers.get('cookie') ?? '').sid;
  const session = sid === undefined || sid === 'Guest' ? undefined : site.sessions.find(sid);
  checkCsrf(request, session, formToken);
  const caller: SiteCaller = {
    user: session?.user ?? 'Guest',
    session,
    staleSession: sid !== undefined && sid !== 'Guest' && session === undefined,
  };
  const user = authorizedUser(site, request.headers.get('authorization') ?? '', caller.user);
  return user === undefined ? caller : { ...caller, user };
}

function checkCsrf(request: RequestHead, session: SiteSession | undefined, formToken: unknown): void {
  if (session?.csrfToken === null || session === undefined || ['GET', 'HEAD', 'OPTIONS'].includes(request.method))
    return;
  const given = request.headers.get('x-frappe-csrf-token') ?? formToken;
  if (given !== session.csrfToken) throw csrfError();
}

function authorizedUser(site: FakeSite, header: string, sessionUser: string): string | undefined {
  const [scheme = '', credentials = ''] = header.trim().split(/\s+/, 2);
  if (credentials === '') return undefined;
  if (scheme.toLowerCase() === 'bearer') {
    const user = site.oauth.userOf(credentials, site.clock.epochMs());
    if (user === undefined || site.accounts.get(user)?.enabled !== true) throw notAuthenticated();
    return user;
  }
  if (sessionUser !== 'Guest') return undefined;
  if (scheme.toLowerCase() === 'token') return keyOwner(site, credentials);
  if (scheme.toLowerCase() === 'basic') return keyOwner(site, Buffer.from(credentials, 'base64').toString('utf8'));
  return undefined;
}

function keyOwner(site: FakeSite, credentials: string): string {
  const colon = credentials.indexOf(':');
  const [key, secret] = [credentials.slice(0, Math.max(colon, 0)), credentials.slice(colon + 1)];
  for (const account of site.accounts.values()) {
    const complete = account.apiKey !== '' && account.apiSecret !== '';
    if (complete && account.enabled && account.apiKey === key && account.apiSecret === secret) return account.name;
  }
  throw notAuthenticated();
}

const attributes = 'Path=/; SameSite=Lax';

/** The cookies that every answer carries, as recorded: the session's, or Guest's for everything without one. */
export function sessionCookies(site: FakeSite, caller: Pick<SiteCaller, 'session'>): string[] {
  const user = caller.session?.user ?? 'Guest';
  const fullName = site.accounts.get(user)?.fullName ?? 'Guest';
  const isDesk = rolesOf(site, user).has('Desk User');
  const expires = new Date(site.clock.epochMs() + sessionLifetimeMs).toUTCString();
  const lifetime = `Expires=${expires}; Max-Age=${sessionLifetimeMs / 1000}`;
  return [
    `sid=${caller.session?.sid ?? 'Guest'}; ${lifetime}; HttpOnly; ${attributes}`,
    `system_user=${isDesk ? 'yes' : 'no'}; ${attributes}`,
    `full_name=${encodeURIComponent(fullName)}; ${attributes}`,
    `user_id=${encodeURIComponent(user)}; ${attributes}`,
    `user_image=; ${attributes}`,
  ];
}
