import type { Company, ProfileData } from '@deskside/shared/profile';
import type { PlanStatus } from '@deskside/shared/status';
import { days } from '../i18n/format.ts';
import type { Texts } from '../i18n/texts.ts';
import { companySections } from './company-rows.ts';
import { helpdeskSections } from './helpdesk-rows.ts';
import { termPassed } from './plan.ts';

/** One value on screen. `key` names it for good, so that two profiles can be compared; null is not shown. */
export interface Part {
  key: string;
  text: string | null;
  href?: string | null | undefined;
  tone?: 'muted' | 'warn';
}
export interface Row {
  label: string;
  parts: Part[];
}
/** `folded`: shown on demand only. */
export interface RowGroup {
  id: string;
  title: string;
  rows: Row[];
  folded?: boolean;
}
export interface PlanView {
  name: Part;
  status: Part;
  state: PlanStatus | null;
  left: Part;
  signed: Part;
  expiry: Part;
  /** Share of the term that has passed, 0 to 1; null where it cannot be told. */
  passed: number | null;
}
export interface CompanyView {
  name: Part;
  id: Part;
  tags: Part[];
  plan: PlanView;
}
export interface ProfileView {
  company: CompanyView | null;
  groups: RowGroup[];
}

/**
 * What the panel shows of a profile, in one language; pure, so every rule of wording is tested without a browser.
 * @param before the profile to be compared with: values that only it has keep a place, so that their loss is shown
 */
export function profileView(profile: ProfileData, t: Texts, now: number, before: ProfileData | null): ProfileView {
  const { company } = profile.bitrix;
  return {
    company: company && companyView(company, t, now),
    groups: [...(company ? companySections(profile, t, before) : []), ...helpdeskSections(profile, t)],
  };
}

function companyView(company: Company, t: Texts, now: number): CompanyView {
  return {
    name: { key: 'company.name', text: company.company_name ?? company.title_full ?? t.fields.noName },
    id: { key: 'company.id', text: company.company_id },
    tags: [
      { key: 'company.segment', text: company.customer_segment },
      { key: 'company.membership', text: company.membership },
    ],
    plan: planView(company, t, now),
  };
}

function planView(company: Company, t: Texts, now: number): PlanView {
  const { current_shopplan_date: signed, shopplan_expiry: expiry, shopplan_days_left: left } = company;
  const state = company.shopplan_status ?? null;
  const expiryText = state === 'expired' ? t.fields.expired : t.fields.expires;
  return {
    name: { key: 'plan.name', text: company.current_shopplan ?? t.fields.noPlan },
    state,
    status: { key: 'plan.status', text: state && t.fields.planStatus[state] },
    left: { key: 'plan.left', text: left === undefined ? null : daysLeft(left, t) },
    signed: { key: 'plan.signed', text: signed && t.fields.signed(signed) },
    expiry: { key: 'plan.expiry', text: expiry && expiryText(expiry) },
    passed: termPassed(signed, expiry, now),
  };
}

function daysLeft(left: number, t: Texts): string {
  if (left === 0) return t.fields.lastDay;
  const phrase = days(t.language, Math.abs(left));
  return left > 0 ? t.fields.daysLeft(phrase) : t.fields.daysAgo(phrase);
}
