import type { OrgId } from '@deskside/shared/orgid';
import { AlternativeCompany, type CrmContact, type Responsible } from '@deskside/shared/profile';
import type { CrmErrorCode, LookupOutcome } from '@deskside/shared/status';
import { withDeadline } from '#runtime/concurrency.ts';
import type { CachedCompany, CrmCompany, CrmPerson, CrmUser } from '#store/profile-cache.ts';
import type { LookupFields } from '#store/schema.ts';
import { isFresh, patienceMs, servableForMs } from './cache.ts';
import type { Crm } from './crm.ts';
import type { Lane } from './limits.ts';

export interface LookupInput {
  orgId: OrgId;
  /** Ask the CRM even if there is a fresh answer. */
  refresh: boolean;
  /** How long the caller waits, in milliseconds. */
  deadlineMs: number;
  /** Which CRM fields must hold the org id; by default as a profile asks. */
  by?: LookupFields;
  /** By default `click`. */
  lane?: Lane;
  /**
   * Whether an answer slightly past its lifetime is returned if the newer one takes more than a moment. Only for people
   * who wait at a panel: whoever writes or decides by the answer waits for it.
   */
  acceptsStale?: boolean;
  /** Addresses of the ticket's people: who of the company's contacts has one is among them, however many there are. */
  senders?: readonly string[];
}

export interface Lookup {
  status: 'matched' | 'not_found' | 'cached' | 'error';
  /** What the CRM last said, even if it could not be asked now; null if it has never been asked. */
  outcome: LookupOutcome | null;
  /** The org id that was looked up. */
  value: OrgId;
  /** Newest first; empty unless the outcome is `matched`. */
  companies: CrmCompany[];
  /** Epoch milliseconds of the check behind the outcome. */
  checkedAt: number | null;
  /** Older than its lifetime, but shown because the CRM did not answer (yet). */
  stale: boolean;
  error: CrmErrorCode | null;
}

const cached = { status: 'cached', stale: false, error: null } as const;

/** How long a newer answer is still worth waiting for in the background. */
const revalidateWithinMs = 30_000;

/**
 * Finds an org id's company: a fresh answer comes from the cache, otherwise the CRM is asked. If it does not answer within
 * a moment, callers who accept that get a company slightly older than its lifetime, marked stale; the CRM's answer is
 * stored when it comes. If the CRM fails or `deadlineMs` passes, the last good answer is returned with status `error`
 * (docs/decisions.md 3). Never throws for anything the CRM does.
 */
export async function lookupCompany(crm: Crm, input: LookupInput): Promise<Lookup> {
  const { orgId, refresh, by = 'company_id_then_platform_orgid', lane = 'click', acceptsStale = false } = input;
  const now = crm.clock();
  const known = await crm.cache.company(by, orgId);
  const isKnownWithin = (ms: number) => known !== undefined && !refresh && isFresh(known.checkedAt, ms, now);
  const lifetime = known && known.companies.length > 0 ? crm.lifetimes.company : crm.lifetimes.negative;
  const senders = (input.senders ?? []).map((sender) => sender.trim().toLowerCase());
  const isKnown = known !== undefined && !known.outdated && isKnownWithin(lifetime);
  if (isKnown && !crm.cache.mayLack(orgId, known, senders)) return answer(known, cached);

  const isServable = isKnownWithin(servableForMs) && known?.companies[0] !== undefined;
  const canServe = isKnown || (acceptsStale && isServable && crm.lifetimes.company > 0);
  const urgency = canServe
    ? { lane: lane === 'click' ? ('open' as const) : lane, deadline: now + revalidateWithinMs }
    : { lane, deadline: now + input.deadlineMs };
  const patience = canServe ? Math.min(patienceMs, input.deadlineMs) : input.deadlineMs;
  const reply = await withDeadline(crm.findCompany(orgId, by, urgency, senders), patience);
  // Only a contact was asked for.
  if (isKnown && (reply === 'timeout' || reply.kind === 'failed')) return answer(known, cached);
  if (reply === 'timeout' && canServe) return answer(known, { status: 'matched', stale: true, error: null });
  if (reply === 'timeout' || reply.kind === 'failed') {
    // It may have answered for the other order of the two fields, as routing asks.
    const last = known ?? (await crm.cache.companies([orgId])).get(orgId);
    const error = reply === 'timeout' ? reply : reply.code;
    return answer(last, { status: 'error', stale: last !== undefined, error });
  }
  const { checkedAt } = reply;
  if (reply.kind === 'empty')
    return answer({ companies: [], checkedAt }, { status: 'not_found', stale: false, error: null });
  return answer({ companies: reply.companies, checkedAt }, { status: 'matched', stale: false, error: null });

  function answer(
    entry: Omit<CachedCompany, 'outdated'> | undefined,
    how: { status: Lookup['status']; stale: boolean; error: CrmErrorCode | null },
  ): Lookup {
    crm.metrics.companyAnswered(how);
    const companies = crm.nameSegments(entry?.companies ?? []);
    const outcome = entry === undefined ? null : entry.companies.length > 0 ? 'matched' : 'not_found';
    return { ...how, outcome, value: orgId, companies, checkedAt: entry?.checkedAt ?? null };
  }
}

export interface SearchHow {
  /** Ask the CRM even if there is a fresh answer. */
  refresh: boolean;
  /** Whether an agent is waiting on screen (`click`), a workflow asks (`open`), or nobody waits (`bulk`). */
  lane: Lane;
  senders?: readonly string[];
}

/**
 * The companies of one org id for whoever writes or decides by them: by both fields of the CRM, and waiting as long as the
 * CRM may take. Never throws for anything the CRM does; the caller has seen that there is one.
 */
export function searchCompany(
  { crm, crmTimeoutMs }: { crm: Crm | null; crmTimeoutMs: number },
  orgId: OrgId,
  how: SearchHow,
): Promise<Lookup> {
  if (crm === null) throw new Error('There is no CRM to ask.');
  return lookupCompany(crm, { ...how, orgId, by: 'platform_orgid_then_company_id', deadlineMs: crmTimeoutMs });
}

/** The company of an org id as last reported by the CRM, if that is still fresh; null otherwise. Never asks the CRM. */
export async function findCachedCompany(
  crm: Crm,
  orgId: OrgId,
): Promise<{ company: CrmCompany; checkedAt: number } | null> {
  const entry = await crm.cache.company('platform_orgid_then_company_id', orgId);
  if (!entry || entry.outdated || !isFresh(entry.checkedAt, crm.lifetimes.company, crm.clock())) return null;
  const [company] = crm.nameSegments(entry.companies);
  return company ? { company, checkedAt: entry.checkedAt } : null;
}

/** The other companies that the CRM has for an org id: all but the first, which is the one in use. */
export function alternativesOf(companies: readonly CrmCompany[]): AlternativeCompany[] {
  return companies.slice(1).map(({ fields }) => AlternativeCompany.parse(fields));
}

/**
 * Refreshes that ask the CRM in spite of a fresh answer (docs/api.md#callers): more than a person presses; a script that
 * wants every answer anew gets a fraction of the CRM's pace.
 */
export const refreshesPerUser = { burst: 20, perSecond: 1 / 3 };

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
 * (docs/data.md#the-crm-company). A failed lookup returns the last good owner if there is one; so does a slow one,
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
