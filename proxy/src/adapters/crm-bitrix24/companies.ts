import type { OrgId } from '@deskside/shared/orgid';
import { instantOf, scalar } from '../../domain/crm-values.ts';
import { normalizeCompany } from '../../domain/normalize-company.ts';
import type { CrmCompany } from '../../ports/crm.ts';
import type { FieldMap } from './field-map.ts';
import { payloadOf } from './payload.ts';
import { addressesOf, isRecord } from './records.ts';

/**
 * Reads the rows of a company list: only those whose filtered field really holds the org id (design.md, decision 3; a
 * filter can get lost on the way, facts/bitrix24.md 0), newest first, ties by the higher id. Null: no usable answer,
 * which is also what rows of other companies alone are: they prove that the filter was lost, not that there is no such
 * company.
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
        payload: payloadOf(row),
      };
    })
    .sort(
      (a, b) => (b.modifiedAt ?? 0) - (a.modifiedAt ?? 0) || Number(b.fields.bitrix_id) - Number(a.fields.bitrix_id),
    );
}

/** Equal as text, or as whole numbers: a field of type integer drops leading zeros. */
function isSameId(value: string | null, orgId: OrgId): boolean {
  return value !== null && (value === orgId || (/^\d+$/.test(value) && BigInt(value) === BigInt(orgId)));
}
