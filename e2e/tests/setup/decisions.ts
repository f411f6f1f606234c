import { sampleDecision } from '@deskside/extension/sample-decision';
import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision } from '@deskside/shared/routing';
import { demo } from '@deskside/simulators/seed/index';
import type { Gateway, PreparedAnswer } from './gateway.ts';

const { tickets } = demo;
const orgId = '200000376001' as OrgId;
const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString();
const hit = (rule: RoutingDecision['outcome']['rules'][number]['rule']) => [{ rule, hit: true }];

/** In Medium - Scale, with an agent. */
const routed = sampleDecision({ id: 'routed', decided_at: at(25) });
const fallback = sampleDecision({
  ...{ id: 'fallback', decided_at: at(90) },
  inputs: { customer: null, crm: { status: 'error', error: 'timeout', checked_at: null, stale: false } },
  outcome: {
    ...{ team: 'CS 60p', segment: 'SME', shopplan: 'SME', service_plan: null, segment_source: 'default' },
    ...{ status: 'API Error', error: 'CRM error: timeout', fallback: 'crm', rules: hit('sme') },
    reason: 'Auto-routed: Customer Segment=-, Shopplan=-, Source=default. Target team=CS 60p. CRM error: timeout.',
  },
});
const repaired = sampleDecision({
  ...{ id: 'repaired', number: 2, cause: 'repair', decided_at: at(25) },
  inputs: { agent_group: { name: 'CS 60p', set_by: 'deskside' } },
  outcome: { reason: `${routed.outcome.reason} Before: ${fallback.outcome.reason}` },
});

/** Somebody whom the CRM does not know wrote a shop's address: it decides the team, and nothing else. */
const claim = sampleDecision({
  ...{ id: 'claim', decided_at: at(25) },
  inputs: {
    org_id: {
      ...{ value: orgId, source: 'meta_json', field: 'custom_store_url' },
      trust: {
        level: 'claimed',
        evidence: [
          { code: 'sender_not_of_company', value: 'khach.vang.lai@hopthu.example' },
          { code: 'value_on_ticket', field: 'custom_store_url', value: orgId },
        ],
      },
    },
    customer: null,
    findings: [
      {
        ...{ kind: 'org_id', value: orgId, source: 'meta_json', field: 'custom_store_url' },
        ...{ quote: 'gomlangmo.example/collections/all', address: 'https://gomlangmo.example/meta.json' },
      },
    ],
    meta_failures: [{ address: 'https://192.168.1.1/meta.json', outcome: 'none', why: 'blocked' }],
  },
  outcome: {
    ...{ service_plan: null, segment_source: 'claim' },
    reason: 'Auto-routed: unconfirmed OrgID. Customer Segment=-, Shopplan=-, Source=claim. Target team=Medium - Scale.',
  },
  link: { customer: 'Gốm Sứ Làng Mơ - 200000376001', previous: null, done: false },
});

/** Everything that a sender can write, as somebody with bad intentions would. */
const markup = '<img src=x onerror="window.__hacked=1"><a href="javascript:window.__hacked=1">press</a>';
const hostile = sampleDecision({
  ...claim,
  id: 'hostile',
  inputs: {
    ...claim.inputs,
    findings: [
      {
        ...{ kind: 'platform_domain', value: 'javascript:window.__hacked=1//x.example', source: 'text' },
        ...{ field: markup, quote: markup, address: 'javascript:window.__hacked=1' },
      },
    ],
    meta_failures: [
      { address: `https://evil.example/${'a'.repeat(5_000)}`, outcome: 'failed', why: 'timeout' },
      { address: 'data:text/html,<script>window.__hacked=1</script>', outcome: 'none', why: 'blocked' },
    ],
  },
  outcome: { ...claim.outcome, reason: `Auto-routed: ${markup}` },
  link: { customer: markup, previous: null, done: false },
});

/** Decisions, newest first, by the ticket that they are about; the same tickets in every run. */
export const prepared = {
  none: { ticket: tickets.missingOrgId, decisions: [] },
  routed: { ticket: tickets.matched, decisions: [routed] },
  repaired: { ticket: tickets.planExpired, decisions: [repaired, fallback] },
  claim: { ticket: tickets.claimed, decisions: [claim] },
  hostile: { ticket: tickets.hostileText, decisions: [hostile] },
} satisfies Record<string, { ticket: string; decisions: RoutingDecision[] }>;

/** Answers the question for decisions in place of the proxy; gives the tickets that were asked for, as they are. */
export function answerDecisions(gateway: Gateway): string[] {
  const asked: string[] = [];
  gateway.answer = (path) => {
    const ticket = askedTicket(path);
    if (ticket === null) return null;
    asked.push(ticket);
    const found = Object.values(prepared).find((one) => one.ticket === ticket);
    const decisions = (found?.decisions ?? []).map((decision) => ({ ...decision, ticket }));
    const data = { ticket, decisions, names: {} };
    return { status: 200, body: { success: true, data, message: 'Routing decisions.' } };
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
