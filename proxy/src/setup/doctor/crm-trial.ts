import { crmAdapter } from '#crm/chosen-crm.ts';
import type { CrmTrial } from '#crm/crm-adapter.ts';
import type { Egress } from '#net/egress.ts';
import type { Clock } from '#runtime/clock.ts';

/** How a CRM is tried. `within`: the longest wait for one response, in milliseconds. */
export function crmOf({ egress, clock }: { egress: Egress; clock: Clock }, within: number): CrmTrial {
  const upstream = (origin: string) => egress.upstream(origin, { timeoutMs: within, maxBytes: crmAdapter.maxBytes });
  return { upstream, withinMs: within, clock };
}
