import type { AroundTicket } from '@deskside/shared/around';
import type { ProfileData } from '@deskside/shared/profile';
import { number } from '#i18n/format.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import type { PanelError } from '#messaging/protocol.ts';
import { siteTime } from '#panel/company/site-time.ts';
import { shownTrust } from '#summary/shown-trust.ts';
import { mailtoUrl } from '#ui/links/safe-url.ts';
import type { Fact } from './fact.ts';
import { healthFact } from './health.ts';
import { planFact, shortName } from './plan.ts';

/** The customer's tickets as far as they are known. */
export interface Tickets {
  data: AroundTicket | undefined;
  failure: PanelError | null;
}

/**
 * The four facts an agent wants to know first: plan, health, account owner and tickets of a company. While the CRM says
 * nothing, what the helpdesk's own record has stands in their place. Empty where neither has anything.
 */
export function factsOf(profile: ProfileData, tickets: Tickets, t: Texts): Fact[] {
  const { company } = profile.bitrix;
  if (company)
    return [planFact(company, t), healthFact(company, t), ownerFact(profile, t), ticketsFact(profile, tickets, t)];
  const { customer } = profile;
  const { custom_shopplan_name: plan = null, custom_customer_segment: segment = null } = customer ?? {};
  if (customer === null || (plan === null && segment === null)) return [];
  const own = { detail: t.fields.fromHelpdesk };
  const checked = siteTime(customer.custom_crm_last_checked_at, t) ?? t.fields.unknown;
  const [checkedOn = checked, ...checkedAt] = /^\d/.test(checked) ? checked.split(' ') : [checked];
  return [
    {
      label: t.fields.plan,
      about: t.fields.planIs,
      value: (plan && shortName(plan)) ?? t.fields.unknown,
      whole: plan,
      ...own,
    },
    { label: t.fields.segment, value: segment ?? t.fields.unknown, ...own },
    { label: t.fields.lastChecked, value: checkedOn, detail: checkedAt.join(' ') },
    ticketsFact(profile, tickets, t),
  ];
}

/** Who looks after the company, and how to reach them; somebody who has left is not written to. */
function ownerFact(profile: ProfileData, { fields }: Texts): Fact {
  const { company, responsible: owner } = profile.bitrix;
  const label = fields.accountOwner;
  if (!owner) return { label, value: company?.assigned_by_id ? fields.crmUser(company.assigned_by_id) : fields.nobody };
  const value = owner.name ?? owner.email ?? fields.crmUser(owner.id);
  const whole = [owner.name, owner.email].filter(Boolean).join('\n');
  if (owner.status !== 'active') {
    const hasLeft = owner.status === 'inactive' || owner.status === 'not_found';
    return { label, value, whole, detail: fields.responsible[owner.status], tone: hasLeft ? 'warn' : undefined };
  }
  const href = mailtoUrl(owner.email);
  const trust = shownTrust(profile);
  const isSure = trust === 'confirmed' || trust === 'likely';
  return { label, value, whole, href, detail: href && (isSure ? fields.sendMessage : fields.askAbout) };
}

/** How many there are, hidden where nobody vouches that they are the sender's. */
function ticketsFact(profile: ProfileData, { data, failure }: Tickets, { around, language }: Texts): Fact {
  const { label } = around;
  const trust = shownTrust(profile);
  if (trust === 'claimed' || trust === 'unknown') return { label, value: around.hidden, detail: around.untilVerified };
  if (failure) return { label, value: around.failed };
  if (!data) return { label, value: around.loading };
  if (data.customer === null) return { label, value: around.hidden, detail: around.untilLinked };
  const { open, in_90_days, is_more } = data.counts;
  const more = is_more ? '+' : '';
  return {
    label,
    value: around.open(number(language, open) + more),
    detail: around.recent(number(language, in_90_days) + more),
  };
}
