import type { Responsible } from '@deskside/shared/profile';
import type { Clock } from '#runtime/clock.ts';
import { withDeadline } from '#runtime/with-deadline.ts';
import type { Store } from '#store/store.ts';
import type { AskCrm } from './ask-crm.ts';
import type { Crm, CrmUser } from './crm.ts';
import { isFresh, type Lifetimes, patienceMs, servableForMs } from './freshness.ts';

export interface FindOwnerDeps {
  askCrm: AskCrm;
  cache: Store['profileCache'];
  clock: Clock;
  crm: Pick<Crm, 'portal' | 'knowsUsers'>;
  lifetimes: Lifetimes;
}

/**
 * Finds a company's account owner: from the cache while fresh, else by a request. `status` reports how that went
 * (docs/data.md#the-account-owner). A failed lookup returns the last good owner if there is one; so does a slow one,
 * unless that owner is old. `startedAt` (epoch milliseconds) is when the request began: an owner checked since then
 * came with the company and is not asked for again.
 */
export async function findOwner(
  deps: FindOwnerDeps,
  input: { id: string | null; refresh: boolean; startedAt: number; deadlineMs: number },
): Promise<Responsible | null> {
  const { id } = input;
  if (!id || id === '0') return null;
  if (!deps.crm.knowsUsers) return unknownOwner(id, 'missing_config');
  const cached = await deps.cache.getUser(deps.crm.portal, id);
  const now = deps.clock();
  const usable =
    cached !== null &&
    (cached.checkedAt >= input.startedAt || (!input.refresh && isFresh(cached.checkedAt, deps.lifetimes.owner, now)));
  if (usable) return ownerOf(id, cached.user);

  const servable = !input.refresh && cached?.user && isFresh(cached.checkedAt, servableForMs, now);
  const answer = await withDeadline(
    deps.askCrm.user(id, { lane: 'click', deadline: now + input.deadlineMs }),
    servable ? Math.min(patienceMs, input.deadlineMs) : input.deadlineMs,
  );
  if (answer !== 'timeout' && answer.kind !== 'failed')
    return ownerOf(id, answer.kind === 'found' ? answer.user : null);
  return cached?.user ? ownerOf(id, cached.user) : unknownOwner(id, 'error');
}

function ownerOf(id: string, user: CrmUser | null): Responsible {
  if (!user) return unknownOwner(id, 'not_found');
  return {
    id: user.id,
    active: user.active,
    email: user.email,
    name: user.name ?? user.email,
    user_type: user.userType,
    status: user.active ? 'active' : 'inactive',
  };
}

function unknownOwner(id: string, status: 'missing_config' | 'error' | 'not_found'): Responsible {
  return { id, active: false, email: null, name: null, user_type: null, status };
}
