import { OrgId } from '@deskside/shared/orgid';
import type { HelpdeskSeed } from '@deskside/simulators/seed/index';
import type { CustomerRecord } from '#helpdesk/customers.ts';
import type { CustomerFacts } from '#helpdesk/fields.ts';
import type { Helpdesk } from '#helpdesk/helpdesk.ts';
import { noon, signal } from './simulated-site.ts';

// A customer of the seed that has been enriched, for the tests of customers.

export const orgId = OrgId.parse('200000376001');
export const name = 'Gốm Sứ Làng Mơ - 200000376001';
const hourMs = 3_600_000;

/** What that customer already holds. */
export const sameFacts: CustomerFacts = {
  platformOrgId: orgId,
  myplatform: 'gomlangmo.myplatform.example',
  crmCompanyId: '63002',
  matchConfidence: 95,
  syncStatus: 'matched',
  segment: 'Medium',
  shopPlan: 'OMNI SCALE 2025 (1 năm)',
  companyModifiedAt: noon - 60 * hourMs,
  lastSyncedAt: noon - 50 * hourMs,
  lastCheckedAt: noon - 2 * hourMs,
  notFoundAt: null,
};

/** Reads that customer. */
export async function read(helpdesk: Helpdesk): Promise<CustomerRecord> {
  const record = await helpdesk.customers.read(name, signal);
  if (record === null) throw new Error('The seed has no such customer.');
  return record;
}

/** Changes, or with null removes, one of a seed's custom fields of HD Customer. */
export const withField =
  (fieldname: string, change: { fieldtype: string; options?: string } | null) =>
  (seed: HelpdeskSeed): void => {
    const fields = seed.customFields['HD Customer'] ?? [];
    const changed = fields.flatMap((field) => {
      if (field.fieldname !== fieldname) return [field];
      return change === null ? [] : [{ ...field, ...change }];
    });
    seed.customFields = { ...seed.customFields, 'HD Customer': changed };
  };
