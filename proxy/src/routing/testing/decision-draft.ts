import { decideRouting } from '#routing/decide.ts';
import type { DecisionDraft } from '#store/decisions.ts';
import { routingConfig } from './pipeline-rules.ts';

/** A decision as it may be in our records, apart from the given inputs. */
export function decisionDraft(ticket: string, inputs: Partial<DecisionDraft['inputs']> = {}): DecisionDraft {
  const given: DecisionDraft['inputs'] = {
    org_id: null,
    customer: null,
    looked_up: null,
    claims: 'accept',
    ticket_segment: null,
    ticket_status: 'Open',
    ticket_creation: '2026-05-08 07:00:00.000000',
    agent_group: null,
    crm: null,
    findings: [],
    meta_failures: [],
    ...inputs,
  };
  return {
    ticket,
    cause: 'webhook',
    decided_at: '2026-05-08T00:00:00.000Z',
    state: 'applied',
    inputs: given,
    outcome: decideRouting(given, routingConfig),
    assignment: { state: 'none', candidates: [] },
    link: null,
  };
}
