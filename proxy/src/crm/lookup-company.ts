import type { OrgId } from '@deskside/shared/orgid';
import type { AlternativeCompany } from '@deskside/shared/profile';
import type { CrmErrorCode, LookupOutcome } from '@deskside/shared/status';
import type { Clock } from '#runtime/clock.ts';
import type { Metrics } from '#runtime/metrics-port.ts';
import { withDeadline } from '#runtime/with-deadline.ts';
import type { CachedCompany } from '#store/profile-cache.ts';
import type { Store } from '#store/store.ts';
import type { AskCrm } from './ask-crm.ts';
import type { CompanyAnswer, CrmCompany, LookupFields } from './crm.ts';
import type { Lane } from './crm-budget.ts';
import { isFresh, type Lifetimes, patienceMs, servableForMs } from './freshness.ts';

export interface LookupDeps {
  askCrm: AskCrm;
  cache: Store['profileCache'];
  clock: Clock;
  portal: string;
  lifetimes: Lifetimes;
  /** Adds the names of the segments, as far as they are known by now. */
  nameSegments: (companies: CrmCompany[]) => CrmCompany[];
  metrics: Pick<Metrics, 'companyAnswered' | 'companiesRead'>;
}

export interface LookupInput {
  orgId: OrgId;
  /** Ask the CRM even if there is a fresh answer. */
  refresh: boolean;
  /** How long the caller waits, in milliseconds. */
  deadlineMs: number;
  /** Which CRM fields must hold the org id; by default the Company ID. */
  by?: LookupFields;
  /** By default `click`. */
  lane?: Lane;
  /**
   * Whether an answer slightly past its lifetime is returned if the newer one takes more than a moment. Only for people
   * who wait at a panel: whoever writes or decides by the answer waits for it.
   */
  acceptsStale?: boolean;
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

/** How long a newer answer is still worth waiting for in the background. */
const revalidateWithinMs = 30_000;

/**
 * Finds an org id's company: a fresh answer comes from the cache, otherwise the CRM is asked. If it does not answer within
 * a moment, callers who accept that get a company slightly older than its lifetime, marked stale; the CRM's answer is
 * stored when it comes. If the CRM fails or `deadlineMs` passes, the last good answer is returned with status `error`
 * (docs/decisions.md 2 and 7). Never throws for anything the CRM does.
 */
export async function lookupCompany(deps: LookupDeps, input: LookupInput): Promise<Lookup> {
  const { orgId, refresh, by = 'company_id', lane = 'click', acceptsStale = false } = input;
  const now = deps.clock();
  const known = (await deps.cache.getCompanies(deps.portal, by, [orgId])).get(orgId);
  const isKnownWithin = (ms: number) => known !== undefined && !refresh && isFresh(known.checkedAt, ms, now);
  if (known && !known.outdated && isKnownWithin(lifetimeOf(known, deps.lifetimes)))
    return answer(known, { status: 'cached', stale: false, error: null });

  const isServable = isKnownWithin(servableForMs) && known?.companies[0] !== undefined;
  const canServe = acceptsStale && isServable && deps.lifetimes.company > 0;
  const urgency = canServe
    ? { lane: lane === 'click' ? ('open' as const) : lane, deadline: now + revalidateWithinMs }
    : { lane, deadline: now + input.deadlineMs };
  // What another process was answered a moment ago may not have been written yet when the cache was read.
  const since = refresh ? now : now - deps.lifetimes.negative;
  const asking = deps.askCrm.companies([orgId], { by, since, ...urgency });
  const answers = await withDeadline(asking, canServe ? Math.min(patienceMs, input.deadlineMs) : input.deadlineMs);
  if (answers === 'timeout' && canServe) return answer(known, { status: 'matched', stale: true, error: null });

  const asked = answers === 'timeout' ? undefined : answers.get(orgId);
  if (asked && asked.answer.kind !== 'failed') {
    const status = asked.answer.kind === 'found' ? 'matched' : 'not_found';
    return answer(entryOf(asked.answer, asked.checkedAt), { status, stale: false, error: null });
  }
  const failure = asked?.answer.kind === 'failed' ? asked.answer.code : 'bad_answer';
  const error = answers === 'timeout' ? 'timeout' : failure;
  return answer(known, { status: 'error', stale: known !== undefined, error });

  function answer(entry: CachedCompany | undefined, how: Pick<Lookup, 'status' | 'stale' | 'error'>): Lookup {
    deps.metrics.companyAnswered(how);
    const companies = deps.nameSegments(entry?.companies ?? []);
    const outcome = entry === undefined ? null : entry.companies.length > 0 ? 'matched' : 'not_found';
    return { ...how, outcome, value: orgId, companies, checkedAt: entry?.checkedAt ?? null };
  }
}

export interface SearchNeeds {
  crm: LookupDeps;
  crmTimeoutMs: number;
}

export type SearchHow = Pick<LookupInput, 'refresh'> & {
  /** Whether an agent is waiting on screen (`click`), a workflow asks (`open`), or nobody waits (`backfill`). */
  lane: Lane;
};

/**
 * The companies of one org id for whoever writes or decides by them: by both fields of the CRM, and waiting as long as the
 * CRM may take. Never throws for anything the CRM does.
 */
export function searchCompany({ crm, crmTimeoutMs }: SearchNeeds, orgId: OrgId, how: SearchHow): Promise<Lookup> {
  return lookupCompany(crm, { ...how, orgId, by: 'platform_orgid_then_company_id', deadlineMs: crmTimeoutMs });
}

function entryOf(answer: Exclude<CompanyAnswer, { kind: 'failed' }>, checkedAt: number): CachedCompany {
  return { companies: answer.kind === 'found' ? answer.companies : [], checkedAt, outdated: false };
}

function lifetimeOf(entry: CachedCompany, lifetimes: Lifetimes): number {
  return entry.companies.length > 0 ? lifetimes.company : lifetimes.negative;
}

type CacheNeeds = Pick<LookupDeps, 'portal' | 'lifetimes' | 'nameSegments' | 'clock'> & {
  cache: Pick<LookupDeps['cache'], 'getCompanies'>;
};

/** The company of an org id as last reported by the CRM, if that is still fresh; null otherwise. Never asks the CRM. */
export async function findCachedCompany(
  { cache, portal, lifetimes, nameSegments, clock }: CacheNeeds,
  orgId: OrgId,
): Promise<{ company: CrmCompany; checkedAt: number } | null> {
  const entries = await cache.getCompanies(portal, 'platform_orgid_then_company_id', [orgId]);
  const entry = entries.get(orgId);
  if (!entry || entry.outdated || !isFresh(entry.checkedAt, lifetimes.company, clock())) return null;
  const [company] = nameSegments(entry.companies);
  return company ? { company, checkedAt: entry.checkedAt } : null;
}

/** The other companies that the CRM has for an org id: all but the first, which is the one in use. */
export function alternativesOf(companies: readonly CrmCompany[]): AlternativeCompany[] {
  return companies.slice(1).map(({ fields }) => ({
    bitrix_id: fields.bitrix_id,
    company_id: fields.company_id,
    company_name: fields.company_name,
    date_modify: fields.date_modify,
    url: fields.url,
  }));
}
