import type { AlternativeCompany } from '@deskside/shared/profile';
import type { CrmCompany } from '../ports/crm.ts';

/** The companies that the CRM also has for an org id, without the first, which is the one that is used. */
export function alternativesOf(companies: readonly CrmCompany[]): AlternativeCompany[] {
  return companies.slice(1).map(({ fields }) => ({
    bitrix_id: fields.bitrix_id,
    company_id: fields.company_id,
    company_name: fields.company_name,
    date_modify: fields.date_modify,
    url: fields.url,
  }));
}
