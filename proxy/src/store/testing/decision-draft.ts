import type { RoutingDecision } from '@deskside/shared/routing';
import type { DecisionDraft } from '#store/decisions.ts';
import * as decisions from '#store/decisions.ts';
import type { StateDb } from '#store/schema.ts';

/** A decision for a ticket without org id, with its assignment planned, apart from the given changes. */
export function draftOf(ticket: string, changes: Partial<DecisionDraft> = {}): DecisionDraft {
  return {
    ticket,
    cause: 'webhook',
    decided_at: '2026-11-20T12:00:00.000Z',
    state: 'planned',
    inputs: {
      org_id: null,
      customer: null,
      looked_up: null,
      claims: 'accept',
      ticket_segment: null,
      ticket_status: 'Open',
      ticket_creation: '2026-05-08 07:00:00.000000',
      agent_group: null,
      crm: null,
      findings: [
        { kind: 'org_id', value: '1', source: 'text', field: 'subject', quote: "Shop ' Cây Xanh 🌱 \\", address: null },
      ],
      meta_failures: [],
    },
    outcome: {
      team: 'CS 60p',
      segment: 'SME',
      shopplan: 'SME',
      service_plan: null,
      segment_source: 'default',
      status: 'Complete',
      error: '',
      reason: 'Auto-routed: Missing OrgID.',
      fallback: null,
      rules: [{ rule: 'missing_orgid', hit: true }],
    },
    assignment: { state: 'planned', candidates: [] },
    link: null,
    ...changes,
  };
}

/** Adds a decision that is kept for certain. */
export async function addTo(...args: Parameters<typeof decisions.add>): Promise<RoutingDecision> {
  const decision = await decisions.add(...args);
  if (decision === null) throw new Error('The decision was not kept');
  return decision;
}

/** What `latestOfAll` gives, as one list. */
export async function allDecisions(db: StateDb, afterId: string | null = null): Promise<RoutingDecision[]> {
  const all: RoutingDecision[] = [];
  for await (const decision of decisions.latestOfAll(db, afterId)) all.push(decision);
  return all;
}
