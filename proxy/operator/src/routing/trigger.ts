import type { RoutingDecision } from '@deskside/shared/routing';
import type { Texts } from '#i18n/texts.ts';

/** What brought a decision about, and what more its agent took. */
export function triggerOf(
  { cause, repairs, found_by, assignment }: Pick<RoutingDecision, 'cause' | 'repairs' | 'found_by' | 'assignment'>,
  routing: Texts['routing'],
): string {
  const parts = [
    repairs ? routing.repaired[repairs] : routing.trigger[cause],
    ...(cause === 'before_insert' && found_by ? [routing.foundBy[found_by]] : []),
    ...(assignment.waited ? [routing.waited] : []),
  ];
  return `${parts.join('; ')}.`;
}
