import type { CrmErrorCode } from '@deskside/shared/status';
import { checkedAt, companiesBy, type FieldOrder, failureOf } from '#crm/answer.ts';
import type { CompanyResult } from '#crm/bitrix24.ts';
import type { CrmCompany } from '#store/profile-cache.ts';

/** What a CRM says of an org id to whoever goes by one order of the fields. */
export type TestAnswer =
  | { kind: 'found'; companies: [CrmCompany, ...CrmCompany[]] }
  | { kind: 'empty' }
  | { kind: 'failed'; code: CrmErrorCode; lostFilter?: string };

/** The fields of a CRM with the default names. */
export const companyIdFirst: FieldOrder = ['UF_CRM_COMPANY_ID', 'UF_CRM_PLATFORM_ORG_ID'];
export const platformFirst: FieldOrder = ['UF_CRM_PLATFORM_ORG_ID', 'UF_CRM_COMPANY_ID'];

/** The same to whoever goes by either order. The record of a company is its id and whatever `records` has for it. */
export function resultOf(answer: TestAnswer, records: Readonly<Record<string, string>> = {}): CompanyResult {
  const nothing = { companies: [], payloads: {}, failures: {}, lostFilters: [] };
  if (answer.kind === 'empty') return nothing;
  if (answer.kind === 'failed') {
    const failures = Object.fromEntries(companyIdFirst.map((field) => [field, answer.code]));
    return { ...nothing, failures, lostFilters: answer.lostFilter === undefined ? [] : [answer.lostFilter] };
  }
  const ids = answer.companies.map(({ fields }) => fields.bitrix_id);
  const payloads = Object.fromEntries(ids.map((id) => [id, records[id] ?? JSON.stringify({ ID: id })]));
  return { ...nothing, companies: answer.companies, payloads };
}

/** What a result says to whoever goes by the fields in this order. */
export function answerBy(order: FieldOrder, { companies, failures, lostFilters }: CompanyResult): TestAnswer {
  const answered = order.filter((field) => !(field in failures));
  const answer = { companies, failures, answeredAt: Object.fromEntries(answered.map((field) => [field, 1])) };
  const code = failureOf(order, answer);
  const [lostFilter] = lostFilters;
  if (code !== null) return { kind: 'failed', code, ...(lostFilter && { lostFilter }) };
  if (checkedAt(order, answer) === null) throw new Error('A field that was asked for neither answered nor failed.');
  const [first, ...others] = companiesBy(order, answer);
  return first ? { kind: 'found', companies: [first, ...others] } : { kind: 'empty' };
}
