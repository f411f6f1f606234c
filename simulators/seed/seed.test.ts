import { expect, test } from 'vitest';
import { demo, makeSeed } from './index.ts';
import type { HelpdeskDocument } from './types.ts';

const now = new Date('2026-03-10T05:00:00Z');
const seed = makeSeed({ now });
const { companies, contacts, users } = seed.crm;
const accounts = seed.helpdesk.users;
const documents = (doctype: string): HelpdeskDocument[] => seed.helpdesk.documents[doctype] ?? [];
const named = (doctype: string) => new Set(documents(doctype).map((d) => d.name));

test('the same moment gives the same world, another moment moves it, and nothing is shared with the next one', () => {
  const empty = (value: object): void => {
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'object' && inner !== null) empty(inner);
      delete (value as Record<string, unknown>)[key];
    }
  };
  empty(makeSeed({ now }));
  expect(makeSeed({ now })).toEqual(seed);
  const later = makeSeed({ now: new Date(now.getTime() + 86_400_000) });
  expect(later.crm.companies[1]?.DATE_MODIFY).not.toBe(companies[1]?.DATE_MODIFY);
});

test('each record has a name of its own, and the fields that its site has', () => {
  for (const list of [companies, contacts, users]) expect(new Set(list.map(({ ID }) => ID)).size).toBe(list.length);
  for (const key of ['name', 'apiKey', 'apiSecret'] as const)
    expect(new Set(accounts.map((u) => u[key])).size).toBe(accounts.length);
  for (const [doctype, list] of Object.entries(seed.helpdesk.documents)) {
    expect(named(doctype).size, doctype).toBe(list.length);
    const known = new Set(seed.helpdesk.customFields[doctype]?.map((f) => f.fieldname));
    const used = list.flatMap((d) => Object.keys(d).filter((key) => key.startsWith('custom_')));
    for (const field of used) expect(known, doctype).toContain(field);
  }
  for (const name of Object.values(demo.tickets)) expect(named('HD Ticket')).toContain(name);
});

test.each<[from: string, path: string, to: string]>([
  ['HD Ticket', 'customer', 'HD Customer'],
  ['HD Ticket', 'contact', 'Contact'],
  ['HD Ticket', 'agent_group', 'HD Team'],
  ['HD Ticket', 'owner', 'User'],
  ['HD Customer', 'contacts.contact_name', 'Contact'],
  ['Contact', 'links.link_name', 'HD Customer'],
  ['Contact', 'owner', 'User'],
  ['Contact', 'user', 'User'],
  ['HD Team', 'assignment_rule', 'Assignment Rule'],
  ['HD Team', 'users.user', 'HD Agent'],
  ['HD Agent', 'name', 'User'],
  ['ToDo', 'reference_name', 'HD Ticket'],
  ['Platform Account Link', 'hd_customer', 'HD Customer'],
])('%s points by %s at a %s that exists', (from, path, to) => {
  const [field = '', inner = ''] = path.split('.');
  const known = to === 'User' ? new Set(accounts.map(({ name }) => name)) : named(to);
  const values = documents(from).flatMap((d) =>
    inner === '' ? [d[field]] : ((d[field] ?? []) as Record<string, unknown>[]).map((row) => row[inner]),
  );
  for (const value of values) if (value) expect(known).toContain(value);
});
