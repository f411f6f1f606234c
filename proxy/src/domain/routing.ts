import type { RoutingInputs, RoutingOutcome, RoutingRule } from '@deskside/shared/routing';
import { isSegment, planContains, type SegmentFacts, segmentFacts } from './segment.ts';

/** The part of the configuration that routing goes by. */
export interface RoutingConfig {
  claims: 'accept' | 'propose';
  teams: { medium_scale: string; medium_grow: string; sme: string };
  plan_words: { scale: readonly string[]; grow: readonly string[] };
  medium_segments: readonly string[];
}

type Target = Pick<RoutingOutcome, 'segment' | 'shopplan'> & { team: string; note?: string };

/** A rule: whether it hits, and where the ticket goes then. */
interface Rule {
  rule: RoutingRule;
  hits: boolean;
  target: Target | null;
}

const nothing: SegmentFacts = { segment: null, shopPlan: null, source: 'default' };

/**
 * Decides the team of a ticket from what is known of it (spec.md, "Ticket routing rules"; design.md, decisions 10, 20 to
 * 23). The same inputs give the same outcome, before the insert, after it, and in a replay. Whether the team exists is
 * the caller's to check.
 */
export function decideRouting(inputs: RoutingInputs, config: RoutingConfig): RoutingOutcome {
  const { teams, plan_words: words } = config;
  const known = segmentFacts(inputs);
  const isMedium = isSegment(known.segment, config.medium_segments);
  const sme: Target = { team: teams.sme, segment: 'SME', shopplan: 'SME' };
  const rules: Rule[] = [
    { rule: 'group_kept', hits: isKept(inputs, config), target: null },
    { rule: 'missing_orgid', hits: inputs.org_id === null, target: { ...sme, note: 'Missing OrgID' } },
    {
      rule: 'claim_not_trusted',
      hits: config.claims === 'propose' && (inputs.org_id?.trust?.level ?? 'claimed') === 'claimed',
      target: { ...sme, note: 'Unconfirmed OrgID' },
    },
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
    { rule: 'medium_other', hits: isMedium, target: { ...sme, segment: 'Medium' } },
    { rule: 'sme', hits: true, target: sme },
  ];
  const at = rules.findIndex(({ hits }) => hits);
  const trace = rules.slice(0, at + 1).map(({ rule, hits }) => ({ rule, hit: hits }));
  const target = rules[at]?.target ?? null;
  const facts = target?.note === undefined ? known : nothing;
  return {
    team: target?.team ?? null,
    segment: target?.segment ?? (isMedium ? 'Medium' : 'SME'),
    shopplan: target?.shopplan ?? 'SME',
    service_plan: facts.shopPlan,
    segment_source: facts.source,
    ...healthOf(inputs),
    reason: target === null ? `Manual routing kept: ${inputs.agent_group?.name}.` : reasonOf(inputs, target, facts),
    rules: trace,
  };
}

/**
 * The outcome where the target team cannot be used: no group is set, and the reason does not begin with `Auto-routed:`
 * (facts/domain.md 4.2). It is decided again, since an operator is told.
 */
export function withoutTeam(outcome: RoutingOutcome, why: 'does not exist' | 'is disabled'): RoutingOutcome {
  const reason = `Routing skipped: target team ${outcome.team} ${why}. ${outcome.reason}`;
  return { ...outcome, team: null, reason, fallback: 'team_missing' };
}

/** A group that a person or another program has set stays; one that only the sender set counts as his claim. */
function isKept({ agent_group: group }: RoutingInputs, { claims }: RoutingConfig): boolean {
  if (group === null || group.set_by === 'deskside') return false;
  return group.set_by === 'person' || claims === 'accept';
}

/** What went wrong on the way, and whether it may go right later (design.md, decisions 23 and 26). */
function healthOf(inputs: RoutingInputs): Pick<RoutingOutcome, 'status' | 'error' | 'fallback'> {
  if (inputs.org_id === null) {
    const failed = inputs.meta_failures.some(({ outcome }) => outcome === 'failed');
    if (!failed) return { status: 'Missing OrgID', error: '', fallback: null };
    return { status: 'Missing OrgID', error: 'meta.json could not be read; it is tried again.', fallback: 'meta_json' };
  }
  switch (inputs.crm?.status) {
    case 'error':
      return { status: 'API Error', error: `CRM error: ${inputs.crm.error ?? 'bad_answer'}`, fallback: 'crm' };
    case 'disabled':
      return { status: 'Skipped', error: 'The CRM integration is switched off.', fallback: null };
    case 'missing_config':
      return { status: 'Skipped', error: 'No CRM webhook is configured.', fallback: null };
    default:
      return { status: 'Complete', error: '', fallback: null };
  }
}

/** The sentence on the ticket; its first part follows the pattern of facts/domain.md 4.2 to the letter. */
function reasonOf(inputs: RoutingInputs, { team, note }: Target, { segment, shopPlan, source }: SegmentFacts): string {
  const head = note === undefined ? 'Auto-routed:' : `Auto-routed: ${note}.`;
  const facts = `Customer Segment=${segment ?? '-'}, Shopplan=${shopPlan ?? '-'}, Source=${source}.`;
  return [`${head} ${facts} Target team=${team}.`, ...crmNote(inputs)].join(' ');
}

function crmNote({ crm }: RoutingInputs): string[] {
  if (crm?.status === 'error') return [`CRM error: ${crm.error ?? 'bad_answer'}.`];
  if (crm?.status === 'disabled') return ['CRM is switched off.'];
  if (crm?.status === 'missing_config') return ['CRM is not configured.'];
  if (crm?.status === 'not_found') return ['CRM has no company for this OrgID.'];
  return [];
}
