import type { CrmErrorCode } from '@deskside/shared/status';
import type { CompanyAnswer, CrmCompany } from '#store/profile-cache.ts';

/** The two fields of a CRM company that can hold an org id, by what they are called in the field map. */
export type OrgIdField = 'company_id' | 'platform_org_id';

/** Names of both, the one that counts first in front (decision 4: one batch). */
export type FieldOrder = readonly [first: string, second: string];

/** What the CRM has just said of an org id. `failures`: why a field was not answered, by its name. */
export interface FreshAnswer extends CompanyAnswer {
  failures: Record<string, CrmErrorCode>;
}

/**
 * The companies of an answer for whoever goes by the fields in this order: those that the first names, then those that only
 * the second does, each newest first. The field that counts for a company comes first among its own.
 */
export function companiesBy(order: FieldOrder, { companies }: CompanyAnswer): CrmCompany[] {
  const rankOf = ({ matchedFields: [field = ''] }: CrmCompany) => order.indexOf(field);
  return companies
    .map((company) => ({ ...company, matchedFields: order.filter((field) => company.matchedFields.includes(field)) }))
    .filter(({ matchedFields }) => matchedFields.length > 0)
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** The fields on which the answer rests: the second counts only where the first names no company. */
function decidingFields(order: FieldOrder, { companies }: CompanyAnswer): readonly string[] {
  const [first] = order;
  return companies.some(({ matchedFields }) => matchedFields.includes(first)) ? [first] : order;
}

/** When the CRM said that, in epoch milliseconds; null if one of the fields on which it rests was never answered. */
export function checkedAt(order: FieldOrder, answer: CompanyAnswer): number | null {
  const times = decidingFields(order, answer).map((field) => answer.answeredAt[field] ?? null);
  return times.reduce((earliest, at) => (earliest === null || at === null ? null : Math.min(earliest, at)));
}

/** Why that could not be asked this time; null if it could. */
export function failureOf(order: FieldOrder, answer: FreshAnswer): CrmErrorCode | null {
  const failures = decidingFields(order, answer).map((field) => answer.failures[field] ?? null);
  return failures.find((code) => code !== null) ?? null;
}

/** Puts an org id's companies together, each once, newest first, of equals the higher id. */
export function mergeCompanies(lists: readonly (readonly CrmCompany[])[]): CrmCompany[] {
  const merged = new Map<string, CrmCompany>();
  for (const company of lists.flat()) {
    const known = merged.get(company.fields.bitrix_id) ?? company;
    const matchedFields = [...new Set([...known.matchedFields, ...company.matchedFields])];
    merged.set(company.fields.bitrix_id, { ...known, matchedFields });
  }
  return [...merged.values()].sort(
    (a, b) => (b.modifiedAt ?? 0) - (a.modifiedAt ?? 0) || Number(b.fields.bitrix_id) - Number(a.fields.bitrix_id),
  );
}

/** The answer with what an earlier one said by the fields that were not answered this time. */
export function withUnanswered(answer: FreshAnswer, before: CompanyAnswer | undefined): FreshAnswer {
  const missed = Object.keys(answer.failures);
  if (before === undefined || missed.length === 0) return answer;
  const kept = before.companies.flatMap((company) => {
    const matchedFields = company.matchedFields.filter((field) => missed.includes(field));
    return matchedFields.length > 0 ? [{ ...company, matchedFields }] : [];
  });
  const times = Object.entries(before.answeredAt).filter(([field]) => missed.includes(field));
  return {
    failures: answer.failures,
    companies: mergeCompanies([answer.companies, kept]),
    answeredAt: { ...Object.fromEntries(times), ...answer.answeredAt },
  };
}
