import type { Company, ProfileData } from '@deskside/shared/profile';
import type { Texts } from '#i18n/texts.ts';
import type { Part, RowGroup } from '#profile/rows/row.ts';
import { companySections } from './company-rows.ts';
import { helpdeskSections } from './helpdesk-rows.ts';
import { type PlanModel, planModel } from './plan.ts';

export interface CompanyModel {
  name: Part;
  id: Part;
  tags: Part[];
  plan: PlanModel;
}
export interface ProfileModel {
  company: CompanyModel | null;
  groups: RowGroup[];
}

/**
 * What the panel shows of a profile, in one language. Pure, so that the wording can be tested without a browser.
 * @param before the profile to compare with: a value that only it has keeps its row, so that its removal is shown
 */
export function profileModel(profile: ProfileData, t: Texts, now: number, before: ProfileData | null): ProfileModel {
  const { company } = profile.bitrix;
  return {
    company: company && companyModel(company, t, now),
    groups: [...(company ? companySections(profile, t, before) : []), ...helpdeskSections(profile, t)],
  };
}

function companyModel(company: Company, t: Texts, now: number): CompanyModel {
  return {
    name: { key: 'company.name', text: company.company_name ?? company.title_full ?? t.fields.noName },
    id: { key: 'company.id', text: company.company_id },
    tags: [
      { key: 'company.segment', text: company.customer_segment },
      { key: 'company.membership', text: company.membership },
    ],
    plan: planModel(company, t, now),
  };
}
