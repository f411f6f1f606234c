import type { ProofHop, ProofProblem, ProofProblemCode } from '@deskside/shared/operator/proof';
import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#app/context.ts';
import type { ProofMet, ProofSite } from '#ports/operator/proof.ts';

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
const removeWithinMs = 15_000;
/** How long a proof may take at most, as far as another one is concerned. */
const overAfterMs = 120_000;
const leftoverMs = 60 * 60_000;

/**
 * Makes a ticket and follows it through webhook, inbox, CRM and decision to its profile, then deletes it. The pipeline knows
 * it by the name that this insert gave (`meetProof`), so whatever a sender writes is no proof; it takes no turn, assigns
 * nobody, and changes no customer. Nothing is left but the note and, unless an administrator's key is at hand, the copy that
 * the helpdesk keeps.
 *
 * @param given.orgId what the CRM is asked about; null: the org id of some customer
 * @param given.heardWithinMs how long the ticket may take to reach us
 * @throws ProofBusy; HelpdeskError, after having deleted the ticket where that is possible
 */
export async function prove(
  ctx: Pick<Context, 'upkeep' | 'clock' | 'pause'>,
  site: ProofSite,
  { orgId: given, heardWithinMs = usuallyHeardWithinMs }: { orgId: OrgId | null; heardWithinMs?: number },
  signal: AbortSignal,
): Promise<Proof> {
  const { upkeep, clock } = ctx;
  const before = await upkeep.proof();
  const age = before === null ? Number.POSITIVE_INFINITY : clock() - before.begunAt;
  if (age < overAfterMs) throw new ProofBusy('Another proof is under way; it takes two minutes at most.');
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
    if (met === null) note('not_heard', await withReason('The ticket did not reach Deskside.', ticket));
    else {
      // The webhook may be here before the insert has been answered.
      const from = Math.min(insertedAt, met.heardAt);
      const at = [from, met.heardAt, met.takenAt, met.crm.answeredAt, met.decidedAt];
      const names = ['heard', 'taken', 'crm', 'decided'] as const;
      for (const [index, hop] of names.entries()) hops.push({ hop, ms: (at[index + 1] ?? 0) - (at[index] ?? 0) });
      if (met.cause === 'sweep')
        note('by_sweep', await withReason('The webhook did not come; the sweep found the ticket.', ticket));
      if (met.crm.status === 'error') note('crm', `The CRM did not answer (${met.crm.error}).`);
      if (met.team === null) note('team', met.reason);
    }
    const askedAt = clock();
    const failed = await site.profile(ticket, signal);
    if (failed === null) hops.push({ hop: 'profile', ms: clock() - askedAt });
    else note('profile', failed);
    const isGone = await removed(ticket);
    if (isGone === null) note('not_deleted', `The ticket ${ticket} could not be deleted: delete it in the helpdesk.`);
    const { cause, team, reason, next, crm } = met ?? {};
    const said = cause && {
      cause,
      team: team ?? null,
      reason: reason ?? '',
      next: next ?? null,
      crm: crm?.status ?? null,
    };
    return { ticket, met: said ?? null, hops, problems, isCopyKept: isGone === false };
  }

  async function heard(until: number): Promise<ProofMet | null> {
    for (;;) {
      const note = await upkeep.proof();
      if (note?.met || clock() >= until) return note?.met ?? null;
      await ctx.pause(lookEveryMs, signal);
    }
  }

  async function withReason(what: string, ticket: string): Promise<string> {
    const why = await site.webhookError(ticket, signal);
    return why === null ? what : `${what} The helpdesk's last error: ${why}`;
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
