import { expect, test } from 'vitest';
import { makeSeedInUse } from './index.ts';

const now = new Date('2026-03-10T05:00:00Z');

test('customers made by hand, whose truth is a company of the CRM or none; the same ones for the same seed', () => {
  const world = makeSeedInUse({ seed: 1, customers: 300, now });
  expect(makeSeedInUse({ seed: 1, customers: 300, now })).toEqual(world);
  const { truth, crm, helpdesk } = world;
  const orgIds = new Set(crm.companies.map((company) => company.UF_CRM_PLATFORM_ORG_ID));
  expect(Object.keys(truth).length).toBeGreaterThanOrEqual(300);
  for (const { orgId } of Object.values(truth)) if (orgId !== null) expect(orgIds).toContain(orgId);
  for (const list of [crm.companies, crm.contacts]) expect(new Set(list.map(({ ID }) => ID)).size).toBe(list.length);
  for (const [doctype, documents] of Object.entries(helpdesk.documents))
    expect(new Set(documents.map(({ name }) => name)).size, doctype).toBe(documents.length);
});
