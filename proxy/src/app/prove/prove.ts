import type { ProofHop, ProofProblem, ProofProblemCode } from '@deskside/shared/operator/proof';
import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#app/context.ts';
import type { ProofSite } from '#ports/operator/proof.ts';
import type { ProofMet } from '#store/upkeep/run-notes.ts';

/** What came of a proof. Durations in milliseconds, each from the end of the one before. */
export interface Proof {
  ticket: string;
  /** By what we heard of the ticket, and how long each hop took; null if we never did. */
  met: (Pick<ProofMet, 'cause' | 'team' | 'reason' | 'next'> & { crm: ProofMet['crm']['status'] }) | null;
  hops: { hop: ProofHop; ms: number }[];
  /** What kept it from being whole; empty if all is well. */
  problems: ProofProblem[];
  /** Whether the helpdesk keeps a copy of the deleted ticket (docs/helpdesk.md#deleting). */
  isCopyKept: boolean;
}

/** Another proof is under way. */
export class ProofBusy extends Error {
  override readonly name = 'ProofBusy';
}

/** The sweep looks every 30 s: a ticket that has not come by then does not come. */
const usuallyHeardWithinMs = 75_000;
const lookEveryMs = 100;
/** The helpdesk writes its log once it has given up: after three tries of 5 s, and pauses of 1, 4 and 7 s. */
const loggedWithinMs = 30_000;
const lookIntoLogEveryMs = 1_000;
const removeWithinMs = 15_000;
/** How long a proof may take at most, as far as another one is concerned. */
const leaseMs = 120_000;
const leftoverMs = 60 * 60_000;

type ProveNeeds = Pick<Context, 'upkeep' | 'clock' | 'pause' | 'leases'>;

interface ProveAsked {
  orgId: OrgId | null;
  heardWithinMs?: number;
}

/**
 * Makes a ticket and follows it through webhook, inbox, CRM and decision to its profile, then deletes it: one at a time on all
 * processes. The pipeline knows it by the name that this insert gave (`meetProof`), so whatever a sender writes is no proof;
 * it takes no turn, assigns nobody, and changes no customer. Nothing is left but the note and, unless an administrator's key
 * is at hand, the copy that the helpdesk keeps.
 *
 * @param given.orgId what the CRM is asked about; null: the org id of some customer
 * @param given.heardWithinMs how long the ticket may take to reach us
 * @throws ProofBusy; HelpdeskError, after having deleted the ticket where that is possible
 */
export async function prove(ctx: ProveNeeds, site: ProofSite, asked: ProveAsked, signal: AbortSignal): Promise<Proof> {
  const owner = crypto.randomUUID();
  const taken = await ctx.leases.take(['proof'], owner, leaseMs);
  if (!taken.has('proof')) throw new ProofBusy('Another proof is under way; it takes two minutes at most.');
  try {
    return await proveAlone(ctx, site, asked, signal);
  } finally {
    // A lease that cannot be released expires.
    await ctx.leases.release(['proof'], owner).catch(() => {});
  }
}

async function proveAlone(
  ctx: ProveNeeds,
  site: ProofSite,
  { orgId: given, heardWithinMs = usuallyHeardWithinMs }: ProveAsked,
  signal: AbortSignal,
): Promise<Proof> {
  const { upkeep, clock } = ctx;
  const before = await upkeep.proof();
  const age = before === null ? Number.POSITIVE_INFINITY : clock() - before.begunAt;
  // What an interrupted one has left. Much later the name may be another ticket's.
  if (before?.ticket && age < leftoverMs) await site.remove(before.ticket, signal);
  const orgId = given ?? (await site.someOrgId(signal));
  const begunAt = clock();
  await upkeep.noteProof({ begunAt, ticket: null, orgId, met: null });
  const subject = `Deskside: proof ${new Date(begunAt).toISOString()}`;
  const ticket = await site.insert(subject, signal).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  try {
    await upkeep.noteProof({ begunAt, ticket, orgId, met: null });
    return await followed(ticket, { begunAt, insertedAt: clock() });
  } catch (error) {
    await removed(ticket);
    throw error;
  }

  async function followed(ticket: string, { begunAt, insertedAt }: { begunAt: number; insertedAt: number }) {
    const met = await heard(insertedAt + heardWithinMs);
    const problems: ProofProblem[] = [];
    const note = (code: ProofProblemCode, problem: string) => problems.push({ code, problem });
    const hops: Proof['hops'] = [{ hop: 'inserted', ms: insertedAt - begunAt }];
    if (met === null) note('not_heard', await withReason('The ticket did not reach Deskside.'));
    else {
      // The webhook may be here before the insert has been answered.
      const from = Math.min(insertedAt, met.heardAt);
      const at = [from, met.heardAt, met.takenAt, met.crm.answeredAt, met.decidedAt];
      const names = ['heard', 'taken', 'crm', 'decided'] as const;
      for (const [index, hop] of names.entries()) hops.push({ hop, ms: (at[index + 1] ?? 0) - (at[index] ?? 0) });
      if (met.cause === 'sweep')
        note('by_sweep', await withReason('The webhook did not come; the sweep found the ticket.'));
      if (met.crm.status === 'error') note('crm', `The CRM did not answer (${met.crm.error}).`);
      if (met.team === null) note('team', met.reason);
    }
    const askedAt = clock();
    const failed = await site.profile(ticket, signal);
    if (failed === null) hops.push({ hop: 'profile', ms: clock() - askedAt });
    else note('profile', failed);
    const isGone = await removed(ticket);
    if (isGone === null) note('not_deleted', `The ticket ${ticket} could not be deleted: delete it in the helpdesk.`);
    const said = met && {
      cause: met.cause,
      team: met.team,
      reason: met.reason,
      next: met.next,
      crm: met.crm.status,
    };
    return { ticket, met: said, hops, problems, isCopyKept: isGone === false };

    async function withReason(what: string): Promise<string> {
      for (;;) {
        const why = await site.webhookError?.(ticket, signal);
        if (why) return `${what} The helpdesk's last error: ${why}`;
        if (site.webhookError === null || clock() >= insertedAt + loggedWithinMs) return what;
        await ctx.pause(lookIntoLogEveryMs, signal);
      }
    }
  }

  async function heard(until: number): Promise<ProofMet | null> {
    for (;;) {
      const note = await upkeep.proof();
      if (note?.met || clock() >= until) return note?.met ?? null;
      await ctx.pause(lookEveryMs, signal);
    }
  }

  /** Whether the helpdesk's copy is gone too; null if the ticket is still there. Not stopped by what stopped the proof. */
  async function removed(ticket: string): Promise<boolean | null> {
    const isGone = await site.remove(ticket, AbortSignal.timeout(removeWithinMs)).catch(() => null);
    if (isGone !== null) await end();
    return isGone;
  }

  /** From here on no ticket is a proof. */
  async function end(): Promise<void> {
    await upkeep.noteProof({ begunAt: 0, ticket: null, orgId, met: null });
  }
}
