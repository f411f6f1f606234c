import { agentIds, helpdeskUsers, staffEmail } from './helpdesk-users.ts';
import type { WorldTime } from './time.ts';
import type { HelpdeskDocument } from './types.ts';

const teams: [name: string, members: (typeof agentIds)[number][]][] = [
  ['Medium - Scale', ['an', 'binh', 'chi']],
  ['Medium - Grow', ['dung', 'giang', 'minh']],
  ['CS 60p', ['an', 'dung', 'hoa', 'khoa', 'linh', 'minh', 'truong']],
  ['Service Ecom', ['chi', 'linh']],
];

const away: Record<string, string> = { hoa: 'Away', khoa: 'Unavailable' };

/** Agents, teams with their native rules, availability and settings. */
export function teamDocuments(at: WorldTime): Record<string, HelpdeskDocument[]> {
  const meta = {
    owner: 'Administrator',
    creation: at.site(5_000),
    modified: at.site(200),
    modified_by: 'Administrator',
    docstatus: 0,
    idx: 0,
  };
  const nameOf = new Map(helpdeskUsers().map((user) => [user.name, user.fullName]));
  return {
    'HD Agent': agentIds.map((id) => ({
      name: staffEmail(id),
      ...meta,
      user: staffEmail(id),
      agent_name: nameOf.get(staffEmail(id)) ?? id,
      user_image: null,
      is_active: id === 'minh' ? 0 : 1,
      availability: away[id] ?? 'Active',
      availability_changed_on: null,
    })),
    'HD Team': teams.map(([name, members]) => ({
      name,
      ...meta,
      team_name: name,
      assignment_rule: `${name} - Support Rotation`,
      ignore_restrictions: 0,
      disabled: 0,
      users: members.map((id) => ({ user: staffEmail(id) })),
    })),
    'Assignment Rule': teams.map(([name, members]) => ({
      name: `${name} - Support Rotation`,
      ...meta,
      document_type: 'HD Ticket',
      priority: 1,
      disabled: 0,
      description: 'Automatic Assignment',
      assign_condition: `status == 'Open' and agent_group == '${name}'`,
      rule: 'Round Robin',
      last_user: null,
      users: members.map((id) => ({ user: staffEmail(id) })),
    })),
    // A fresh site has the rest of it (helpdesk/seeding/fixtures.ts).
    'HD Settings': [{ name: 'HD Settings', ...meta, auto_set_customer_from_contact: 1 }],
  };
}
