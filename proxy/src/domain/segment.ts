import type { RoutingInputs, RoutingOutcome } from '@deskside/shared/routing';

/** What the segment of a ticket is read from (spec.md, "Segment source"). Raw: as it stands in the record. */
export interface SegmentFacts {
  segment: string | null;
  shopPlan: string | null;
  source: RoutingOutcome['segment_source'];
}

/**
 * The customer's segment and plan, also where they are blank; without a customer the ticket's own segment, and no plan, so
 * that such a ticket never reaches a Medium team (facts/domain.md 4.2).
 */
export function segmentFacts(inputs: Pick<RoutingInputs, 'customer' | 'ticket_segment'>): SegmentFacts {
  const { customer } = inputs;
  if (customer) {
    return { segment: filled(customer.segment), shopPlan: filled(customer.shop_plan), source: 'hd_customer' };
  }
  const segment = filled(inputs.ticket_segment);
  return { segment, shopPlan: null, source: segment === null ? 'default' : 'ticket' };
}

/** Whether a segment is one of the given ones; case, blanks, `-` and `_` make no difference (facts/domain.md 4.1). */
export function isSegment(segment: string | null, names: readonly string[]): boolean {
  return segment !== null && names.some((name) => plain(name) === plain(segment));
}

/** Whether a shop plan contains one of the words, in whatever case. */
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
