import type { OrgId } from '@deskside/shared/orgid';
import { AlternativeCompany, type CrmContact, type Responsible } from '@deskside/shared/profile';
import type { CrmErrorCode, LookupOutcome } from '@deskside/shared/status';
import { withDeadline } from '#runtime/concurrency.ts';
import type { CompanyAnswer, CrmCompany, CrmPerson, CrmUser } from '#store/profile-cache.ts';
import { checkedAt, companiesBy, failureOf, type OrgIdField } from './answer.ts';
import { isFresh, patienceMs, servableForMs } from './cache.ts';
import type { Crm } from './crm.ts';
import type { Lane } from './limits.ts';
import type { Urgency } from './queue.ts';

export interface LookupInput {
  orgId: OrgId;
  /** Ask the CRM even if there is a fresh answer. */
  refresh: boolean;
  /** How long the caller waits, in milliseconds. */
  deadlineMs: number;
  /** Which field's company comes first where the two name different ones (decision 4: one batch); by default a profile's. */
  first?: OrgIdField;
  /** Whether an agent waits on screen (`click`, by default), a workflow asks (`open`), or nobody waits (`bulk`). */
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
  /** Those of the first field before those that only the other names, newest first; empty unless the outcome is `matched`. */
  companies: CrmCompany[];
  /** Whether the two fields lead to different companies: which of them is meant no address can tell (decision 7: who vouches). */
  isDisputed: boolean;
  /** Epoch milliseconds of the check behind the outcome. */
  checkedAt: number | null;
  /** Older than its lifetime, but shown because the CRM did not answer (yet). */
  stale: boolean;
  error: CrmErrorCode | null;
}

const cached = { status: 'cached', stale: false, error: null } as const;

/** How long a newer answer is still worth waiting for in the background. */
const revalidateWithinMs = 30_000;

/** What an answer says to whoever goes by the fields in an order. */
interface KnownCompanies {
  companies: CrmCompany[];
  isDisputed: boolean;
  checkedAt: number;
}

/**
 * Finds an org id's company: a fresh answer comes from the cache, otherwise the CRM is asked. If it does not answer within
 * a moment, callers who accept that get a company slightly older than its lifetime, marked stale; the CRM's answer is
 * stored when it comes. If the CRM fails or `deadlineMs` passes, the last good answer is returned with status `error`
 * (decision 3: deadlines). Never throws for anything the CRM does.
 */
export async function lookupCompany(crm: Crm, input: LookupInput): Promise<Lookup> {
  const { orgId, first = 'company_id' } = input;
  const senders = (input.senders ?? []).map((sender) => sender.trim().toLowerCase());
  const { known, isKnown, canServe } = await readCache(crm, input);
  if (known && isKnown && !crm.cache.mayLack(orgId, known.companies, senders)) return answer(known, cached);

  const patience = canServe ? Math.min(patienceMs, input.deadlineMs) : input.deadlineMs;
  const reply = await withDeadline(crm.findCompany(orgId, urgencyOf(crm, input, canServe), senders), patience);
  if (reply === 'timeout' && canServe && !isKnown)
    return answer(known, { status: 'matched', stale: true, error: null });
  const fresh = reply !== 'timeout' && reply.kind === 'answered' ? reply.answer : undefined;
  const error =
    reply === 'timeout' ? reply : reply.kind === 'failed' ? reply.code : failureOf(crm.fieldOrder(first), reply.answer);
  // Only a contact was asked for.
  if (error !== null && isKnown) return answer(known, cached);
  const said = readingOf(crm, first, fresh) ?? known;
  if (error !== null) return answer(said, { status: 'error', stale: said !== null, error });
  return answer(said, { status: said?.companies.length ? 'matched' : 'not_found', stale: false, error: null });

  function answer(
    reading: KnownCompanies | null,
    how: { status: Lookup['status']; stale: boolean; error: CrmErrorCode | null },
  ): Lookup {
    crm.metrics.companyAnswered(how);
    const companies = crm.nameSegments(reading?.companies ?? []);
    const outcome = reading === null ? null : companies.length > 0 ? 'matched' : 'not_found';
    const { isDisputed = false, checkedAt = null } = reading ?? {};
    return { ...how, outcome, value: orgId, companies, isDisputed, checkedAt };
  }
}

/** What the cache has. `isKnown`: it counts as it is. `canServe`: it is shown where the CRM takes more than a moment. */
async function readCache(crm: Crm, { orgId, refresh, first = 'company_id', acceptsStale = false }: LookupInput) {
  const stored = await crm.cache.company(orgId);
  const known = readingOf(crm, first, stored);
  if (known === null || refresh) return { known, isKnown: false, canServe: false };
  const { company, negative } = crm.lifetimes;
  const isWithin = (ms: number) => isFresh(known.checkedAt, ms, crm.clock());
  const isKnown = stored?.outdated === false && isWithin(known.companies.length > 0 ? company : negative);
  const isServable = acceptsStale && company > 0 && known.companies.length > 0 && isWithin(servableForMs);
  return { known, isKnown, canServe: isKnown || isServable };
}

/** What can be served meanwhile is asked for in the background. */
function urgencyOf({ clock }: Crm, { lane = 'click', deadlineMs }: LookupInput, canServe: boolean): Urgency {
  if (!canServe) return { lane, deadline: clock() + deadlineMs };
  return { lane: lane === 'click' ? 'open' : lane, deadline: clock() + revalidateWithinMs };
}

/** Null if that is nothing. */
function readingOf(crm: Crm, first: OrgIdField, answer: CompanyAnswer | undefined): KnownCompanies | null {
  if (answer === undefined) return null;
  const order = crm.fieldOrder(first);
  const at = checkedAt(order, answer);
  if (at === null) return null;
  const companies = companiesBy(order, answer);
  const isFirst = ([company]: CrmCompany[]) => company?.fields.bitrix_id === companies[0]?.fields.bitrix_id;
  const isDisputed = companies.length > 1 && !isFirst(companiesBy([order[1], order[0]], answer));
  return { companies, isDisputed, checkedAt: at };
}

/**
 * The companies of one org id for whoever writes or decides by them: the platform's own field first, and waiting as long as the
 * CRM may take. Never throws for anything the CRM does; the caller has seen that there is one.
 */
export function searchCompany(
  { crm, crmTimeoutMs }: { crm: Crm | null; crmTimeoutMs: number },
  orgId: OrgId,
  how: Required<Pick<LookupInput, 'refresh' | 'lane'>>,
): Promise<Lookup> {
  if (crm === null) throw new Error('There is no CRM to ask.');
  return lookupCompany(crm, { ...how, orgId, first: 'platform_org_id', deadlineMs: crmTimeoutMs });
}

/**
 * Whether the CRM has announced a change of the org id's company, or has answered anew, since an answer of `searchCompany`. Never
 * asks the CRM.
 *
 * @param checkedAt of that answer, in epoch milliseconds
 */
export async function isSuperseded(crm: Crm, orgId: OrgId, checkedAt: number): Promise<boolean> {
  const stored = await crm.cache.company(orgId);
  return (
    stored !== undefined && (stored.outdated || readingOf(crm, 'platform_org_id', stored)?.checkedAt !== checkedAt)
  );
}

/** The company of an org id as last reported by the CRM, if that is still fresh; null otherwise. Never asks the CRM. */
export async function findCachedCompany(
  crm: Crm,
  orgId: OrgId,
): Promise<{ company: CrmCompany; checkedAt: number } | null> {
  const stored = await crm.cache.company(orgId);
  const known = readingOf(crm, 'platform_org_id', stored);
  if (known === null || stored?.outdated || !isFresh(known.checkedAt, crm.lifetimes.company, crm.clock())) return null;
  const [company] = crm.nameSegments(known.companies);
  return company ? { company, checkedAt: known.checkedAt } : null;
}

/** The company that a profile shows of each of these org ids, as far as it is cached, however old. Never asks the CRM. */
export async function cachedCompanies(crm: Crm, orgIds: readonly OrgId[]): Promise<Map<OrgId, CrmCompany>> {
  const stored = await crm.cache.companies(orgIds);
  return new Map(
    [...stored].flatMap(([orgId, answer]) => {
      const [company] = companiesBy(crm.fieldOrder('company_id'), answer);
      return company ? [[orgId, company] as const] : [];
    }),
  );
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
 * (decision 6: what is beside it). Null if the company has no contacts. Earlier addresses take precedence over later ones.
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
