import type { OrgId } from '@deskside/shared/orgid';
import type { Assignment, RoutingDecision, RoutingInputs, RoutingOutcome } from '@deskside/shared/routing';

const orgId = '1000069001' as OrgId;

const sampleInputs: RoutingInputs = {
  org_id: {
    value: orgId,
    source: 'ticket',
    field: 'custom_orgid',
    trust: {
      level: 'confirmed',
      evidence: [{ code: 'signed_in_email_of_company', value: 'mau@tiemhoamau.example' }],
    },
  },
  customer: {
    name: 'Tiệm Hoa Mẫu - 1000069001',
    org_id: orgId,
    segment: 'Medium',
    shop_plan: 'OMNI SCALE 2025 (1 năm)',
    checked_at: '2026-11-20T07:57:00.000Z',
    source: 'hd_customer',
  },
  looked_up: null,
  claims: 'hold',
  ticket_segment: null,
  ticket_status: 'Open',
  ticket_creation: '2026-11-20 15:00:00.000000',
  agent_group: null,
  crm: { status: 'matched', error: null, checked_at: '2026-11-20T08:00:00.000Z', stale: false },
  findings: [],
  meta_failures: [],
};

const sampleOutcome: RoutingOutcome = {
  team: 'Medium - Scale',
  segment: 'Medium',
  shopplan: 'Medium Scale',
  service_plan: 'OMNI SCALE 2025 (1 năm)',
  segment_source: 'hd_customer',
  status: 'Complete',
  error: '',
  reason:
    'Auto-routed: Customer Segment=Medium, Shopplan=OMNI SCALE 2025 (1 năm), Source=hd_customer. Target team=Medium - Scale.',
  fallback: null,
  rules: [
    { rule: 'group_kept', hit: false },
    { rule: 'missing_orgid', hit: false },
    { rule: 'medium_scale', hit: true },
  ],
};

const sampleAssignment: Assignment = {
  state: 'assigned',
  agent: 'an@support.example',
  candidates: [
    { user: 'dung@support.example', reason: 'not_their_turn' },
    { user: 'an@support.example', reason: 'next_in_turn' },
    { user: 'binh@support.example', reason: 'away_while_others_are_active' },
  ],
};

/** For tests: a decision on a ticket of the sample company, with changes to its parts. */
export function sampleDecision(
  change: Partial<Omit<RoutingDecision, 'inputs' | 'outcome' | 'assignment'>> & {
    inputs?: Partial<RoutingInputs>;
    outcome?: Partial<RoutingOutcome>;
    assignment?: Partial<Assignment>;
  } = {},
): RoutingDecision {
  const { inputs, outcome, assignment, ...rest } = change;
  return {
    id: 'd1',
    ticket: '61307',
    number: 1,
    cause: 'webhook',
    decided_at: '2026-11-20T08:00:10.000Z',
    state: 'applied',
    link: null,
    ...rest,
    inputs: { ...sampleInputs, ...inputs },
    outcome: { ...sampleOutcome, ...outcome },
    assignment: { ...sampleAssignment, ...assignment },
  };
}
