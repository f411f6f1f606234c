import { type HelpdeskSeed, makeSeed } from '@deskside/simulators/seed/index';
import type { Caller } from '#helpdesk/credentials.ts';
import { cs, grow, scale } from '#routing/testing/pipeline-rules.ts';

/** The user of the service account. */
export const service = 'service@desk.example';
/** Who writes in from a shop, and may sign in on the portal. */
export const sender = 'vy@shop.example';

/** Agents, who may also write customers. */
export const staff = ['an', 'ba', 'binh', 'chi', 'dung', 'hoa', 'khoa', 'linh'] as const;
type Account = (typeof staff)[number] | 'vy' | 'service';

/** What they are, like the service. */
const managers = ['Agent', 'Agent Manager'];

/** An agent's address. */
export const mailOf = (id: (typeof staff)[number]) => `${id}@desk.example`;

/** Whom to ask as. */
export const callerOf = (id: Account): Caller => ({ authorization: `token ${id}:${id}`, digest: id });

const account = (id: Account, name: string, roles: string[]) => {
  const fullName = `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
  return { name, fullName, password: '', apiKey: id, apiSecret: id, roles, enabled: true };
};

/** A custom field, by itself one for a text. */
export const customField = (fieldname: string, fieldtype = 'Data') => ({ fieldname, fieldtype, label: fieldname });

const snapshotFields = [
  { ...customField('hd_customer', 'Link'), options: 'HD Customer' },
  ...['source', 'entity_type', 'external_id', 'external_url', 'match_key'].map((name) => customField(name)),
  ...[customField('confidence', 'Percent'), customField('last_synced_at', 'Datetime')],
  customField('summary_json', 'JSON'),
];

const teams = { [scale]: ['an', 'binh'], [grow]: ['dung'], [cs]: ['hoa', 'khoa', 'linh'] } as const;

/**
 * The demo's site with other people, and nothing that anybody wrote: a desk of three teams, whose native rules are off. Its
 * clock is UTC. Frozen, so that it is loaded once for all tests.
 */
export const deskSeed: HelpdeskSeed = (() => {
  const { helpdesk } = makeSeed({ now: new Date(0) });
  return Object.freeze({
    timeZone: 'UTC',
    users: [
      ...staff.map((id) => account(id, mailOf(id), managers)),
      account('vy', sender, []),
      account('service', service, managers),
    ],
    documents: {
      'HD Settings': helpdesk.documents['HD Settings'] ?? [],
      'HD Agent': staff.map((id) => ({
        name: mailOf(id),
        user: mailOf(id),
        agent_name: id,
        is_active: 1,
        availability: 'Active',
      })),
      'HD Team': Object.entries(teams).map(([name, members]) => ({
        name,
        team_name: name,
        disabled: 0,
        users: members.map((id) => ({ user: mailOf(id) })),
      })),
    },
    customFields: { ...helpdesk.customFields, 'HD Customer Data': snapshotFields },
    ...(helpdesk.protectedFields && { protectedFields: helpdesk.protectedFields }),
    ...(helpdesk.closedContacts && { closedContacts: true }),
    ...(helpdesk.closedShares && { closedShares: true }),
  });
})();
