import type { Company } from '@deskside/shared/profile';
import { days } from '#i18n/format.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import type { Fact } from './fact.ts';

/** The shop plan with the time that is left of it. */
export function planFact(company: Company, { fields, language }: Texts): Fact {
  const { current_shopplan: plan, shopplan_expiry: expiry, shopplan_days_left: left } = company;
  const fact = { label: fields.plan, about: fields.planIs, value: plan && shortName(plan), whole: plan };
  if (plan === null) return { ...fact, value: fields.noPlan };
  if (left === undefined) return { ...fact, detail: expiry && fields.ends(expiry) };
  if (left < 0) return { ...fact, detail: fields.ended(expiry ?? ''), tone: 'bad' };
  const isSoon = company.shopplan_status === 'expiring_soon';
  const detail = left === 0 ? fields.lastDay : fields.left(days(language, left));
  return { ...fact, detail, tone: isSoon ? 'warn' : undefined };
}

/** `OMNI SCALE 2025 (1 năm)` as `OMNI SCALE`. */
export function shortName(plan: string): string {
  return plan.replace(/\s*\([^)]*\)\s*$/, '').replace(/\s+20\d\d$/, '') || plan;
}
