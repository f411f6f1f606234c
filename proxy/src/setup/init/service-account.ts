import { randomBytes } from 'node:crypto';
import type { HelpdeskAdmin } from '#setup/helpdesk-admin.ts';
import { column, textOf } from '#setup/helpdesk-reader.ts';
import { ProvisionError } from '#setup/provision/options.ts';
import type { PlanItem } from '#setup/provision/plan-item.ts';

/** What the service account has to be (docs/helpdesk.md#roles). */
const roles = ['Agent', 'Agent Manager'];

interface ApiKey {
  key: string;
  secret: string;
}

/** The account's user where nobody names another: at the helpdesk's own name, if that can stand in an address. */
export function accountAt(helpdeskUrl: string): string {
  const { hostname } = new URL(helpdeskUrl);
  return `deskside@${/^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/i.test(hostname) ? hostname : 'deskside.local'}`;
}

/**
 * The service account and its key. One that exists is kept, and so are its key and secret, which a System Manager may read;
 * a new one is made whole, in one write.
 *
 * @param given.held the key that we have; null if none
 * @param given.isAccepted whether the helpdesk knows that
 * @throws ProvisionError where a key would have to be replaced; HelpdeskError
 */
export async function planServiceAccount(
  admin: HelpdeskAdmin,
  { user, held, isAccepted }: { user: string; held: ApiKey | null; isAccepted: boolean },
  signal: AbortSignal,
): Promise<{ items: PlanItem[]; apiKey: ApiKey }> {
  if (held && isAccepted) return { items: [], apiKey: held };
  const what = `User "${user}"`;
  const found = await admin.get('User', user, signal);
  const theirs = textOf(found?.api_key);
  if (held && (theirs === held.key || (await isSomebodys(admin, held.key, signal)))) {
    throw new ProvisionError(
      'The helpdesk refuses HELPDESK_API_SECRET, and a secret is not replaced from here: set the right one, or choose a new one (docs/settings.md#the-service-accounts-secret).',
    );
  }
  if (theirs !== '') {
    if (held)
      throw new ProvisionError(
        `${user} has another API key than HELPDESK_API_KEY: take that out, or name another account.`,
      );
    const secret = await admin.password('User', user, 'api_secret', signal);
    if (secret === null) throw new ProvisionError(`${user} has an API key without secret: generate one on its page.`);
    const items = [{ what, state: 'exists' as const, detail: 'its API key is taken over', step: null }];
    return { items, apiKey: { key: theirs, secret } };
  }
  const apiKey = held ?? { key: randomBytes(8).toString('hex'), secret: randomBytes(16).toString('hex') };
  const credentials = { api_key: apiKey.key, api_secret: apiKey.secret };
  if (found === null) {
    const document = {
      email: user,
      first_name: 'Deskside',
      enabled: 1,
      user_type: 'System User',
      send_welcome_email: 0,
      roles: roles.map((role) => ({ role })),
      ...credentials,
    };
    const step = { kind: 'create', doctype: 'User', document } as const;
    return { items: [{ what, state: 'create', detail: `${roles.join(', ')}; with an API key`, step }], apiKey };
  }
  const all = [...new Set([...column(found.roles, 'role'), ...roles])];
  const changes = { roles: all.map((role) => ({ role })), ...credentials };
  const step = { kind: 'update', doctype: 'User', name: user, changes } as const;
  return { items: [{ what, state: 'change', detail: `an API key; ${roles.join(', ')}`, step }], apiKey };
}

async function isSomebodys(admin: HelpdeskAdmin, key: string, signal: AbortSignal): Promise<boolean> {
  return (await admin.list('User', { fields: ['name'], filters: [['api_key', '=', key]] }, signal)).length > 0;
}
