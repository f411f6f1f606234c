import { expect, test } from 'vitest';
import { makeSeedInUse } from './index.ts';

const now = new Date('2026-03-10T05:00:00Z');
const world = makeSeedInUse({ seed: 1, now });
const named = (doctype: string) => new Set((world.helpdesk.documents[doctype] ?? []).map(({ name }) => name));

test('the same seed gives the same world, another one another', () => {
  expect(makeSeedInUse({ seed: 1, now })).toEqual(world);
  expect(makeSeedInUse({ seed: 2, now }).truth).not.toEqual(world.truth);
});

test.each([
  [1, 300],
  [2, 300],
  [3, 2_000],
])('seed %i has %i customers made by hand, whose truth is a company of the CRM or none', (seed, customers) => {
  const { truth, crm, helpdesk } = makeSeedInUse({ seed, customers, now });
  const orgIds = new Set(crm.companies.map((company) => company.UF_CRM_PLATFORM_ORG_ID));
  expect(Object.keys(truth).length).toBeGreaterThanOrEqual(customers);
  for (const { orgId } of Object.values(truth)) if (orgId !== null) expect(orgIds).toContain(orgId);
  for (const list of [crm.companies, crm.contacts]) expect(new Set(list.map(({ ID }) => ID)).size).toBe(list.length);
  for (const doctype of ['HD Customer', 'Contact', 'HD Ticket']) {
    const documents = helpdesk.documents[doctype] ?? [];
    expect(new Set(documents.map(({ name }) => name)).size, doctype).toBe(documents.length);
  }
});

test('every kind of mess is there, and what links leads somewhere', () => {
  const kinds = new Set(Object.values(world.truth).map(({ kind }) => kind));
  for (const kind of [
    ...['plain', 'without accents', 'typo', 'id in name', 'nickname', 'free mail', 'changed domain', 'unknowable'],
    ...['franchise', 'bookkeeper', 'agency', 'twins', 'twins in the CRM', 'forged', 'sisters', 'former employee'],
    ...['wrong id', 'same name elsewhere', 'nobody’s'],
  ])
    expect(kinds).toContain(kind);
  for (const { customer, contact } of world.helpdesk.documents['HD Ticket'] ?? []) {
    if (customer) expect(named('HD Customer')).toContain(customer);
    if (contact) expect(named('Contact')).toContain(contact);
  }
  expect(JSON.stringify(world.truth)).not.toContain('undefined');
});
