import { reachOf, shops } from './shops.ts';
import type { HelpdeskUserSeed } from './types.ts';

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
  // For provisioning; the second one may also save Server Scripts.
  ['admin', 'Helpdesk Admin', ['System Manager', 'Agent']],
  ['scripts', 'Script Admin', ['System Manager', 'Agent', 'Script Manager']],
];

export const staffEmail = (id: string) => `${id}@support.example`;

/** Agents in the order in which they joined; the names under which HD Agent and the teams know them. */
export const agentIds = ['an', 'binh', 'chi', 'dung', 'giang', 'hoa', 'khoa', 'linh', 'minh', 'truong'] as const;

/** A customer who created a Contact of their own that links to somebody else's company (docs/helpdesk.md#senders). */
export const forger = 'ke.gia.danh@hopthu.example';

/** A shop owner's new address, which the helpdesk's Contact has and the CRM has not. */
export const newAddress = 'cauvong.moi@hopthu.example';

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
    account(newAddress, 'portal-new-address', 'La Chí Công', []),
    ...portalByCrmEmail.map((slug) => account(`shop@${slug}.example`, `portal-shop-${slug}`, `Shop ${slug}`, [])),
  ];
}

/** Shops that sign in with the address that the CRM has for the company, without a linked Contact. */
const portalByCrmEmail = ['ocua', 'rungthong'];

const offices = new Set(['service', 'sysonly', 'admin', 'scripts']);

function keyOf(id: string): string {
  return `${offices.has(id) ? 'office' : 'agent'}-${id}`;
}

function account(name: string, key: string, fullName: string, roles: string[], enabled = true): HelpdeskUserSeed {
  return { name, fullName, password: `${key}-password`, apiKey: key, apiSecret: `${key}-secret`, roles, enabled };
}
