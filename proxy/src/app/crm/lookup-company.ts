import type { OrgId } from '@deskside/shared/orgid';
import type { AlternativeCompany } from '@deskside/shared/profile';
import type { CrmErrorCode, LookupOutcome } from '@deskside/shared/status';
import { withDeadline } from '#app/runtime/with-deadline.ts';
import { decideLookup, type Known } from '#domain/crm/decide-lookup.ts';
import { isFresh, type Lifetimes, patienceMs, servableForMs } from '#domain/crm/freshness.ts';
import type { Clock } from '#ports/clock.ts';
import type { CompanyAnswer, CrmCompany, LookupFields } from '#ports/crm.ts';
import type { Lane } from '#ports/crm-budget.ts';
import type { CachedCompany, ProfileCache } from '#ports/profile-cache.ts';
import type { AskCrm } from './ask-crm.ts';

export interface LookupDeps {
  askCrm: AskCrm;
  cache: ProfileCache;
  clock: Clock;
  portal: string;
  lifetimes: Lifetimes;
  /** Adds the names of the segments, as far as they are known by now. */
  nameSegments: (companies: CrmCompany[]) => CrmCompany[];
}

export interface LookupInput {
  candidates: readonly [OrgId, ...OrgId[]];
  /** Ask even if there is a fresh answer. */
  refresh: boolean;
  /** How long the caller waits, in milliseconds. */
  deadlineMs: number;
  /** Which CRM fields must hold the candidate; by default the Company ID. */
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
  /** The candidate that matched, else the last one tried. */
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
 * Finds the company of the first candidate that has one. Fresh answers come from the cache; the others are asked for in
 * one request, unless a fresh match makes that unnecessary. If the CRM does not answer within a moment, callers who
 * accept that get a company slightly older than its lifetime as `cached` and stale; the CRM's answer is stored when it
 * comes. If the CRM fails or `deadlineMs` passes, the last good answer is returned with status `error` (docs/decisions.md 2, 3 and
 * 7). Never throws for anything the CRM does.
 */
export async function lookupCompany(deps: LookupDeps, input: LookupInput): Promise<Lookup> {
  const { candidates, refresh, by = 'company_id', lane = 'click', acceptsStale = false } = input;
  const now = deps.clock();
  const entries = await deps.cache.getCompanies(deps.portal, by, candidates);
  const fresh = new Map(
    [...entries].filter(
      ([, entry]) => !refresh && !entry.outdated && isFresh(entry.checkedAt, lifetimeOf(entry, deps.lifetimes), now),
    ),
  );

  const cached = decideLookup(candidates, known(fresh));
  if (cached.outcome !== 'undecided') return answer(cached, fresh, { status: 'cached', stale: false, error: null });

  const servable = new Map(
    [...entries].filter(([id, entry]) => fresh.has(id) || (!refresh && isFresh(entry.checkedAt, servableForMs, now))),
  );
  const older = decideLookup(candidates, known(servable));
  const canServe = acceptsStale && older.outcome === 'matched' && deps.lifetimes.company > 0;
  const urgency = canServe
    ? { lane: lane === 'click' ? ('open' as const) : lane, deadline: now + revalidateWithinMs }
    : { lane, deadline: now + input.deadlineMs };

  // A candidate below a fresh match can no longer change the result.
  const firstMatch = candidates.findIndex((id) => fresh.get(id)?.companies.length);
  const decisive = firstMatch === -1 ? candidates : candidates.slice(0, firstMatch);
  // What another process was answered a moment ago may not have been written yet when the cache was read.
  const since = refresh ? now : now - deps.lifetimes.negative;
  const asking = deps.askCrm.companies(
    decisive.filter((id) => !fresh.has(id)),
    { by, since, ...urgency },
  );
  const answers = await withDeadline(asking, canServe ? Math.min(patienceMs, input.deadlineMs) : input.deadlineMs);
  if (answers === 'timeout' && canServe) return answer(older, servable, { status: 'cached', stale: true, error: null });

  const current = new Map(fresh);
  let failure: CrmErrorCode | null = answers === 'timeout' ? 'timeout' : null;
  for (const [id, asked] of answers === 'timeout' ? [] : answers) {
    if (asked.answer.kind === 'failed') failure ??= asked.answer.code;
    else current.set(id, entryOf(asked.answer, asked.checkedAt));
  }
  const decided = decideLookup(candidates, known(current));
  if (decided.outcome !== 'undecided')
    return answer(decided, current, { status: decided.outcome, stale: false, error: null });

  const lastGood = new Map([...entries, ...current]);
  const said = decideLookup(candidates, known(lastGood));
  return answer(said, lastGood, {
    status: 'error',
    stale: said.outcome !== 'undecided',
    error: failure ?? 'bad_answer',
  });

  function answer(...[decision, from, how]: Parameters<typeof lookupOf>): Lookup {
    const looked = lookupOf(decision, from, how);
    return { ...looked, companies: deps.nameSegments(looked.companies) };
  }
}

function entryOf(answer: Exclude<CompanyAnswer, { kind: 'failed' }>, checkedAt: number): CachedCompany {
  return { companies: answer.kind === 'found' ? answer.companies : [], checkedAt, outdated: false };
}

function lookupOf(
  decision: ReturnType<typeof decideLookup<OrgId, CachedCompany>>,
  entries: ReadonlyMap<OrgId, CachedCompany>,
  how: Pick<Lookup, 'status' | 'stale' | 'error'>,
): Lookup {
  const { outcome, at } = decision;
  const entry = outcome === 'undecided' ? undefined : entries.get(at);
  return {
    ...how,
    outcome: outcome === 'undecided' ? null : outcome,
    value: at,
    companies: entry?.companies ?? [],
    checkedAt: entry?.checkedAt ?? null,
  };
}

function lifetimeOf(entry: CachedCompany, lifetimes: Lifetimes): number {
  return entry.companies.length > 0 ? lifetimes.company : lifetimes.negative;
}

function known(entries: ReadonlyMap<OrgId, CachedCompany>): Map<OrgId, Known<CachedCompany>> {
  return new Map(
    [...entries].map(([id, entry]) => [
      id,
      entry.companies.length > 0 ? { kind: 'found', company: entry } : { kind: 'empty' },
    ]),
  );
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
