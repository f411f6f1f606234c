import { randomBytes } from 'node:crypto';
import { column, type HelpdeskAdmin, textOf } from '#helpdesk/admin.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { exists, type Item, ProvisionError } from './items.ts';

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
 * The service account and its key. One that exists is kept, and so are its key and secret, which a System Manager may read: a
 * secret of ours that the helpdesk does not know is given up for that. A new account is made whole, in one write.
 *
 * @param given.held the key that we have; null if none
 * @param given.clientOf the helpdesk as somebody with a key
 * @throws ProvisionError where a key would have to be replaced; HelpdeskError
 */
export async function planServiceAccount(
  admin: HelpdeskAdmin,
  { user, held, clientOf }: { user: string; held: ApiKey | null; clientOf: (key: string) => HelpdeskAdmin },
  signal: AbortSignal,
): Promise<{ items: Item[]; apiKey: ApiKey }> {
  if (held && (await isKnown(clientOf(`${held.key}:${held.secret}`), signal))) return { items: [], apiKey: held };
  const [owner] = held
    ? await admin.list('User', { fields: ['name'], filters: [['api_key', '=', held.key]] }, signal)
    : [];
  const name = owner?.name ?? user;
  const what = `User "${name}"`;
  const found = await admin.get('User', name, signal);
  const key = textOf(found?.api_key);
  if (found && found.enabled === 0)
    throw new ProvisionError(`${name} is disabled in the helpdesk: enable it there, and run this again.`);
  if (held && key !== '' && key !== held.key)
    throw new ProvisionError(
      `${name} has another API key than HELPDESK_API_KEY: take that out, or name another account.`,
    );
  if (key !== '') {
    const secret = await admin.password('User', name, 'api_secret', signal);
    if (secret === null) throw new ProvisionError(`${name} has an API key without secret: generate one on its page.`);
    return { items: [exists(what, 'its API key is taken over')], apiKey: { key, secret } };
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
    const detail = `${roles.join(', ')}; with an API key`;
    const make = async () => void (await admin.create('User', document, signal));
    return { items: [{ what, state: 'create', detail, make }], apiKey };
  }
  const all = [...new Set([...column(found.roles, 'role'), ...roles])];
  const changes = { roles: all.map((role) => ({ role })), ...credentials };
  const make = () => admin.update('User', name, changes, signal);
  return { items: [{ what, state: 'change', detail: `an API key; ${roles.join(', ')}`, make }], apiKey };
}

/** Whether the helpdesk knows the key. Throws HelpdeskError for any other answer. */
async function isKnown(client: HelpdeskAdmin, signal: AbortSignal): Promise<boolean> {
  return client.caller(signal).then(
    () => true,
    (error: unknown) => {
      if (error instanceof HelpdeskError && error.kind === 'unauthenticated') return false;
      throw error;
    },
  );
}
