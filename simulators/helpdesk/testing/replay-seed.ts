import { readFileSync } from 'node:fs';
import type { Generation } from '#helpdesk/api.ts';
import type { Field } from '#helpdesk/store/doctype.ts';
import type { HelpdeskDocument, HelpdeskSeed, HelpdeskUserSeed } from '#seed/types.ts';

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The accounts of the recordings, by the name that stands in `as`. */
export const accounts = {
  service: account('service', 'Deskside Service', ['System Manager', 'Agent']),
  runtime: account('runtime', 'Runtime', ['Agent', 'Agent Manager']),
  'agent.a': account('agent.a', 'Agent A', ['Agent']),
  'agent.b': account('agent.b', 'Agent B', ['Agent']),
  'agent.c': account('agent.c', 'Agent C', ['Agent']),
  sysonly: account('sysonly', 'Sysonly', ['System Manager']),
  portal: account('portal', 'Portal Customer', []),
} as const;

/** The customer that the recordings use, its contact and the portal user's second contact. */
export const shop = 'Vinamilk Shop - 200000001';
export const shopContact = `Portal Customer-${shop}`;

function account(id: string, fullName: string, roles: string[]): HelpdeskUserSeed {
  const name = `${id}@example.test`;
  return { name, fullName, roles, password: `pw-${id}`, apiKey: `key-${id}`, apiSecret: `secret-${id}`, enabled: true };
}

const mail = (id: string): string => `${id}@example.test`;

function team(name: string, members: string[], creation: string): HelpdeskDocument {
  const users = members.map((id) => ({ user: mail(id) }));
  return {
    name,
    team_name: name,
    users,
    creation,
    assignment_rule: `${name} - Support Rotation`,
    ignore_restrictions: 0,
  };
}

function rule(team: string, members: string[], last: string | undefined): HelpdeskDocument {
  return {
    name: `${team} - Support Rotation`,
    document_type: 'HD Ticket',
    priority: 1,
    disabled: 0,
    description: 'Automatic Assignment',
    assign_condition: `status == 'Open' and agent_group == '${team}'`,
    assign_condition_json: `[["status","==","Open"],"and",["agent_group","==","${team}"]]`,
    rule: 'Round Robin',
    last_user: last === undefined ? null : mail(last),
    assignment_days: days.map((day) => ({ day })),
    users: members.map((id) => ({ user: mail(id) })),
  };
}

const teams: [name: string, members: string[]][] = [
  ['Medium - Scale', ['agent.a', 'agent.b']],
  ['Medium - Grow', ['agent.b']],
  ['CS 60p', ['agent.a', 'agent.b', 'agent.c']],
  ['Billing', []],
];

/** Whom each native rule had assigned last when the recordings begin. */
const lastAssigned: Record<Generation, Record<string, string>> = {
  '1.24': { 'CS 60p': 'agent.a' },
  '1.25': {},
  '1.28': { 'Medium - Scale': 'agent.a', 'Medium - Grow': 'agent.b', 'CS 60p': 'agent.b' },
};

/** A ticket with the values that Helpdesk sets, as the recorded ones have them. */
export function ticket(name: string, values: Record<string, unknown> = {}): HelpdeskDocument {
  return {
    name,
    owner: mail('portal'),
    creation: '2026-11-21 05:01:35.733331',
    modified: '2026-11-21 05:01:35.990216',
    modified_by: mail('portal'),
    subject: 'Không đăng nhập được',
    raised_by: mail('portal'),
    status: 'Open',
    status_category: 'Open',
    priority: 'Medium',
    ticket_type: '',
    description: '<p>x</p>',
    key: '754514d9-e913-49ad-a9ad-f87bc9ace176',
    sla: 'Default',
    response_by: '2026-11-23 18:00:00',
    resolution_by: '2026-11-25 18:00:00',
    raised_outside_working_hours: 1,
    agreement_status: 'First Response Due',
    service_level_agreement_creation: '2026-11-21 05:01:35.828091',
    last_customer_response: '2026-11-21 05:01:35.989667',
    opening_date: '2026-11-21',
    opening_time: '5:01:35.733235',
    via_customer_portal: 1,
    contact: shopContact,
    customer: shop,
    ...values,
  };
}

const sample = ticket('1', {
  owner: 'Administrator',
  raised_by: 'john@example.com',
  contact: 'John Doe',
  customer: null,
});
const john = { name: 'John Doe', first_name: 'John', full_name: 'John Doe', email_id: 'john@example.com' };

/** What the site held beside its teams and people. */
const documentsAtFirst: Record<Generation, () => Record<string, HelpdeskDocument[]>> = {
  '1.24': () => ({ Contact: [john], 'HD Ticket': [sample] }),
  '1.25': seeded,
  '1.28': migrated,
};

/** The state that the recordings of a generation start from (simulators/recordings/README.md). */
export function replaySeed(generation: Generation): HelpdeskSeed {
  const fields = recordedCustomFields(generation);
  // These are created in the course of the recordings, or need more than a seed can say.
  const later = new Set(
    generation === '1.24'
      ? ['custom_platform_orgid', 'custom_secret_note']
      : ['custom_secret_note', 'custom_int_orgid', 'custom_sel'],
  );
  const customFields = Object.entries(fields).map(([doctype, list]) => [
    doctype,
    list.filter((field) => !later.has(field.fieldname)),
  ]);
  return {
    timeZone: 'Asia/Kolkata',
    users: Object.values(accounts),
    customFields: Object.fromEntries(customFields) as HelpdeskSeed['customFields'],
    documents: {
      'HD Team': teams.map(([name, members], index) => team(name, members, `2026-11-21 05:00:22.${100 + index}000`)),
      'Assignment Rule': teams.map(([name, members]) => rule(name, members, lastAssigned[generation][name])),
      'HD Agent': ['agent.a', 'agent.b', 'agent.c', 'manager'].map((id) => ({
        name: mail(id),
        user: mail(id),
        agent_name: id,
        is_active: 1,
        availability: 'Active',
      })),
      ...documentsAtFirst[generation](),
    },
  };
}

/** A customer by its name. */
function customer(name: string, values: Record<string, unknown> = {}): HelpdeskDocument {
  return { name, customer_name: name, ...values };
}

/** A contact of the portal user. */
function portalContact(name: string, links: string[], modified: string): HelpdeskDocument {
  return {
    name,
    modified,
    first_name: 'Portal',
    last_name: 'Customer',
    full_name: 'Portal Customer',
    email_id: mail('portal'),
    user: mail('portal'),
    phone: '0900000001',
    mobile_no: '',
    image: '',
    email_ids: [{ email_id: mail('portal'), is_primary: 1 }],
    links: links.map((link) => ({ link_doctype: 'HD Customer', link_name: link, link_title: link })),
  };
}

const orgFields = { custom_platform_orgid: '200000001', custom_customer_segment: 'Medium' };

/** A new site of 1.25 with one customer, of whom the portal user is. */
function seeded(): Record<string, HelpdeskDocument[]> {
  return {
    'HD Customer': [customer(shop, { ...orgFields, custom_shopplan_name: 'OMNI SCALE 2025 (1 năm)' })],
    Contact: [portalContact(shopContact, [shop], '2026-11-21 05:01:35.406516'), john],
    'HD Ticket': [{ ...sample, name: '0001' }],
  };
}

/** What the site held when it had been migrated to 1.28. */
function migrated(): Record<string, HelpdeskDocument[]> {
  const seen = { _seen: '["portal@example.test"]', _comments: '[]' };
  const assigned = { _assign: '["agent.a@example.test", "agent.b@example.test"]', agent_group: 'Medium - Scale' };
  const decided = { custom_platform_profile_status: 'Complete', custom_platform_routing_reason: 'Auto-routed: x' };
  const late = { contact: `${shopContact}-1`, customer: null, subject: 's2' };
  return {
    DocType: [
      {
        name: 'HD Customer Data',
        autoname: 'hash',
        fields: [{ fieldname: 'source', label: 'Source', fieldtype: 'Data', reqd: 1 }],
        permissions: [{ role: 'System Manager', read: 1, write: 1, create: 1, delete: 1 }],
      },
    ],
    'HD Customer': [
      customer(shop, { ...orgFields, custom_myplatform: 'v15', custom_shopplan_name: 'Scale' }),
      customer("O'Neil\\x - 300000003"),
      customer('A/B & C? #1 - 300000001'),
    ],
    Contact: [
      portalContact(shopContact, [shop], '2026-11-21 05:01:35.406516'),
      portalContact(`${shopContact}-1`, [], '2026-11-21 05:01:30.000000'),
      john,
    ],
    'HD Ticket': [
      sample,
      ticket('2', { ...seen, ...assigned, ...decided, custom_responsible: 'x@y.z' }),
      ticket('0034', late),
      ticket('0036', { ...late, agent_group: 'Medium - Grow' }),
      ticket('0041', late),
      ticket('0042', late),
    ],
    ToDo: [todo('t8cv00d2ci', 'agent.a', 'Medium - Scale - Support Rotation'), todo('t8p9qnbj8u', 'agent.b', null)],
    Communication: [
      {
        name: 'srfi873av9',
        subject: 'Re: Không đăng nhập được',
        content: '<p>x</p>',
        sender: mail('portal'),
        sent_or_received: 'Received',
        communication_date: '2026-11-21 05:01:35.927050',
        reference_doctype: 'HD Ticket',
        reference_name: '2',
      },
    ],
  };
}

/** An open assignment of ticket 2. */
function todo(name: string, user: string, rule: string | null): HelpdeskDocument {
  return {
    name,
    status: 'Open',
    priority: 'Medium',
    date: '2026-11-21',
    allocated_to: mail(user),
    description: rule === null ? 'd' : 'Automatic Assignment',
    reference_type: 'HD Ticket',
    reference_name: '2',
    assigned_by: mail('service'),
    assigned_by_full_name: 'Deskside Service',
    assignment_rule: rule,
  };
}

export interface Exchange {
  name: string;
  as: string;
  request: {
    method: string;
    path: string;
    json?: unknown;
    form?: Record<string, string>;
    headers?: Record<string, string>;
  };
  response: { status: number; headers: Record<string, string>; body: unknown };
}

function read(generation: Generation, file: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../recordings/helpdesk-${generation}/${file}`, import.meta.url), 'utf8'));
}

/** The recorded exchanges of a generation, in the order in which they happened. */
export function recordedExchanges(generation: Generation): Exchange[] {
  return read(generation, 'exchanges.json') as Exchange[];
}

/** The custom fields that the recorded site had in the end, by DocType. */
function recordedCustomFields(generation: Generation): Record<string, Field[]> {
  const doctypes = read(generation, 'doctypes.json') as Record<string, { fields: Field[] }>;
  const custom = Object.entries(doctypes).map(([name, { fields }]): [string, Field[]] => [
    name,
    fields.filter((field) => field.fieldname.startsWith('custom_')),
  ]);
  return Object.fromEntries(custom.filter(([, fields]) => fields.length > 0));
}
