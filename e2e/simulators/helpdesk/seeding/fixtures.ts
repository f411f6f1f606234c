import type { Generation } from '#helpdesk/api.ts';
import { permissionRow } from '#helpdesk/store/builtin-doctypes.ts';
import { hashName } from '#helpdesk/store/store.ts';
import type { HelpdeskDocument } from '#seed/types.ts';

/** What a freshly installed Helpdesk has before anybody enters anything; a seed may replace each document. */
export function fixtures(generation: Generation): Record<string, HelpdeskDocument[]> {
  return {
    Role: [
      ...deskRoles.map((name) => ({ name, role_name: name, desk_access: 1 })),
      ...(generation === '1.28' ? ['Guest', ...portalRoles] : ['Guest']).map((name) => ({
        name,
        role_name: name,
        desk_access: 0,
      })),
    ],
    // A fresh 1.28 comes with rows of its own: not everybody may have tickets, but whoever has a portal customer's role.
    'Custom DocPerm':
      generation === '1.28'
        ? ['System Manager', 'Agent Manager', 'Agent', ...portalRoles].map((role) => ({
            ...permissionRow(role, portalRoles.includes(role) ? 'rwc' : 'rwcd'),
            ...{ name: hashName(), parent: 'HD Ticket', permlevel: 0 },
          }))
        : [],
    'HD Settings': [
      {
        name: 'HD Settings',
        base_support_rotation: 'Support Rotation',
        outside_working_hours_message: 'This ticket was created outside our working hours.',
        default_ticket_status: 'Open',
        ticket_reopen_status: 'Open',
        ...(generation === '1.28' ? { show_customer_portal_permission_notice: 1, persona_captured: 1 } : {}),
      },
    ],
    'Website Settings': [{ name: 'Website Settings', app_name: 'Helpdesk', disable_signup: 1 }],
    'HD Ticket Status': [
      ticketStatus('Open', 'Open', 'Red', 1),
      { ...ticketStatus('Replied', 'Paused', 'Blue', 2), different_view: 1, label_customer: 'Awaiting Response' },
      ticketStatus('Resolved', 'Resolved', 'Green', 3),
      ticketStatus('Closed', 'Resolved', 'Gray', 4),
    ],
    'HD Ticket Priority': [
      priority('Low', 100),
      priority('Medium', 200),
      priority('High', 300),
      priority('Urgent', 400),
    ],
    'HD Ticket Type': ['Question', 'Bug', 'Incident', 'Unspecified'].map((name) => ({ name, is_system: 1 })),
    'HD Service Level Agreement': [{ name: 'Default', service_level: 'Default', enabled: 1 }],
    ...(generation === '1.28' ? { 'HD Agent Status': agentStatuses } : {}),
  };
}

export const portalRoles = ['HD Customer', 'HD Customer Manager'];

/** "All" among them: everybody has it, and Frappe marks it like a role of the desk all the same. */
const deskRoles = [
  ...['Administrator', 'System Manager', 'Script Manager', 'Desk User', 'All'],
  ...['Agent', 'Agent Manager', 'Knowledge Base Editor', 'Website Manager'],
  ...['Accounts', 'Maintenance', 'Purchase', 'Sales'].flatMap((field) => [`${field} Manager`, `${field} User`]),
  ...['Purchase Master Manager', 'Sales Master Manager'],
];

const agentStatuses: HelpdeskDocument[] = [
  { name: 'Active', agent_status: 'Active', enable: 1, category: 'Active', color: 'Green', status_order: 10 },
  { name: 'Away', agent_status: 'Away', enable: 1, category: 'Away', color: 'Amber', status_order: 20 },
  {
    name: 'Unavailable',
    agent_status: 'Unavailable',
    enable: 1,
    category: 'Unavailable',
    color: 'Red',
    status_order: 30,
  },
];

function ticketStatus(name: string, category: string, color: string, order: number): HelpdeskDocument {
  return { name, label_agent: name, label_customer: name, category, color, order, enabled: 1, different_view: 0 };
}

function priority(name: string, value: number): HelpdeskDocument {
  return { name, integer_value: value };
}
