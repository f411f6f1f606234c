import type { LookupTrust } from '@deskside/shared/profile';
import type { Context } from '#context.ts';
import type { Lookup } from '#crm/lookup.ts';
import type { Ticket } from '#helpdesk/tickets.ts';
import type { Candidate } from '#intake/org-id.ts';
import { withDeadline } from '#runtime/concurrency.ts';
import type { Rejection } from '#store/rejections.ts';
import { isRejected } from '#trust/companies.ts';
import { type Judgement, judgeMatch } from '#trust/evidence.ts';
import type { TicketFacts } from '#trust/judge.ts';

/** An org id of the ticket with what the CRM has for it. */
export interface Found {
  candidate: Candidate;
  looked: Lookup;
}

/** One with a company; `trust` is null if it could not be judged in time. */
export interface Judged extends Found, Omit<Judgement, 'trust'> {
  trust: LookupTrust | null;
}

/** How long a judgement goes on that came too late for its own response: the next one has it. */
const judgeWithinMs = 20_000;

/**
 * Who vouches for which company, within `left` milliseconds. What is not judged in time stays unknown: the next answer has it.
 *
 * @param facts of the ticket, which have been asked for already
 */
export function judgeCompanies(
  ctx: Context,
  { ticket, facts, rejections }: { ticket: Ticket; facts: Promise<TicketFacts>; rejections: readonly Rejection[] },
  companies: Found[],
  left: () => number,
): Promise<Judged[]> {
  const signal = AbortSignal.timeout(judgeWithinMs);
  return Promise.all(
    companies.map(async (found) => {
      const match = async () => judgeMatch(ctx, { ...matchOf(ticket, found), facts: await facts }, signal);
      const judgement = await withDeadline(
        match().catch(() => 'failed' as const),
        left(),
      );
      if (judgement !== 'timeout' && judgement !== 'failed') return { ...found, ...judgement };
      const ids = { orgId: found.candidate.orgId, crmCompanyId: found.looked.companies[0]?.fields.bitrix_id ?? null };
      return { ...found, trust: null, hasOpenClaim: false, isRejected: isRejected(ids, rejections) };
    }),
  );
}

/** What is judged of a company on a ticket. */
export function matchOf(ticket: Ticket, { candidate, looked }: Found) {
  return { ticket, candidate, company: looked.companies[0] ?? null };
}
