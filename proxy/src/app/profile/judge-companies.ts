import type { LookupTrust } from '@deskside/shared/profile';
import type { Context } from '#app/context.ts';
import type { Lookup } from '#app/crm/lookup-company.ts';
import { withDeadline } from '#app/runtime/with-deadline.ts';
import { type Judgement, type JudgeNeeds, judgeMatch } from '#app/trust/judge-match.ts';
import { learnAtOnce, learnInTime } from '#app/trust/sender-facts.ts';
import type { Candidate } from '#domain/intake/org-id-candidates.ts';
import type { Ticket } from '#ports/helpdesk/helpdesk.ts';

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
 * Who vouches for which company. For one company the answer does not wait. Of several the judgement decides which one
 * is shown: it is waited for, `left` milliseconds at most, and what is not judged in time stays as it is, so that no later
 * part moves the leader. Throws if our own records fail.
 */
export async function judgeCompanies(
  ctx: JudgeNeeds & Pick<Context, 'background' | 'remembered'>,
  ticket: Ticket,
  companies: Found[],
  left: () => number,
): Promise<Judged[]> {
  const signal = AbortSignal.timeout(judgeWithinMs);
  const [only, ...others] = companies;
  if (!only) return [];
  if (others.length === 0)
    return [{ ...only, ...(await judgeMatch(ctx, matchOf(ticket, only), signal, learnAtOnce(ctx))) }];
  return Promise.all(
    companies.map(async (found) => {
      const match = matchOf(ticket, found);
      const judging = judgeMatch(ctx, match, signal, learnInTime(ctx)).catch(() => 'failed' as const);
      const judgement = await withDeadline(judging, left());
      if (judgement === 'timeout' || judgement === 'failed') {
        // What our own records say is known at once.
        const { isRejected } = await judgeMatch(ctx, match, signal, learnAtOnce(ctx));
        return { ...found, trust: null, isSettled: true, hasOpenClaim: false, isRejected };
      }
      return { ...found, ...judgement };
    }),
  );
}

/** What is judged of a company on a ticket. */
export function matchOf(ticket: Ticket, { candidate, looked }: Found) {
  return { ticket, candidate, company: looked.companies[0] ?? null };
}
