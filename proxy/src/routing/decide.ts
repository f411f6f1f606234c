import type { Assignment, ClaimsMode, RoutingInputs, RoutingOutcome, RoutingRule } from '@deskside/shared/routing';
import { crmFailure } from '#customers/facts.ts';
import type { TeamReason } from '#helpdesk/fields.ts';
import type { RoutingConfig } from '#rules.ts';
import { isClaim, isHeld } from '#trust/companies.ts';

type Target = Pick<RoutingOutcome, 'segment' | 'shopplan'> & { team: string; note?: string };

/** What a decision goes by, of all that is recorded with it. */
export type RuleInputs = Omit<RoutingInputs, 'claims' | 'ticket_status' | 'ticket_creation'>;

const nothing: SegmentFacts = { segment: null, shopPlan: null, source: 'default' };

/**
 * Decides a ticket's team from what is known about it (docs/routing.md#rules; decisions 9, 20 and 21: claims, own
 * records, team and status). The same inputs give the same outcome before the insert, after it, and in a replay.
 * Whether the team exists is for the caller to check.
 */
export function decideRouting(inputs: RuleInputs, config: RoutingConfig): RoutingOutcome {
  const { teams, plan_words: words } = config;
  const held = isHeld(inputs, config.claims);
  const known = segmentFacts(inputs);
  const isMedium = isSegment(known.segment, config.medium_segments);
  const sme: Target = { team: teams.sme, segment: 'SME', shopplan: 'SME' };
  /** Whether each applies, and where the ticket goes in that case. */
  const rules: { rule: RoutingRule; hits: boolean; target: Target | null }[] = [
    { rule: 'group_kept', hits: isKept(inputs), target: null },
    { rule: 'missing_orgid', hits: inputs.org_id === null, target: { ...sme, note: whyMissing(inputs) } },
    {
      rule: 'medium_scale',
      hits: isMedium && planContains(known.shopPlan, words.scale),
      target: { team: teams.medium_scale, segment: 'Medium', shopplan: 'Medium Scale' },
    },
    {
      rule: 'medium_grow',
      hits: isMedium && planContains(known.shopPlan, words.grow),
      target: { team: teams.medium_grow, segment: 'Medium', shopplan: 'Medium Grow' },
    },
    { rule: 'medium_other', hits: isMedium, target: { ...sme, segment: 'Medium', shopplan: 'Medium' } },
    { rule: 'sme', hits: true, target: sme },
  ];
  const at = rules.findIndex(({ hits }) => hits);
  const trace = rules.slice(0, at + 1).map(({ rule, hits }) => ({ rule, hit: hits }));
  const target = rules[at]?.target ?? null;
  const facts = shownFacts(target, known, held);
  const note = isClaim(inputs) ? 'unconfirmed OrgID' : 'customer without OrgID';
  const told = held && target !== null ? { ...target, note } : target;
  return {
    team: target?.team ?? null,
    segment: target?.segment ?? (isMedium ? 'Medium' : 'SME'),
    shopplan: target?.shopplan ?? 'SME',
    service_plan: facts.shopPlan,
    segment_source: facts.source,
    ...healthOf(inputs),
    reason: told === null ? keptReason(inputs) : reasonOf(inputs, told, facts, config),
    rules: trace,
  };
}

/** A rejected org id is not missing: somebody has taken it out. */
function whyMissing({ rejected_by: agent }: RuleInputs): string {
  return agent === undefined ? 'Missing OrgID' : `OrgID rejected by ${agent}`;
}

/** What the ticket shows of segment and plan. Of a held company whoever reads the ticket learns nothing but the team. */
function shownFacts(target: Target | null, known: SegmentFacts, held: boolean): SegmentFacts {
  if (held) return { ...nothing, source: 'claim' };
  return target?.note === undefined ? known : nothing;
}

/**
 * The outcome if the target team cannot be used: no group is set, the status is an error that names the team, and the
 * reason does not begin with `Auto-routed:` (docs/routing.md#reasons; decision 21: team and status). The decision is made again
 * later, since an operator is alerted.
 */
export function withoutTeam(outcome: RoutingOutcome, why: 'does not exist' | 'is disabled'): RoutingOutcome {
  const problem = `target team ${outcome.team} ${why}.`;
  const error = [`Routing: ${problem}`, outcome.error].filter(Boolean).join(' ');
  const reason = `Routing skipped: ${problem} ${outcome.reason}`;
  return { ...outcome, team: null, status: 'API Error', error, reason, fallback: 'team_missing' };
}

/** The outcome for a ticket that was routed although no record says so: nothing of it is changed (decision 20: own records). */
export function leftAsItIs(group: string | null): RoutingOutcome {
  return {
    team: null,
    segment: 'SME',
    shopplan: 'SME',
    service_plan: null,
    segment_source: 'default',
    status: 'Complete',
    error: '',
    fallback: null,
    rules: [{ rule: 'group_kept', hit: true }],
    reason: `Routed before, and left as it is${group === null ? '' : `: ${group}`}.`,
  };
}

/**
 * The outcome of a decision once its claim is confirmed: with what is known about the company, while the ticket stays
 * with its team.
 */
export function withTeamKept(outcome: RoutingOutcome, team: string | null): RoutingOutcome {
  const reason = outcome.reason.replace(`Target team=${outcome.team}.`, `Target team=${team}.`);
  return { ...outcome, team, reason };
}

/**
 * A group that somebody has set stays, whoever it was (decision 21: team and status); one that we gave before the
 * insert is decided.
 */
function isKept({ agent_group: group }: RuleInputs): boolean {
  return group !== null && group.set_by !== 'deskside';
}

/** What the ticket says of a group that stays (docs/routing.md#reasons). */
function keptReason({ agent_group: group }: RuleInputs): string {
  return `${keptBy[group?.set_by === 'sender' ? 'sender' : 'person']} ${group?.name}.`;
}

const keptBy = { person: 'Manual routing kept:', sender: 'Group kept as the sender chose it:' } as const;

export function isKeptReason(reason: string, group: string): boolean {
  return Object.values(keptBy).some((kept) => reason === `${kept} ${group}.`);
}

/** What went wrong on the way, and whether it may work later (decisions 21 and 23: team and status, assign first). */
function healthOf(inputs: RuleInputs): Pick<RoutingOutcome, 'status' | 'error' | 'fallback'> {
  if (inputs.org_id === null) {
    const failed = inputs.meta_failures.some(({ outcome }) => outcome === 'failed');
    if (!failed) return { status: 'Complete', error: '', fallback: null };
    return { status: 'Complete', error: 'meta.json could not be read; it is tried again.', fallback: 'meta_json' };
  }
  switch (inputs.crm?.status) {
    case 'error':
      return { ...crmFailure(inputs.crm.error), fallback: 'crm' };
    case 'disabled':
      return { status: 'Complete', error: 'The CRM integration is switched off.', fallback: null };
    case 'missing_config':
      return { status: 'missing_config', error: 'No CRM webhook is configured.', fallback: null };
    default:
      if (inputs.write_refused !== undefined)
        return { status: 'Complete', error: `Helpdesk: ${inputs.write_refused}.`.slice(0, 140), fallback: null };
      return { status: 'Complete', error: '', fallback: null };
  }
}

/** The sentence written to the ticket; its first part follows the pattern in docs/routing.md#reasons exactly. */
function reasonOf(
  inputs: RuleInputs,
  { team, note }: Target,
  { segment, shopPlan, source }: SegmentFacts,
  { claims }: Pick<RoutingConfig, 'claims'>,
): string {
  const head = note === undefined ? 'Auto-routed:' : `Auto-routed: ${note}.`;
  const facts = `Customer Segment=${segment ?? '-'}, Shopplan=${shopPlan ?? '-'}, Source=${source}.`;
  return [
    `${head} ${facts} Target team=${team}.`,
    ...unreadNote(inputs),
    ...segmentNote(inputs, claims, segment),
    ...crmNote(inputs, claims),
    ...shopNote(inputs),
    ...writeNote(inputs),
  ].join(' ');
}

/** Says why a company that has a segment in the CRM is routed as one without. */
function segmentNote(
  { unnamed_segment: code, ...inputs }: RuleInputs,
  claims: ClaimsMode,
  segment: string | null,
): string[] {
  if (code === undefined || segment !== null || isHeld(inputs, claims)) return [];
  return [`CRM segment ${code} is no item of its list and counts as none.`];
}

/** The sender and the desk may read it: it stands on the ticket. */
function unreadNote({ org_id: orgId, unread_org_id: unread }: RuleInputs): string[] {
  return orgId !== null || unread === undefined ? [] : [`OrgID reads "${unread.value}": ${unread.why}.`];
}

function crmNote({ crm, ...inputs }: RuleInputs, claims: ClaimsMode): string[] {
  if (crm?.status === 'error') return [`CRM error: ${crm.error ?? 'bad_answer'}.`];
  if (crm?.status === 'disabled') return ['CRM is switched off.'];
  if (crm?.status === 'missing_config') return ['CRM is not configured (missing_config).'];
  // Someone who merely typed an org id does not learn whether it exists, unless claims are accepted.
  if (crm?.status === 'not_found' && !isHeld(inputs, claims)) return ['CRM has no company for this OrgID.'];
  return [];
}

/** What the site lacks, or has against it, is no secret of the company's. */
function writeNote({ write_refused: refused, name_taken: isNumbered }: RuleInputs): string[] {
  if (refused !== undefined) return [`No customer was written: ${refused}.`];
  return isNumbered ? ['Another customer has its name, so the new one has a number.'] : [];
}

/** The sender may read it: they have named that shop themselves, and it says nothing about it. */
function shopNote(inputs: RuleInputs): string[] {
  const other = isClaim(inputs) ? null : otherShop(inputs);
  return other === null ? [] : [`The ticket names another shop, OrgID ${other}.`];
}

/**
 * The org id of another shop that the ticket names, where its customer's own org id is better vouched for
 * (decision 10: who leads); null if it names none.
 */
export function otherShop({ org_id, findings }: Pick<RoutingInputs, 'org_id' | 'findings'>): string | null {
  const named = findings.filter(({ kind }) => kind === 'org_id').map(({ value }) => value);
  if (org_id === null || named.includes(org_id.value)) return null;
  return named[0] ?? null;
}

/** What a ticket shows before its insert: whence the decision came and the team, and nothing of a company. */
export function reasonBeforeInsert({ segment_source, team }: RoutingOutcome): TeamReason {
  return `Auto-routed: Customer Segment=-, Shopplan=-, Source=${segment_source}. Target team=${team}.` as TeamReason;
}

const waiting = 'Nobody is available; it is assigned as soon as somebody is back.';

/** The reason as the ticket shows it (docs/routing.md#reasons). */
export function shownReason({ reason }: Pick<RoutingOutcome, 'reason'>, state: Assignment['state']): string {
  return state === 'nobody_available' ? `${reason} ${waiting}` : reason;
}

/** What a ticket's segment is derived from (docs/routing.md#segment-and-plan). Raw values from the record. */
interface SegmentFacts {
  segment: string | null;
  shopPlan: string | null;
  source: RoutingOutcome['segment_source'];
}

/**
 * Whose segment and plan count (docs/routing.md#segment-and-plan): for a ticket that is not linked to its org id's customer,
 * nor to another company's, those of the company that was looked up; else the linked customer's, even if blank; else the
 * ticket's own segment and no plan, so that such a ticket never reaches a Medium team.
 */
function segmentFacts(inputs: Pick<RoutingInputs, 'customer' | 'ticket_segment' | 'looked_up'>): SegmentFacts {
  const { customer, looked_up: company } = inputs;
  if (company) return { ...factsOf(company), source: company.source };
  if (customer) return { ...factsOf(customer), source: customer.source };
  const segment = filled(inputs.ticket_segment);
  return { segment, shopPlan: null, source: segment === null ? 'default' : 'ticket' };
}

function factsOf(record: { segment: string | null; shop_plan: string | null } | null) {
  return { segment: filled(record?.segment ?? null), shopPlan: filled(record?.shop_plan ?? null) };
}

/** Whether a segment is one of the given names, ignoring case, blanks, `-` and `_` (docs/routing.md#segment-and-plan). */
export function isSegment(segment: string | null, names: readonly string[]): boolean {
  return segment !== null && names.some((name) => plain(name) === plain(segment));
}

/** Whether a shop plan contains one of the words, ignoring case. */
function planContains(shopPlan: string | null, words: readonly string[]): boolean {
  const plan = shopPlan?.normalize('NFC').toLowerCase() ?? '';
  return words.some((word) => plan.includes(word.normalize('NFC').toLowerCase()));
}

function plain(segment: string): string {
  return segment
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '');
}

function filled(text: string | null): string | null {
  return text?.trim() || null;
}
