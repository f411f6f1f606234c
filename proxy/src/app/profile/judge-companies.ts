import type { LookupTrust } from '@deskside/shared/profile';
import type { Lookup } from '#app/crm/lookup-company.ts';
import { withDeadline } from '#app/runtime/with-deadline.ts';
import type { JudgeMatch, Judgement } from '#app/trust/judge-match.ts';
import type { Candidate } from '#domain/customer/org-id-candidates.ts';
import type { Ticket } from '#ports/helpdesk/helpdesk.ts';

/** By what is known at once, or with everything read that takes. Neither throws for our own records. */
export type Judges = Record<'atOnce' | 'inTime', JudgeMatch>;

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
 * part moves the leader.
 */
export async function judgeCompanies(
  judge: Judges,
  companies: Found[],
  { ticket, left }: { ticket: Ticket; left: () => number },
): Promise<Judged[]> {
  const signal = AbortSignal.timeout(judgeWithinMs);
  const matchOf = ({ candidate, looked }: Found) => ({
    ...{ ticket, candidate },
    company: looked.companies[0] ?? null,
  });
  const [only, ...others] = companies;
  if (!only) return [];
  if (others.length === 0) return [{ ...only, ...(await judge.atOnce(matchOf(only), signal)) }];
  return Promise.all(
    companies.map(async (found) => {
      const judging = judge.inTime(matchOf(found), signal).catch(() => 'failed' as const);
      const judgement = await withDeadline(judging, left());
      if (judgement === 'timeout' || judgement === 'failed') {
        // What our own records say is known at once.
        const { isRejected } = await judge.atOnce(matchOf(found), signal);
        return { ...found, trust: null, isSettled: true, hasOpenClaim: false, isRejected };
      }
      return { ...found, ...judgement };
    }),
  );
}
