import { decideRouting } from '#routing/decide.ts';
import type { DecisionDraft } from '#store/decisions.ts';
import { draftOf } from '#store/testing/decision-draft.ts';
import { routingConfig } from './pipeline-rules.ts';

/** A decision as it may be in our records: what the rules make of the given inputs. */
export function decisionDraft(ticket: string, inputs: Partial<DecisionDraft['inputs']> = {}): DecisionDraft {
  const given = { ...draftOf(ticket).inputs, findings: [], ...inputs };
  return draftOf(ticket, {
    decided_at: '2026-05-08T00:00:00.000Z',
    state: 'applied',
    inputs: given,
    outcome: decideRouting(given, routingConfig),
    assignment: { state: 'none', candidates: [] },
  });
}
