import { readFile } from 'node:fs/promises';
import type { SiteCall } from '#helpdesk/http/call.ts';
import { escapeHtml } from '#helpdesk/http/envelope.ts';
import type { FakeSite, SiteSession } from '#helpdesk/site/site.ts';

/** Starts a session; none for an unknown user, a wrong or unset password, or a disabled account. */
export function signIn(site: FakeSite, user: unknown, password: unknown): SiteSession | null {
  const account = site.accounts.get(String(user ?? '').trim());
  if (account?.enabled !== true || account.password === '' || account.password !== password) return null;
  return site.sessions.start(account.name);
}

export function logout(call: SiteCall): Record<string, unknown> {
  if (call.caller.session !== undefined) call.site.sessions.end(call.caller.session.sid);
  call.caller = { user: 'Guest', session: undefined, staleSession: false };
  return { message: 'Logged out' };
}

/** Where to go after signing in: an address on this site, else the helpdesk. */
export function safeTarget(site: FakeSite, wanted: string | null): string {
  const fallback = '/helpdesk';
  if (wanted === null || !URL.canParse(wanted, site.url)) return fallback;
  const target = new URL(wanted, site.url);
  return target.origin === new URL(site.url).origin ? target.href : fallback;
}

/** The login page: a plain form that works without scripts. */
export async function loginPage(target: string | null, failed: boolean): Promise<string> {
  const action = target === null ? '/login' : `/login?redirect-to=${encodeURIComponent(target)}`;
  const notice = failed ? '<p class="notice" role="alert">Invalid login credentials</p>' : '';
  const template = await readFile(new URL('../pages/login.html', import.meta.url), 'utf8');
  return template.replace('<!--action-->', () => escapeHtml(action)).replace('<!--notice-->', notice);
}
