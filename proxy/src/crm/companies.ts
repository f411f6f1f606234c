import { isRecord } from '@deskside/shared/json';
import type { OrgId } from '@deskside/shared/orgid';
import type { CrmCompany } from './crm.ts';
import type { FieldMap } from './field-map.ts';
import { normalizeCompany } from './normalize-company.ts';
import { scrubPayload } from './scrub-payload.ts';
import { addressesOf, instantOf, scalar } from './values.ts';

/**
 * Reads the rows of a company list: only those whose filtered field really holds the org id (docs/decisions.md 3; a
 * filter can get lost on the way, docs/crm.md#lost-filters), newest first, ties by the higher id. Null: no usable
 * answer. That includes a list of nothing but other companies: it proves that the filter was lost, not that there is no
 * such company.
 */
export function companiesOf(
  result: unknown,
  { orgId, field, fieldMap, portal }: { orgId: OrgId; field: string; fieldMap: FieldMap; portal: string },
): CrmCompany[] | null {
  if (!Array.isArray(result) || !result.every(isRecord)) return null;
  const rows = result.filter((row) => isSameId(scalar(row[field]), orgId) && /^\d+$/.test(scalar(row.ID) ?? ''));
  if (rows.length === 0 && result.length > 0) return null;
  return rows
    .map((row): CrmCompany => {
      const fields = normalizeCompany(row, fieldMap, portal);
      const emails = [...addressesOf(row.EMAIL), fields.owner_email ?? ''].map((email) => email.trim().toLowerCase());
      return {
        fields,
        planExpiresAt: instantOf(row[fieldMap.shopplan_expiry]),
        modifiedAt: instantOf(row.DATE_MODIFY),
        emails: [...new Set(emails.filter((email) => email.includes('@')))],
        contacts: [],
        matchedField: field,
        payload: scrubPayload(row),
      };
    })
    .sort(
      (a, b) => (b.modifiedAt ?? 0) - (a.modifiedAt ?? 0) || Number(b.fields.bitrix_id) - Number(a.fields.bitrix_id),
    );
}

/** Equal as text, or as whole numbers: an integer field drops leading zeros. */
function isSameId(value: string | null, orgId: OrgId): boolean {
  return value !== null && (value === orgId || (/^\d+$/.test(value) && BigInt(value) === BigInt(orgId)));
}
