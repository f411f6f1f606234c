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

/** Agents, teams with their native rules, availability, settings and the lists that tickets choose from. */
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
    'HD Agent Status': (
      [
        ['Active', 'Green'],
        ['Away', 'Amber'],
        ['Unavailable', 'Red'],
      ] as const
    ).map(([name, color], index) => ({
      name,
      ...meta,
      agent_status: name,
      enable: 1,
      category: name,
      color,
      status_order: 10 * (index + 1),
    })),
    'HD Ticket Status': (
      [
        ['Open', 'Open', 'Red'],
        ['Replied', 'Paused', 'Blue'],
        ['Resolved', 'Resolved', 'Green'],
        ['Closed', 'Resolved', 'Gray'],
      ] as const
    ).map(([name, category, color], index) => ({
      name,
      ...meta,
      enabled: 1,
      label_agent: name,
      label_customer: name,
      category,
      color,
      order: index + 1,
    })),
    'HD Ticket Priority': ['Low', 'Medium', 'High', 'Urgent'].map((name, index) => ({
      name,
      ...meta,
      integer_value: 100 * (index + 1),
    })),
    'HD Ticket Type': ['Question', 'Bug', 'Incident', 'Unspecified'].map((name) => ({ name, ...meta })),
    'HD Settings': [
      {
        name: 'HD Settings',
        ...meta,
        restrict_tickets_by_agent_group: 0,
        do_not_restrict_tickets_without_an_agent_group: 0,
        assign_within_team: 0,
        base_support_rotation: 'Support Rotation',
        allow_anyone_to_create_tickets: 0,
        auto_set_customer_from_contact: 1,
        default_ticket_status: 'Open',
        ticket_reopen_status: 'Open',
        skip_email_workflow: 0,
        setup_complete: 1,
      },
    ],
  };
}
