import type { SignInProblem } from '@deskside/shared/operator/contract';
import type { CredentialPools } from '#app/access/credential-pools.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { hideServiceRefusal } from '#app/runtime/helpdesk-refusal.ts';
import { isOperator } from '#domain/operator/operator-roles.ts';
import { isOver } from '#domain/operator/session-life.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskSignIn, PendingSignIn, ReadRoles } from '#ports/helpdesk/helpdesk-sign-in.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { OperatorSession } from '#store/operator/sessions.ts';
import type { Store } from '#store/store.ts';

/** Lets operators in (docs/decisions.md 33). Tokens are what the browser holds; the store only has their digests. */
export interface OperatorGate {
  begin: HelpdeskSignIn['begin'];
  /**
   * The token of a new session, for somebody whom the helpdesk has sent back with this query, or why there is none. Until
   * it is known who they are, they wait among the unknown callers of their address (`client`).
   */
  finish(
    query: string,
    pending: PendingSignIn,
    signal: AbortSignal,
    client: string | undefined,
  ): Promise<{ token: string } | { problem: SignInProblem }>;
  /**
   * Whose session it is, with the roles that they had a minute ago at the earliest; those of the sign-in as long as the
   * helpdesk does not say. Using it keeps it alive. Throws `unauthenticated`, also for somebody who has lost the roles.
   */
  require(token: string | undefined): Promise<OperatorSession>;
  /** Likewise, with the roles of this moment. Throws `helpdesk_…` if they cannot be known. */
  requireNow(token: string | undefined): Promise<OperatorSession>;
  /** Ends the session, on every process at once. Repeatable. */
  end(token: string): Promise<void>;
}

/** Noting every use would be a write for every answer. */
const touchEveryMs = 60_000;

/** How long the helpdesk may take to say who somebody is, in milliseconds. */
const finishWithinMs = 10_000;
/** How long their roles are good for, and how long a question of the page waits for them. */
const rolesForMs = 60_000;
const rolesWithinMs = 3_000;

export function createOperatorGate({
  helpdesk,
  readRoles,
  sessions,
  pools,
  clock,
}: {
  helpdesk: HelpdeskSignIn;
  readRoles: ReadRoles;
  sessions: Store['operatorSessions'];
  pools: Pick<CredentialPools, 'ask' | 'markRefused'>;
  clock: Clock;
}): OperatorGate {
  const known = new Map<string, { roles: string[]; at: number }>();

  async function rolesNow(user: string): Promise<string[]> {
    const roles = await readRoles(user, AbortSignal.timeout(rolesWithinMs));
    const ours = roles.filter((role) => isOperator([role]));
    known.set(user, { roles: ours, at: clock() });
    return ours;
  }

  async function rolesLately({ user, roles }: OperatorSession): Promise<string[]> {
    const before = known.get(user);
    if (before !== undefined && clock() - before.at < rolesForMs) return before.roles;
    return rolesNow(user).catch(() => {
      // Not asked again for every question of the page.
      const last = before?.roles ?? roles;
      known.set(user, { roles: last, at: clock() });
      return last;
    });
  }

  async function requireWith(
    token: string | undefined,
    rolesOf: (session: OperatorSession) => Promise<string[]>,
  ): Promise<OperatorSession> {
    if (token === undefined) throw new AppError('unauthenticated');
    const digest = await digestOf(token);
    const session = await sessions.find(digest);
    const now = clock();
    if (session === null || isOver(session, now)) throw new AppError('unauthenticated');
    const roles = await rolesOf(session);
    if (!isOperator(roles)) {
      await sessions.end(digest);
      throw new AppError('unauthenticated');
    }
    if (now - session.usedAt >= touchEveryMs) await sessions.touch(digest, now);
    return { ...session, roles };
  }

  return {
    begin: () => helpdesk.begin(),

    async finish(query, pending, signal, client) {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(finishWithinMs)]);
      const stranger = { authorization: '', digest: await digestOf(pending.state), client };
      const found = await pools
        .ask(stranger, inTime, () => helpdesk.finish(query, pending, inTime))
        .catch((error: unknown) => problemOf(error));
      if ('problem' in found) {
        if (found.problem === 'refused') pools.markRefused(stranger);
        return found;
      }
      if (!isOperator(found.roles)) return { problem: 'not_allowed' };
      const token = newToken();
      const now = clock();
      // The rest of what somebody is at work is no business of the page's.
      const roles = found.roles.filter((role) => isOperator([role]));
      known.set(found.id, { roles, at: now });
      await sessions.begin(await digestOf(token), {
        user: found.id,
        fullName: found.fullName,
        language: found.language,
        signedInAt: now,
        usedAt: now,
        roles,
      });
      return { token };
    },

    require: (token) => requireWith(token, rolesLately),

    requireNow: (token) => requireWith(token, ({ user }) => hideServiceRefusal(inTime(rolesNow(user)))),

    async end(token) {
      await sessions.end(await digestOf(token));
    },
  };
}

/** A token that nobody can guess: 256 random bits, as text that a cookie can hold. */
function newToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}

/** What the store keeps of a token: it tells whether a token is the same, and is no token itself. */
async function digestOf(token: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(token))).toString('base64url');
}

/** A helpdesk that is too slow does not answer. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error;
    throw new HelpdeskError('timeout', 'The helpdesk did not say in time which roles somebody has.');
  });
}

function problemOf(error: unknown): { problem: SignInProblem } {
  const isLate = error instanceof DOMException && error.name === 'TimeoutError';
  if (isLate || (error instanceof AppError && error.code === 'rate_limited'))
    return { problem: 'helpdesk_unavailable' };
  if (!(error instanceof HelpdeskError)) throw error;
  if (error.kind === 'unauthenticated' || error.kind === 'forbidden') return { problem: 'refused' };
  if (error.kind === 'unavailable' || error.kind === 'timeout') return { problem: 'helpdesk_unavailable' };
  return { problem: 'helpdesk_bad_answer' };
}
