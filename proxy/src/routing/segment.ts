import type { RoutingInputs, RoutingOutcome } from '@deskside/shared/routing';

/** What a ticket's segment is derived from (docs/routing.md#segment-and-plan). Raw values from the record. */
export interface SegmentFacts {
  segment: string | null;
  shopPlan: string | null;
  source: RoutingOutcome['segment_source'];
}

/**
 * Whose segment and plan count (docs/routing.md#segment-and-plan): for a ticket that is not linked to its org id's customer,
 * nor to another company's, those of the company that was looked up; else the linked customer's, even if blank; else the
 * ticket's own segment and no plan, so that such a ticket never reaches a Medium team.
 */
export function segmentFacts(inputs: Pick<RoutingInputs, 'customer' | 'ticket_segment' | 'looked_up'>): SegmentFacts {
  const { customer, looked_up: company } = inputs;
  if (company) return { ...factsOf(company), source: company.source };
  if (customer) return { ...factsOf(customer), source: customer.source };
  const segment = filled(inputs.ticket_segment);
  return { segment, shopPlan: null, source: segment === null ? 'default' : 'ticket' };
}

function factsOf(record: { segment: string | null; shop_plan: string | null } | null) {
  return { segment: filled(record?.segment ?? null), shopPlan: filled(record?.shop_plan ?? null) };
}

/**
 * Whether a segment is one of the given names, ignoring case, blanks, `-` and `_` (docs/routing.md#segment-and-plan).
 */
export function isSegment(segment: string | null, names: readonly string[]): boolean {
  return segment !== null && names.some((name) => plain(name) === plain(segment));
}

/** Whether a shop plan contains one of the words, ignoring case. */
export function planContains(shopPlan: string | null, words: readonly string[]): boolean {
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
