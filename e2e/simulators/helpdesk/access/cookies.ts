import { sessionLifetimeMs } from '#helpdesk/site/sessions.ts';
import type { Site } from '#helpdesk/site/site.ts';
import type { Caller } from './auth.ts';
import { rolesOf } from './roles.ts';

const attributes = 'Path=/; SameSite=Lax';

/** The cookies that every answer carries, as recorded: the session's, or Guest's for everything without one. */
export function sessionCookies(site: Site, caller: Pick<Caller, 'session'>): string[] {
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
