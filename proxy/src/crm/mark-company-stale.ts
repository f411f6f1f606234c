import type { Context } from '#context.ts';
import { judgeClaimsAgain } from '#routing/judge-claims-again.ts';
import type { CompanyEvent } from './crm.ts';
import type { WithCrm } from './crm-layers.ts';

/**
 * Handles a change in the CRM (docs/crm.md#events). Cached entries of the company are marked as outdated. A company
 * that is new, or not cached, may be the one that an org id was missing, so every "no such company" is dropped. Makes
 * no requests, and is safe to repeat: events only shorten how long an answer counts.
 */
export async function markCompanyStale(ctx: WithCrm<Context>, { kind, companyId }: CompanyEvent): Promise<void> {
  const { cache, portal, forgetSegments } = ctx.crm;
  if (kind === 'fields_changed') forgetSegments();
  else if (kind === 'added') await cache.deleteNegative(portal);
  else if (companyId !== null) {
    const marked = await cache.markOutdated(portal, companyId, ctx.clock());
    if (marked.length === 0) await cache.deleteNegative(portal);
    else
      await judgeClaimsAgain(
        ctx,
        marked.map(({ orgId }) => orgId),
      );
  }
}
