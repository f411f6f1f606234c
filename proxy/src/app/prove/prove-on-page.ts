import type { OperatorProof } from '@deskside/shared/operator/proof';
import type { OperatorContext } from '#app/context.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import { ProofBusy, prove } from './prove.ts';

/**
 * Web servers wait 75 s for an answer (docs/install.md#the-reverse-proxy), of which deleting the ticket may take 15 s. The sweep looks every
 * 30 s, so it is waited for here, too.
 */
const withinMs = 58_000;
const heardWithinMs = 45_000;

/**
 * A proof for who looks at the operator page: without an administrator's key, so the helpdesk keeps a copy of the ticket.
 * Whoever leaves ends it, and the ticket is deleted.
 */
export async function proveOnPage(
  ctx: Pick<OperatorContext, 'upkeep' | 'clock' | 'pause' | 'leases' | 'stopped' | 'withProofSite'>,
  _asked: object,
  signal: AbortSignal,
): Promise<OperatorProof> {
  const limit = AbortSignal.timeout(withinMs);
  const ends = AbortSignal.any([signal, ctx.stopped, limit]);
  try {
    const proof = await ctx.withProofSite((site) => prove(ctx, site, { orgId: null, heardWithinMs }, ends));
    const { ticket, met, hops, problems, isCopyKept } = proof;
    const whole = hops.map(({ hop, ms }) => ({ hop, ms: Math.max(0, Math.round(ms)) }));
    return { outcome: 'followed', ticket, met, hops: whole, problems, is_copy_kept: isCopyKept };
  } catch (error) {
    if (error instanceof ProofBusy) return { outcome: 'busy' };
    if (error instanceof HelpdeskError) return { outcome: 'failed', why: error.message };
    if (limit.aborted) return { outcome: 'failed', why: `It was not over after ${withinMs / 1_000} seconds.` };
    throw error;
  }
}
