import type { OrgId } from '@deskside/shared/orgid';
import type { LookupTrust } from '@deskside/shared/profile';
import { type Assignment, type RoutingDecision, type RoutingInputs, routingRules } from '@deskside/shared/routing';
import { demo } from '@deskside/simulators/seed/index';
import type { Gateway, PreparedAnswer } from './gateway.ts';

type Decision = Omit<RoutingDecision, 'ticket'>;

const { tickets } = demo;
const scalePlan = 'OMNI SCALE 2025 (1 năm)';
const gomSu = 'Gốm Sứ Làng Mơ - 200000376001';
const orgId = '200000376001' as OrgId;
const minute = 60_000;
const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * minute).toISOString();

const confirmed: LookupTrust = {
  level: 'confirmed',
  evidence: [
    { code: 'signed_in_email_of_company', value: 'owner@gomlangmo.example' },
    { code: 'value_on_ticket', field: 'custom_orgid', value: orgId },
  ],
};
const claimed: LookupTrust = {
  level: 'claimed',
  evidence: [
    { code: 'sender_not_of_company', value: 'khach.vang.lai@hopthu.example' },
    { code: 'value_on_ticket', field: 'custom_store_url', value: orgId },
  ],
};

const inputs: RoutingInputs = {
  org_id: { value: orgId, source: 'ticket', field: 'custom_orgid', trust: confirmed },
  customer: {
    name: gomSu,
    org_id: orgId,
    segment: 'Medium',
    shop_plan: scalePlan,
    checked_at: at(33),
    source: 'hd_customer',
  },
  looked_up: null,
  claims: 'hold',
  ticket_segment: null,
  ticket_status: 'Open',
  ticket_creation: '2026-11-20 15:00:00.000000',
  agent_group: null,
  crm: { status: 'matched', error: null, checked_at: at(25), stale: false },
  findings: [],
  meta_failures: [],
};
const candidates: Assignment['candidates'] = [
  { user: 'an@support.example', reason: 'next_in_turn' },
  { user: 'binh@support.example', reason: 'not_their_turn' },
  { user: 'chi@support.example', reason: 'away_while_others_are_active' },
  { user: 'dung@support.example', reason: 'user_disabled' },
];

/** As the proxy names them; one has left. */
const names = {
  'an@support.example': 'Nguyễn Hoài An',
  'binh@support.example': 'Trần Hải Bình',
  'chi@support.example': 'Lê Khánh Chi',
};

/** The rules up to the one that hits. */
function rulesTo(rule: (typeof routingRules)[number]) {
  return routingRules.slice(0, routingRules.indexOf(rule) + 1).map((one) => ({ rule: one, hit: one === rule }));
}

/** In Medium - Scale, with an agent. */
const routed: Decision = {
  id: 'routed',
  number: 1,
  cause: 'webhook',
  decided_at: at(25),
  state: 'applied',
  inputs,
  outcome: {
    team: 'Medium - Scale',
    segment: 'Medium',
    shopplan: 'Medium Scale',
    service_plan: scalePlan,
    segment_source: 'hd_customer',
    status: 'Complete',
    error: '',
    reason: `Auto-routed: Customer Segment=Medium, Shopplan=${scalePlan}, Source=hd_customer. Target team=Medium - Scale.`,
    fallback: null,
    rules: rulesTo('medium_scale'),
  },
  assignment: { state: 'assigned', agent: 'an@support.example', candidates },
  link: { customer: gomSu, previous: null, done: true },
};

const fallback: Decision = {
  ...routed,
  id: 'fallback',
  decided_at: at(90),
  inputs: {
    ...inputs,
    customer: null,
    crm: { status: 'error', error: 'timeout', checked_at: null, stale: false },
  },
  outcome: {
    ...routed.outcome,
    team: 'CS 60p',
    segment: 'SME',
    shopplan: 'SME',
    service_plan: null,
    segment_source: 'default',
    status: 'API Error',
    error: 'CRM error: timeout',
    reason: 'Auto-routed: Customer Segment=-, Shopplan=-, Source=default. Target team=CS 60p. CRM error: timeout.',
    fallback: 'crm',
    rules: rulesTo('sme'),
  },
  link: null,
};

const repaired: Decision = {
  ...routed,
  id: 'repaired',
  number: 2,
  cause: 'repair',
  inputs: { ...inputs, agent_group: { name: 'CS 60p', set_by: 'deskside' } },
  outcome: { ...routed.outcome, reason: `${routed.outcome.reason} Before: ${fallback.outcome.reason}` },
};

const kept: Decision = {
  ...routed,
  id: 'kept',
  inputs: { ...inputs, agent_group: { name: 'Medium - Scale', set_by: 'person' } },
  outcome: {
    ...routed.outcome,
    team: null,
    reason: 'Manual routing kept: Medium - Scale.',
    rules: rulesTo('group_kept'),
  },
  assignment: { state: 'none', agent: null, candidates: [] },
  link: null,
};

/** Somebody whom the CRM does not know wrote a shop's address: it decides the team, and nothing else. */
const claim: Decision = {
  ...routed,
  id: 'claim',
  inputs: {
    ...inputs,
    org_id: { value: orgId, source: 'meta_json', field: 'custom_store_url', trust: claimed },
    customer: null,
    looked_up: { segment: 'Medium', shop_plan: scalePlan, source: 'hd_customer', checked_at: at(33) },
    findings: [
      {
        kind: 'org_id',
        value: orgId,
        source: 'meta_json',
        field: 'custom_store_url',
        quote: 'gomlangmo.example/collections/all',
        address: 'https://gomlangmo.example/meta.json',
      },
      {
        kind: 'platform_domain',
        value: 'gom-su.myplatform.example',
        source: 'text',
        field: 'description',
        quote: '…cửa hàng gom-su.myplatform.example của tôi không nhận được đơn từ hôm qua…',
        address: null,
      },
    ],
    meta_failures: [
      { address: 'https://192.168.1.1/meta.json', outcome: 'none', why: 'blocked' },
      { address: 'https://facebook.com/gomsulangmo', outcome: 'none', why: 'guarded_domain' },
    ],
  },
  outcome: {
    ...routed.outcome,
    service_plan: null,
    segment_source: 'claim',
    reason: 'Auto-routed: unconfirmed OrgID. Customer Segment=-, Shopplan=-, Source=claim. Target team=Medium - Scale.',
  },
  link: { customer: gomSu, previous: null, done: false },
};

/** Everything that a sender can write, as somebody with bad intentions would. */
const markup = '<img src=x onerror="window.__hacked=1"><a href="javascript:window.__hacked=1">press</a>';
const hostile: Decision = {
  ...claim,
  id: 'hostile',
  inputs: {
    ...claim.inputs,
    findings: [
      {
        kind: 'platform_domain',
        value: 'javascript:window.__hacked=1//x.example',
        source: 'text',
        field: markup,
        quote: markup,
        address: 'javascript:window.__hacked=1',
      },
    ],
    meta_failures: [
      { address: `https://evil.example/${'a'.repeat(5_000)}`, outcome: 'failed', why: 'timeout' },
      { address: 'data:text/html,<script>window.__hacked=1</script>', outcome: 'none', why: 'blocked' },
    ],
  },
  outcome: { ...claim.outcome, reason: `Auto-routed: ${markup}` },
  link: { customer: markup, previous: null, done: false },
};

/** Decisions, newest first, by the ticket that they are about; the same tickets in every run. */
export const prepared = {
  none: { ticket: tickets.missingOrgId, decisions: [] },
  routed: { ticket: tickets.matched, decisions: [routed] },
  repaired: { ticket: tickets.planExpired, decisions: [repaired, fallback] },
  kept: { ticket: tickets.planExpiringSoon, decisions: [kept] },
  claim: { ticket: tickets.claimed, decisions: [claim] },
  hostile: { ticket: tickets.hostileText, decisions: [hostile] },
} satisfies Record<string, { ticket: string; decisions: Decision[] }>;

/** Answers the question for decisions in place of the proxy; gives the tickets that were asked for, as they are. */
export function answerDecisions(gateway: Gateway): string[] {
  const asked: string[] = [];
  gateway.answer = (path) => {
    const ticket = askedTicket(path);
    if (ticket === null) return null;
    asked.push(ticket);
    const found = Object.values(prepared).find((one) => one.ticket === ticket);
    const decisions = (found?.decisions ?? []).map((decision) => ({ ...decision, ticket }));
    return { status: 200, body: { success: true, data: { ticket, decisions, names }, message: 'Routing decisions.' } };
  };
  return asked;
}

/** Fails the question for decisions, as the proxy would. */
export function failDecisions(gateway: Gateway, status: number, code: string): void {
  const body = { success: false, data: { code, request_id: 'req-1' }, message: 'Failed.' };
  gateway.answer = (path): PreparedAnswer | null => (askedTicket(path) === null ? null : { status, body });
}

function askedTicket(path: string): string | null {
  const { pathname, searchParams } = new URL(path, 'http://proxy.invalid');
  return pathname === '/api/routing/decisions' ? searchParams.get('ticket') : null;
}
