import type { Company, ProfileData } from '@deskside/shared/profile';
import type { Texts } from '#i18n/panel/texts.ts';
import { mentionsOf } from '#panel/people/mentions.ts';
import { mergePeople } from '#panel/people/merge-people.ts';
import type { Mention, Person } from '#panel/people/person.ts';
import type { Part, Row, RowGroup } from '#panel/rows/row.ts';
import { companySections, ownerParts, reachParts } from './company-rows.ts';
import { type HealthModel, healthModel } from './health.ts';
import { helpdeskSections } from './helpdesk-rows.ts';
import { type PlanModel, planModel } from './plan.ts';

export interface CompanyModel {
  name: Part;
  segment: Part;
  plan: PlanModel;
  health: HealthModel;
  owner: Row;
  /** The company's own telephone and e-mail. */
  reach: Row;
}
export interface ProfileModel {
  company: CompanyModel | null;
  people: Person[];
  /** What `people` is made of: every place that names somebody. */
  mentions: Mention[];
  groups: RowGroup[];
}

/**
 * What the panel shows of a profile, in one language. Pure, so that the wording can be tested without a browser.
 * @param before the profile to compare with: a value that only it has keeps its row, so that its removal is shown
 */
export function profileModel(profile: ProfileData, t: Texts, now: number, before: ProfileData | null): ProfileModel {
  const { company } = profile.bitrix;
  const mentions = mentionsOf(profile, t);
  return {
    company: company && companyModel(profile, company, t, now),
    people: mergePeople(mentions),
    mentions,
    groups: [...(company ? companySections(profile, t, before) : []), ...helpdeskSections(profile, t)],
  };
}

function companyModel({ bitrix }: ProfileData, company: Company, t: Texts, now: number): CompanyModel {
  return {
    name: { key: 'company.name', text: company.company_name ?? company.title_full ?? t.fields.noName },
    segment: { key: 'company.segment', text: company.customer_segment },
    plan: planModel(company, t, now),
    health: healthModel(company, t),
    reach: { label: t.fields.company, parts: reachParts(company) },
    owner: { label: t.fields.accountOwner, parts: ownerParts(bitrix.responsible, company.assigned_by_id, t) },
  };
}
