import type { CrmContact, Responsible } from '@deskside/shared/profile';
import { withDeadline } from '#runtime/concurrency.ts';
import type { CrmPerson, CrmUser } from '#store/profile-cache.ts';
import { isFresh, patienceMs, servableForMs } from './cache.ts';
import type { Crm } from './crm.ts';

/**
 * Picks the company contact who is the ticket's contact, by e-mail, else the first one, marked as such
 * (docs/decisions.md 6). Null if the company has no contacts. Earlier addresses take precedence over later ones.
 */
export function chooseContact(contacts: readonly CrmPerson[], emails: readonly string[]): CrmContact | null {
  for (const wanted of emails.map((email) => email.trim().toLowerCase())) {
    for (const person of contacts) {
      const email = person.emails.find((e) => e.toLowerCase() === wanted);
      if (email) return chosen(person, 'email', email);
    }
  }
  const [first] = contacts;
  return first ? chosen(first, 'first', first.emails[0] ?? null) : null;
}

function chosen(
  { id, name, post, phones, url }: CrmPerson,
  chosen_by: CrmContact['chosen_by'],
  email: string | null,
): CrmContact {
  return { id, name, post, email, phone: phones[0] ?? null, url, chosen_by };
}

/**
 * Finds a company's account owner: from the cache while fresh, else by a request. `status` reports how that went
 * (docs/data.md#the-account-owner). A failed lookup returns the last good owner if there is one; so does a slow one,
 * unless that owner is old. `startedAt` (epoch milliseconds) is when the request began: an owner checked since then
 * came with the company and is not asked for again.
 */
export async function findOwner(
  crm: Crm,
  input: { id: string | null; refresh: boolean; startedAt: number; deadlineMs: number },
): Promise<Responsible | null> {
  const { id } = input;
  if (!id || id === '0') return null;
  if (!crm.knowsUsers) return unknownOwner(id, 'missing_config');
  const cached = await crm.cache.user(id);
  const now = crm.clock();
  const usable =
    cached !== null &&
    (cached.checkedAt >= input.startedAt || (!input.refresh && isFresh(cached.checkedAt, crm.lifetimes.owner, now)));
  if (usable) return ownerOf(id, cached.user);

  const servable = !input.refresh && cached?.user && isFresh(cached.checkedAt, servableForMs, now);
  const answer = await withDeadline(
    crm.findUser(id, { lane: 'click', deadline: now + input.deadlineMs }),
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
