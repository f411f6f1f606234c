import { describe, expect, test } from 'vitest';
import type { RoleRow } from './frappe.ts';
import { websiteRolesThatSet } from './permissions.ts';

const deskRoles = new Set(['System Manager', 'Agent', 'All']);
const row = (role: string, rights: string, permlevel = 0, ifOwner = false): RoleRow => ({
  role,
  permlevel,
  ifOwner,
  read: rights.includes('r'),
  write: rights.includes('w'),
  create: rights.includes('c'),
  delete: rights.includes('d'),
});
const staff = [row('System Manager', 'rwc'), row('Agent', 'rw'), row('System Manager', 'rw', 1)];

describe('a field can be set by website users', () => {
  test.each<[string, RoleRow[], number, string[]]>([
    ['where only staff may write', staff, 0, []],
    ['where they may read', [...staff, row('HD Customer', 'r')], 0, []],
    ['where they may write', [...staff, row('HD Customer Manager', 'rw')], 0, ['HD Customer Manager']],
    ['where they may create', [...staff, row('All', 'c')], 0, ['All']],
    ['where they may write their own', [...staff, row('All', 'rwc', 0, true)], 0, ['All']],
    ['where a guest may create', [...staff, row('Guest', 'c')], 0, ['Guest']],
    ['where a role of which nothing is known may write', [row('Reseller', 'w')], 0, ['Reseller']],
    ['by a level that they have not', [...staff, row('HD Customer Manager', 'rw')], 1, []],
    ['by a level that they may read', [row('Portal', 'rw'), row('Portal', 'r', 1)], 1, []],
    ['by a level that is theirs', [row('Portal', 'rw'), row('Portal', 'rw', 1)], 1, ['Portal']],
    ['by two roles of one user', [row('Portal', 'w'), row('All', 'w', 1)], 1, ['All']],
    ['by a level alone, without the document', [row('Portal', 'r'), row('Portal', 'rw', 1)], 1, []],
    ['by Administrator, who is no website user', [row('Administrator', 'rwc')], 0, []],
    ['where there are no rows', [], 0, []],
  ])('%s', (_what, rows, level, roles) => {
    expect(websiteRolesThatSet(rows, level, deskRoles)).toEqual(roles);
  });
});
