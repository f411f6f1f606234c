import { randomBytes } from 'node:crypto';
import type { Terminal } from '#commands/terminal.ts';
import type { Config } from '#config.ts';
import { column, HelpdeskAdmin, isOn, textOf } from '#helpdesk/admin.ts';
import { unless } from '#helpdesk/errors.ts';
import { withEgress } from '#net/egress.ts';
import { StartError } from '#runtime/app-error.ts';
import type { Secret } from '#runtime/secret.ts';
import type { Item } from '#setup/items.ts';
import { serviceRoles } from '#setup/needs/fields.ts';
import { readTeams } from '#setup/needs/teams.ts';
import { listed } from '#setup/report.ts';

// What `init` alone takes from the helpdesk and makes there.

/** The specification's fields of "Integrations Settings", by the setting of ours that each is. */
const fieldOf = {
  CRM_WEBHOOK_URL: 'crm_webhook_url',
  CRM_RESPONSIBLE_WEBHOOK_URL: 'crm_responsible_webhook_url',
  CRM_PORTAL_URL: 'crm_portal_url',
  CRM_TIMEOUT_SECONDS: 'crm_timeout_seconds',
  CRM_REFRESH_TTL_MINUTES: 'crm_refresh_ttl_minutes',
  CRM_ENABLED: 'crm_enabled',
} as const;

/**
 * What the Single DocType "Integrations Settings" holds; nothing if the helpdesk has none. Blank fields, and a 0 where it stood for
 * the default, are left out. Passwords are read as such, which only a System Manager may.
 *
 * @throws HelpdeskError
 */
export async function readIntegrationsSettings(admin: HelpdeskAdmin) {
  const doctype = 'Integrations Settings';
  // A document of a DocType that is not there is an error, not an absence.
  const isThere = (await admin.doctype(doctype)) !== null;
  const document = isThere ? await admin.get(doctype, doctype) : null;
  const found: { name: keyof typeof fieldOf; field: string; value: string }[] = [];
  for (const name of Object.keys(fieldOf) as (keyof typeof fieldOf)[]) {
    const field = fieldOf[name];
    const shown = String(document?.[field] ?? '').trim();
    // A password is shown as asterisks.
    const value = /^\*+$/.test(shown) ? ((await admin.password(doctype, doctype, field)) ?? '') : shown;
    const isDefault = value === '' || (value === '0' && name !== 'CRM_ENABLED');
    // What is no address is left to the setting's own check, which says what is expected.
    const usable = name === 'CRM_PORTAL_URL' ? (URL.parse(value)?.origin ?? value) : value;
    if (!isDefault) found.push({ name, field, value: usable });
  }
  return found;
}

/** How many customers have to show it. */
const fewestShops = 3;
/** Such as com.vn, below which anybody can have a domain, and a few hosts of platforms with short names. */
const registry = /^(?:[a-z]{2,3}|info|name|health)\.[a-z]{2}$/;

/**
 * The host below which most of the helpdesk's customers have their domain, as an installation of the specification writes it;
 * null if too few of them show one. Whoever may write a customer may write its domain, and what is taken for the platform's
 * is believed (docs/routing.md#intake): a few do not outvote the others. Throws HelpdeskError.
 */
export async function platformHostOf(admin: HelpdeskAdmin): Promise<string | null> {
  const field = 'custom_myplatform';
  if (!(await admin.doctype('HD Customer'))?.fields.has(field)) return null;
  const rows = await admin.list('HD Customer', { fields: ['name', field], filters: [[field, '!=', '']] });
  const domains = column(rows, field).map((domain) => domain.toLowerCase());
  const byHost = Map.groupBy(domains, (domain) => /^[^./]+\.([^/]+)$/.exec(domain)?.[1] ?? '');
  for (const [host, shops] of byHost)
    if (host !== '' && shops.length >= fewestShops && shops.length > domains.length / 2)
      return registry.test(host) ? null : host;
  return null;
}

/** The account's user where nobody names another: at the helpdesk's own name, if that can stand in an address. */
export function accountAt(helpdeskUrl: string): string {
  const { hostname } = new URL(helpdeskUrl);
  return `deskside@${/^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/i.test(hostname) ? hostname : 'deskside.local'}`;
}

interface ApiKey {
  key: string;
  secret: string;
}

/**
 * The service account and its key. One that exists is kept, and so are its key and secret, which a System Manager may read: a
 * secret of ours that the helpdesk does not know is given up for that. A new account is made whole, in one write.
 *
 * @param given.held the key that we have; null if none
 * @param given.clientOf the helpdesk as somebody with a key
 * @throws StartError where a key would have to be replaced; HelpdeskError
 */
export async function planServiceAccount(
  admin: HelpdeskAdmin,
  { user, held, clientOf }: { user: string; held: ApiKey | null; clientOf: (key: string) => HelpdeskAdmin },
): Promise<{ items: Item[]; apiKey: ApiKey }> {
  const caller = held && clientOf(`${held.key}:${held.secret}`).caller();
  if (held && (await caller?.catch(unless(['unauthenticated'], null)))) return { items: [], apiKey: held };
  const filters = [['api_key', '=', held?.key]] as const;
  const [owner] = held ? await admin.list('User', { fields: ['name'], filters }) : [];
  const name = owner?.name ?? user;
  const what = `User "${name}"`;
  const found = await admin.get('User', name);
  const key = textOf(found?.api_key);
  if (found && found.enabled === 0)
    throw new StartError(`${name} is disabled in the helpdesk: enable it there, and run this again.`);
  if (held && key !== '' && key !== held.key)
    throw new StartError(`${name} has another API key than HELPDESK_API_KEY: take that out, or name another account.`);
  if (key !== '') {
    const secret = await admin.password('User', name, 'api_secret');
    if (secret === null) throw new StartError(`${name} has an API key without secret: generate one on its page.`);
    return { items: [{ what, state: 'exists', detail: 'its API key is taken over' }], apiKey: { key, secret } };
  }
  const apiKey = held ?? { key: randomBytes(8).toString('hex'), secret: randomBytes(16).toString('hex') };
  const all = [...new Set([...column(found?.roles, 'role'), ...serviceRoles])];
  const given = { roles: all.map((role) => ({ role })), api_key: apiKey.key, api_secret: apiKey.secret };
  const person = { email: user, first_name: 'Deskside', enabled: 1, user_type: 'System User', send_welcome_email: 0 };
  const item: Item = {
    what,
    state: found === null ? 'create' : 'change',
    detail: `${serviceRoles.join(', ')}; with an API key`,
    async make() {
      if (found === null) await admin.create('User', { ...person, ...given });
      else await admin.update('User', name, given);
    },
  };
  return { items: [item], apiKey };
}

/**
 * Asks whoever sits there who should be in the teams in which nobody can be assigned a ticket: one that was just made has the
 * administrator alone, who is seldom an agent.
 *
 * @returns what is left to do, where nobody can be asked or nobody is named; null if nothing
 */
export async function offerMembers(config: Config, adminKey: Secret, io: Terminal): Promise<string | null> {
  return withEgress(config, async (egress) => {
    const limits = { timeoutMs: 15_000, maxConnections: 4 };
    const admin = new HelpdeskAdmin(egress.upstream(config.HELPDESK_URL, limits), adminKey.reveal());
    const { teams, agents } = await readTeams(admin, config);
    const left: string[] = [];
    for (const { name, document, assignable } of teams) {
      if (document === null || isOn(document.disabled) || assignable.length > 0) continue;
      const chosen = await askMembers(
        name,
        agents.filter((user) => user !== 'Administrator'),
        io,
      );
      if (chosen.length === 0) left.push(`"${name}"`);
      else {
        await admin.update('HD Team', name, { users: chosen.map((user) => ({ user })) });
        io.print(`  done: ${chosen.join(', ')}`);
      }
    }
    return left.length === 0
      ? null
      : `To do now: add members who are active HD Agents to these teams, to whom no ticket can be assigned until then: ${left.join(', ')}.`;
  });
}

/** Until every name is that of an agent; none for later. */
async function askMembers(team: string, agents: readonly string[], io: Terminal): Promise<string[]> {
  if (io.ask === null || agents.length === 0) return [];
  io.print(`\nNobody in the team "${team}" can be assigned a ticket. The helpdesk's agents: ${listed(agents)}.`);
  for (;;) {
    const answer = await io.ask('Who should be in it (addresses with commas between; empty: later): ');
    const names = answer.split(',').flatMap((name) => name.trim() || []);
    const unknown = names.filter((name) => !agents.includes(name));
    if (unknown.length === 0) return [...new Set(names)];
    io.print(`  No active HD Agent: ${listed(unknown)}.`);
  }
}
