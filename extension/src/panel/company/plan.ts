import type { Company } from '@deskside/shared/profile';
import type { PlanStatus } from '@deskside/shared/status';
import { days, daysAgo } from '#i18n/format.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import type { Part } from '#panel/rows/row.ts';

export interface PlanModel {
  name: Part;
  /** The name without what it says of its year and term; null without a plan. */
  short: string | null;
  status: Part;
  state: PlanStatus | null;
  left: Part;
  signed: Part;
  expiry: Part;
  /** Elapsed share of the term, 0 to 1; null if unknown. */
  elapsed: number | null;
}

/** What the panel shows of the shop plan. */
export function planModel(company: Company, t: Texts, now: number): PlanModel {
  const { current_shopplan_date: signed, shopplan_expiry: expiry, shopplan_days_left: left } = company;
  const state = company.shopplan_status ?? null;
  const expiryText = state === 'expired' ? t.fields.expired : t.fields.expires;
  return {
    name: {
      key: 'plan.name',
      text: company.current_shopplan ?? t.fields.noPlan,
      inserts: company.current_shopplan !== null,
    },
    short: company.current_shopplan && shortName(company.current_shopplan),
    state,
    status: { key: 'plan.status', text: state && t.fields.planStatus[state] },
    left: { key: 'plan.left', text: left === undefined ? null : daysLeft(left, t) },
    signed: { key: 'plan.signed', text: signed && t.fields.signed(signed) },
    expiry: { key: 'plan.expiry', text: expiry && expiryText(expiry), inserts: true },
    elapsed: termElapsed(signed, expiry, now),
  };
}

/** `OMNI SCALE 2025 (1 năm)` as `OMNI SCALE`. */
function shortName(plan: string): string {
  return plan.replace(/\s*\([^)]*\)\s*$/, '').replace(/\s+20\d\d$/, '') || plan;
}

function daysLeft(left: number, t: Texts): string {
  if (left === 0) return t.fields.lastDay;
  return left > 0 ? t.fields.daysLeft(days(t.language, left)) : daysAgo(t.language, -left);
}

/**
 * Elapsed share of the plan's term, 0 to 1. Null if a date is missing or unreadable (the CRM's text is then shown as it
 * is), or if the plan ends before it begins.
 */
export function termElapsed(signed: string | null, expiry: string | null, now: number): number | null {
  const from = parseDay(signed);
  const to = parseDay(expiry);
  if (from === null || to === null || to <= from) return null;
  return Math.min(1, Math.max(0, (now - from) / (to - from)));
}

/** Parses a `dd/MM/yyyy` date to epoch milliseconds (UTC midnight), null for anything else. */
export function parseDay(text: string | null): number | null {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text?.trim() ?? '');
  if (!match) return null;
  const [day, month, year] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const at = Date.UTC(year, month - 1, day);
  const date = new Date(at);
  const isSame = date.getUTCDate() === day && date.getUTCMonth() === month - 1;
  // JavaScript reads the years 0 to 99 as 1900 to 1999.
  return isSame && date.getUTCFullYear() === year ? at : null;
}
