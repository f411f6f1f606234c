import type { SignInProblem } from '@deskside/shared/operator/contract';
import { AppError } from '#app/runtime/app-error.ts';
import { isOperator } from '#domain/operator/operator-roles.ts';
import { isOver, sessionLife } from '#domain/operator/session-life.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskSignIn, PendingSignIn } from '#ports/helpdesk/helpdesk-sign-in.ts';
import type { OperatorSession, OperatorSessions } from '#ports/operator/operator-sessions.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import { digestOf, newToken } from './session-token.ts';

/** Lets operators in (docs/decisions.md 33). Tokens are what the browser holds; the store only has their digests. */
export interface OperatorGate {
  begin: HelpdeskSignIn['begin'];
  /** The token of a new session, for somebody whom the helpdesk has sent back with this query, or why there is none. */
  finish(
    query: string,
    pending: PendingSignIn,
    signal: AbortSignal,
  ): Promise<{ token: string } | { problem: SignInProblem }>;
  /** Whose session it is; using it keeps it alive. Throws `unauthenticated`. */
  require(token: string | undefined): Promise<OperatorSession>;
  /** Ends the session, on every process at once. Repeatable. */
  end(token: string): Promise<void>;
}

/** Noting every use would be a write for every answer. */
const touchEveryMs = 60_000;

/** How long the helpdesk may take to say who somebody is, in milliseconds. */
const finishWithinMs = 10_000;

export function createOperatorGate({
  helpdesk,
  sessions,
  clock,
}: {
  helpdesk: HelpdeskSignIn;
  sessions: OperatorSessions;
  clock: Clock;
}): OperatorGate {
  return {
    begin: () => helpdesk.begin(),

    async finish(query, pending, signal) {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(finishWithinMs)]);
      const found = await helpdesk.finish(query, pending, inTime).catch(problemOf);
      if ('problem' in found) return found;
      if (!isOperator(found.roles)) return { problem: 'not_allowed' };
      const token = newToken();
      const now = clock();
      await sessions.begin(await digestOf(token), {
        ...{ user: found.id, fullName: found.fullName, language: found.language, signedInAt: now, usedAt: now },
        // The rest of what somebody is at work is no business of the page's.
        roles: found.roles.filter((role) => isOperator([role])),
      });
      return { token };
    },

    async require(token) {
      if (token === undefined) throw new AppError('unauthenticated');
      const digest = await digestOf(token);
      const session = await sessions.find(digest);
      const now = clock();
      if (session === null || isOver(session, now)) throw new AppError('unauthenticated');
      if (now - session.usedAt >= touchEveryMs) await sessions.touch(digest, now);
      return session;
    },

    async end(token) {
      await sessions.end(await digestOf(token));
    },
  };
}

/** Sessions that began, or were last used, before these times are over. Epoch milliseconds. */
export function overBefore(now: number): { signedIn: number; used: number } {
  return { signedIn: now - sessionLife.longestMs, used: now - sessionLife.idleMs };
}

function problemOf(error: unknown): { problem: SignInProblem } {
  if (error instanceof DOMException && error.name === 'TimeoutError') return { problem: 'helpdesk_unavailable' };
  if (!(error instanceof HelpdeskError)) throw error;
  if (error.kind === 'unauthenticated' || error.kind === 'forbidden') return { problem: 'refused' };
  if (error.kind === 'unavailable' || error.kind === 'timeout') return { problem: 'helpdesk_unavailable' };
  return { problem: 'helpdesk_bad_answer' };
}
