import { reachOf, shops } from './shops.ts';
import type { WorldTime } from './time.ts';
import type { HelpdeskDocument, HelpdeskUserSeed } from './types.ts';

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
    creation: at.site(5_000),
    modified: at.site(200),
  };
  const nameOf = new Map(helpdeskUsers().map((user) => [user.name, user.fullName]));
  return {
    'HD Agent': agentIds.map((id) => ({
      name: staffEmail(id),
      ...meta,
      user: staffEmail(id),
      agent_name: nameOf.get(staffEmail(id)) ?? id,
      is_active: id === 'minh' ? 0 : 1,
      availability: away[id] ?? 'Active',
    })),
    'HD Team': teams.map(([name, members]) => ({
      name,
      ...meta,
      team_name: name,
      assignment_rule: `${name} - Support Rotation`,
      users: members.map((id) => ({ user: staffEmail(id) })),
    })),
    'Assignment Rule': teams.map(([name, members]) => ({
      name: `${name} - Support Rotation`,
      ...meta,
      document_type: 'HD Ticket',
      priority: 1,
      assign_condition: `status == 'Open' and agent_group == '${name}'`,
      rule: 'Round Robin',
      users: members.map((id) => ({ user: staffEmail(id) })),
    })),
    // A fresh site has the rest of it (helpdesk/seeding/load-seed.ts).
    'HD Settings': [{ name: 'HD Settings', ...meta, auto_set_customer_from_contact: 1 }],
  };
}

const staff: [id: string, fullName: string, roles: string[], enabled?: boolean][] = [
  ['an', 'Nguyễn Hoài An', ['Agent']],
  ['binh', 'Trần Hải Bình', ['Agent']],
  ['chi', 'Lê Khánh Chi', ['Agent']],
  ['dung', 'Phạm Tiến Dũng', ['Agent']],
  ['giang', 'Vũ Trường Giang', ['Agent']],
  ['hoa', 'Đặng Thị Hòa', ['Agent']],
  ['khoa', 'Bùi Đăng Khoa', ['Agent']],
  ['linh', 'Hồ Mỹ Linh', ['Agent']],
  // Left the company: the account is off, the rows in the teams are still there.
  ['minh', 'Ngô Quang Minh', ['Agent'], false],
  ['truong', 'Đỗ Thị Trưởng', ['Agent', 'Agent Manager']],
  ['service', 'Deskside Service', ['Agent', 'Agent Manager']],
  ['sysonly', 'System Only', ['System Manager']],
  // For provisioning.
  ['admin', 'Helpdesk Admin', ['System Manager', 'Agent']],
];

export const staffEmail = (id: string) => `${id}@support.example`;

/** Agents in the order in which they joined; the names under which HD Agent and the teams know them. */
const agentIds = ['an', 'binh', 'chi', 'dung', 'giang', 'hoa', 'khoa', 'linh', 'minh', 'truong'] as const;

/** A customer who created a Contact of their own that links to somebody else's company (docs/helpdesk.md#senders). */
export const forger = 'ke.gia.danh@hopthu.example';

/** Accounts of the helpdesk: staff, a service account, portal customers without any role, Administrator. */
export function helpdeskUsers(): HelpdeskUserSeed[] {
  return [
    {
      name: 'Administrator',
      fullName: 'Administrator',
      password: 'administrator-password',
      apiKey: 'administrator',
      apiSecret: 'administrator-secret',
      roles: ['Administrator', 'System Manager', 'Agent', 'Agent Manager'],
      enabled: true,
    },
    ...staff.map(([id, fullName, roles, enabled = true]) =>
      account(staffEmail(id), keyOf(id), fullName, roles, enabled),
    ),
    ...shops.map((shop) =>
      account(reachOf(shop).ownerEmail, `portal-${shop.slug}`, `${shop.ownerFamily} ${shop.ownerGiven}`, []),
    ),
    account(forger, 'portal-forger', 'Kẻ Giả Danh', []),
    // It signs in with the address that the CRM has for the company, without a linked Contact.
    account('shop@rungthong.example', 'portal-shop-rungthong', 'Shop rungthong', []),
  ];
}

const offices = new Set(['service', 'sysonly', 'admin']);

function keyOf(id: string): string {
  return `${offices.has(id) ? 'office' : 'agent'}-${id}`;
}

function account(name: string, key: string, fullName: string, roles: string[], enabled = true): HelpdeskUserSeed {
  return { name, fullName, password: `${key}-password`, apiKey: key, apiSecret: `${key}-secret`, roles, enabled };
}
