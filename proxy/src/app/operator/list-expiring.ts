import type { ExpiringCustomer, OperatorExpiring } from '@deskside/shared/operator/expiring';
import type { OrgId } from '@deskside/shared/orgid';
import type { CrmLayers } from '#app/crm/crm-layers.ts';
import { planStatus } from '#domain/crm/plan-status.ts';
import { lookupFields } from '#ports/crm/crm.ts';
import type { HelpdeskSearch, OpenTicket } from '#ports/helpdesk/helpdesk-search.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { CachedCompany } from '#store/cache/profile-cache.ts';

export interface ExpiringNeeds {
  search: Pick<HelpdeskSearch, 'openTickets'>;
  /** Null if no webhook is configured: nobody says when a plan ends. */
  crm: Pick<CrmLayers, 'cache' | 'portal'> | null;
  clock: Clock;
}

/** How many answers are read at once, and how many tickets of a customer are named. */
const portion = 100;
const maxNamed = 3;

/**
 * Customers with open tickets whose plan ends within 30 days, by what the CRM has last said: a ticket that came in had it
 * asked. The helpdesk is asked a few times, the CRM never. Throws HelpdeskError, or what the store throws.
 */
export async function listExpiring(ctx: ExpiringNeeds, signal: AbortSignal): Promise<OperatorExpiring> {
  const now = ctx.clock();
  const { tickets, isCut } = await ctx.search.openTickets(signal);
  const customers = Map.groupBy(tickets, ({ customer }) => customer);
  const known = await lastAnswers(ctx.crm, [...new Set(tickets.map(({ orgId }) => orgId))]);
  const answers = [...customers.values()].flatMap(([first]) => (first && known.get(first.orgId)) ?? []);
  const oldest = Math.min(...answers.map(({ checkedAt }) => checkedAt));
  return {
    as_of: iso(now),
    tickets: tickets.length,
    is_cut: isCut,
    unknown: customers.size - answers.length,
    oldest_check: answers.length === 0 ? null : iso(oldest),
    customers: [...customers.values()]
      .flatMap((open) => expiringOf(open, known, now))
      .toSorted((a, b) => a.ends_at.localeCompare(b.ends_at)),
  };
}

/** The same, with what it found a few minutes ago at most. */
export type ShowExpiring = () => Promise<OperatorExpiring>;

const keptMs = 5 * 60_000;
const withinMs = 15_000;

export function createShowExpiring(ctx: ExpiringNeeds): ShowExpiring {
  let last: { at: number; found: Promise<OperatorExpiring> } | null = null;
  return () => {
    const now = ctx.clock();
    if (last !== null && now - last.at < keptMs && now >= last.at) return last.found;
    const found = listExpiring(ctx, AbortSignal.timeout(withinMs));
    last = { at: now, found };
    found.catch(() => {
      last = null;
    });
    return found;
  };
}

/** What the CRM has last said of these org ids. */
async function lastAnswers(crm: ExpiringNeeds['crm'], orgIds: readonly OrgId[]): Promise<Map<OrgId, CachedCompany>> {
  const known = new Map<OrgId, CachedCompany>();
  if (crm === null) return known;
  for (let at = 0; at < orgIds.length; at += portion)
    for (const by of lookupFields)
      for (const [orgId, answer] of await crm.cache.getCompanies(crm.portal, by, orgIds.slice(at, at + portion)))
        if (answer.checkedAt > (known.get(orgId)?.checkedAt ?? 0)) known.set(orgId, answer);
  return known;
}

/** Of one customer, whose tickets these are. */
function expiringOf(
  open: readonly OpenTicket[],
  known: ReadonlyMap<OrgId, CachedCompany>,
  now: number,
): ExpiringCustomer[] {
  const [first] = open;
  const answer = first && known.get(first.orgId);
  const company = answer?.companies[0];
  if (first === undefined || answer === undefined || company === undefined) return [];
  const { shopplan_status: status, shopplan_days_left: left } = planStatus(company.planExpiresAt, now);
  if (status !== 'expiring_soon' || left === undefined || company.planExpiresAt === null) return [];
  return [
    {
      customer: first.customer,
      org_id: first.orgId,
      company: company.fields.company_name,
      plan: company.fields.current_shopplan,
      ends_at: iso(company.planExpiresAt),
      days_left: left,
      checked_at: iso(answer.checkedAt),
      tickets: open.length,
      newest: open.slice(0, maxNamed).map(({ name }) => name),
    },
  ];
}

const iso = (at: number) => new Date(at).toISOString();
