import type { AroundTicket } from '@deskside/shared/around';
import type { Company, ProfileData } from '@deskside/shared/profile';
import clsx from 'clsx';
import { days, number } from '#i18n/format.ts';
import type { PanelError } from '#messaging/protocol.ts';
import { siteTime } from '#panel/status/freshness.ts';
import { type Texts, useTexts } from '#panel/texts/texts.ts';
import { shownTrust } from '#status/status.ts';
import { mailtoUrl } from '#ui/safe-url.ts';

/** The bands of the CRM, lowest first (docs/data.md#the-crm-company). */
const bands = ['0', '1', '100', '200', '500', '500+'];
/** One colour for the whole band. */
const levelTones = ['text-bad', 'text-bad', 'text-warn', 'text-warn', 'text-ok', 'text-ok'];

export function FactsGrid({ facts }: { facts: readonly Fact[] }) {
  const { fields } = useTexts();
  if (facts.length === 0) return null;
  return (
    <dl aria-label={fields.facts} className="facts">
      {facts.map((fact) => (
        <div key={fact.label} className="min-w-0 px-4 py-2.5">
          <dt className="truncate text-xs text-ink-3" title={fact.about}>
            {fact.label}
          </dt>
          <dd className="flex items-center font-semibold" title={fact.whole || undefined}>
            <bdi className="truncate">{fact.value}</bdi>
            {fact.level != null && <Dots level={fact.level} />}
          </dd>
          <dd className={clsx('truncate text-xs', tones[fact.tone ?? 'plain'])}>
            <Detail {...fact} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const tones = { plain: 'text-ink-2', warn: 'font-medium text-warn', bad: 'font-medium text-bad' } as const;

function Detail({ detail, href, value, label }: Fact) {
  if (!detail) return null;
  if (!href) return <bdi title={detail}>{detail}</bdi>;
  return (
    <a href={href} aria-label={`${detail}: ${value} (${label})`} className="target text-link hover:underline">
      {detail}
    </a>
  );
}

/** A band among all: what the word beside it says, to be seen. */
function Dots({ level }: { level: number }) {
  return (
    <span aria-hidden="true" className={clsx('ms-1.5 inline-flex shrink-0 gap-0.5', levelTones[level])}>
      {bands.map((band, nth) => (
        <i key={band} className={nth <= level ? 'dot dot-on' : 'dot'} />
      ))}
    </span>
  );
}

/** The customer's tickets as far as they are known. `hidden`: until when they are not shown. */
export interface TicketsState {
  data: AroundTicket | undefined;
  failure: PanelError | null;
  hidden: 'untilVerified' | 'untilLinked' | null;
}

/**
 * The four facts an agent wants to know first: plan, health, account owner and tickets of a company. While the CRM says
 * nothing, what the helpdesk's own record has stands in their place. Empty where neither has anything.
 */
export function factsOf(profile: ProfileData, tickets: TicketsState, t: Texts): Fact[] {
  const { company } = profile.bitrix;
  if (company) return [planFact(company, t), healthFact(company, t), ownerFact(profile, t), ticketsFact(tickets, t)];
  const { customer } = profile;
  const { fields } = t;
  const { custom_shopplan_name: plan = null, custom_customer_segment: segment = null } = customer ?? {};
  if (customer === null || (plan === null && segment === null)) return [];
  const hint = { detail: fields.fromHelpdesk };
  const checked = siteTime(customer.custom_crm_last_checked_at, t) ?? fields.unknown;
  const [, day = checked, time = null] = /^(\d\S*) (.+)/.exec(checked) ?? [];
  return [
    { label: fields.plan, about: fields.planIs, value: plan ? shortName(plan) : fields.unknown, whole: plan, ...hint },
    { label: fields.segment, value: segment ?? fields.unknown, ...hint },
    { label: fields.lastChecked, value: day, detail: time, whole: checked },
    ticketsFact(tickets, t),
  ];
}

/** Who looks after the company, and how to reach them; somebody who has left is not written to. */
function ownerFact(profile: ProfileData, { fields }: Texts): Fact {
  const { company, responsible: owner } = profile.bitrix;
  const [label, about] = [fields.accountOwner, fields.ownerIs];
  if (!owner)
    return { label, about, value: company?.assigned_by_id ? fields.crmUser(company.assigned_by_id) : fields.nobody };
  const value = owner.name ?? owner.email ?? fields.crmUser(owner.id);
  const whole = [owner.name, owner.email].filter(Boolean).join('\n');
  if (owner.status !== 'active') {
    const tone = hasLeft(owner) ? 'warn' : undefined;
    return { label, about, value, whole, detail: fields.responsible[owner.status], tone };
  }
  const href = mailtoUrl(owner.email);
  const trust = shownTrust(profile);
  const isSure = trust === 'confirmed' || trust === 'likely';
  return { label, about, value, whole, href, detail: href && (isSure ? fields.sendMessage : fields.askAbout) };
}

export function hasLeft(owner: ProfileData['bitrix']['responsible']): boolean {
  return owner?.status === 'inactive' || owner?.status === 'not_found';
}

function ticketsFact({ data, failure, hidden }: TicketsState, { around, language }: Texts): Fact {
  const { label } = around;
  if (hidden) return { label, value: around.hidden, detail: around[hidden] };
  if (failure) return { label, value: around.failed };
  if (!data) return { label, value: around.loading };
  const { open, in_90_days, is_more } = data.counts;
  const more = is_more ? '+' : '';
  return {
    label,
    value: around.open(number(language, open) + more),
    detail: around.recent(number(language, in_90_days) + more),
  };
}

/** One of the four facts: a value in a word or two, and one more thing to be known of it. */
export interface Fact {
  label: string;
  about?: string;
  value: string | null;
  /** The value in full. */
  whole?: string | null;
  detail?: string | null;
  tone?: 'warn' | 'bad' | undefined;
  /** What can be done about it; it says the detail. */
  href?: string | null;
  /** The place of a health band, from 0 for the lowest; null if it has none. */
  level?: number | null;
}

/** The health score: its band in a word, then as the CRM has it, the score, and what it was before. */
function healthFact(company: Company, t: Texts): Fact {
  const { current_hsi_segment: segment, current_hsi_detail: score } = company;
  const { last_hsi_segment: lastSegment, last_hsi_detail: lastScore } = company;
  const { fields } = t;
  const before = rounded(lastScore, t) ?? wordFor(lastSegment, t);
  const now = rounded(score, t);
  const trend =
    before === null ? null : before === (now ?? wordFor(segment, t)) ? fields.unchanged : fields.was(before);
  const level = levelOf(segment);
  const scores = [now, trend].filter(Boolean).join(', ');
  return {
    label: fields.health,
    about: fields.healthIs,
    value: wordFor(segment, t) ?? now ?? fields.unknown,
    whole: [segment, score].filter(Boolean).join(' '),
    detail: [level === null ? null : segment?.trim(), scores].filter(Boolean).join(': ') || null,
    level,
  };
}

/** The place of a band, `HSI_500+` or `500+`, among all; null if it is none of them. */
export function levelOf(segment: string | null): number | null {
  const at = bands.indexOf(segment?.trim().replace(/^HSI[_ ]?/i, '') ?? '');
  return at < 0 ? null : at;
}

function wordFor(segment: string | null, { fields }: Texts): string | null {
  const level = levelOf(segment);
  return (level === null ? null : fields.levels[level]) ?? segment;
}

/** A score without what is behind its point; as it is if it is no number. */
function rounded(score: string | null, { language }: Texts): string | null {
  const isNumber = score !== null && /^-?\d+(\.\d+)?$/.test(score.trim());
  return isNumber ? number(language, Math.round(Number(score))) : score;
}

function planFact(company: Company, { fields, language }: Texts): Fact {
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
function shortName(plan: string): string {
  return plan.replace(/\s*\([^)]*\)\s*$/, '').replace(/\s+20\d\d$/, '') || plan;
}
