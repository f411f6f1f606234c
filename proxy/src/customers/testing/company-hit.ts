import type { CompanyHit } from '#crm/search.ts';
import type { Marks } from '#intake/read-query.ts';

export const noMarks: Marks = { orgIds: [], names: [], addresses: [], emails: [], phones: [], people: [] };

/** A company that the CRM's search finds, recognised by its name, its org id and these marks. */
export function companyHit(
  crmId: string,
  name: string,
  { marks, ...more }: Partial<Omit<CompanyHit, 'marks'>> & { marks?: Partial<Marks> } = {},
): CompanyHit {
  const blank = {
    orgId: null,
    isFirst: true,
    url: null,
    plan: null,
    owner: null,
    phone: null,
    region: null,
    planExpiresAt: null,
    modifiedAt: null,
  };
  const orgIds = more.orgId ? [more.orgId] : [];
  return { ...blank, crmId, name, ...more, marks: { ...noMarks, names: [name], orgIds, ...marks } };
}
