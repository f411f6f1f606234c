import { setTimeout as wait } from 'node:timers/promises';
import type { OrgId } from '@deskside/shared/orgid';
import { reasonOf } from '#runtime/background.ts';
import type { Clock } from '#runtime/clock.ts';
import type { Logger } from '#runtime/logger.ts';
import * as leases from '#store/leases.ts';
import type { CachedCompany } from '#store/profile-cache.ts';
import type { Store } from '#store/store.ts';
import type { CompanyAnswer, LookupFields, UserAnswer } from './crm.ts';
import type { BudgetedCrm, Urgency } from './crm-budget.ts';

export interface AskCrmDeps {
  crm: BudgetedCrm;
  portal: string;
  /** Where answers are stored. */
  cache: Pick<Store['profileCache'], 'putCompanies' | 'putUsers'>;
  /** The same cache as all processes see it, without this process's memory in front. */
  shared: Pick<Store['profileCache'], 'getCompanies'>;
  db: Store['db'];
  clock: Clock;
  logger: Logger;
}

/** The result of one lookup, and when (epoch milliseconds): the time stored with it in the cache. */
interface Asked {
  answer: CompanyAnswer;
  checkedAt: number;
}

interface CompanyQuestion extends Urgency {
  by: LookupFields;
  /** In epoch milliseconds: any answer given since then, to anyone, will do. */
  since: number;
}

/**
 * Asks the CRM and stores its answers. Callers that want the same at the same time share one request, even across
 * processes: one takes the lease, the others poll the cache until the answer is there.
 */
export interface AskCrm {
  /**
   * An answer for each org id. If the caller stops waiting, the request goes on and its answer is stored all the same.
   */
  companies(orgIds: readonly OrgId[], question: CompanyQuestion): Promise<Map<OrgId, Asked>>;
  user(id: string, urgency: Urgency): Promise<UserAnswer>;
}

/**
 * How long the lease lasts, in milliseconds. The CRM usually takes a tenth of it. If it takes longer, or the asking
 * process dies, the next caller that wants the same asks for itself.
 */
const leaseMs = 5_000;

/** The delays, in milliseconds, between polls for another process's answer; the last one repeats. */
const pollMs = [50, 100, 200];

export function createAskCrm(deps: AskCrmDeps): AskCrm {
  const { crm, portal, cache, shared, db, clock, logger } = deps;
  const thisProcess = crypto.randomUUID();
  const companiesInFlight = new Map<string, Flight<Asked>>();
  const usersInFlight = new Map<string, Flight<UserAnswer>>();
  const leaseOf = (by: LookupFields, orgId: OrgId) => `crm ${portal} ${by} ${orgId}`;

  /**
   * Which of the org ids this process is to ask for. If the store fails, that costs an extra request, not the answer.
   */
  async function claim(orgIds: readonly OrgId[], question: CompanyQuestion): Promise<Set<OrgId>> {
    // Bulk work visits each org id once, and nobody should have to wait until it gets there.
    if (question.lane === 'backfill') return new Set(orgIds);
    try {
      const taken = await leases.take(
        { db, clock },
        orgIds.map((orgId) => leaseOf(question.by, orgId)),
        thisProcess,
        leaseMs,
      );
      return new Set(orgIds.filter((orgId) => taken.has(leaseOf(question.by, orgId))));
    } catch (error) {
      logger.error({ error: reasonOf(error) }, 'Leases cannot be taken');
      return new Set(orgIds);
    }
  }

  /** What other processes have stored. */
  function stored(orgIds: readonly OrgId[], { by }: CompanyQuestion): Promise<Map<OrgId, CachedCompany>> {
    return shared.getCompanies(portal, by, orgIds).catch(() => new Map<OrgId, never>());
  }

  async function lookUp(orgId: OrgId, question: CompanyQuestion): Promise<Asked> {
    const { by } = question;
    const { answer, owner, askedAt } = await crm.findCompany(orgId, by, question);
    const checkedAt = clock();
    if (answer.kind === 'failed') logger.warn({ code: answer.code }, 'CRM lookup failed');
    else {
      const companies = answer.kind === 'found' ? answer.companies : [];
      await keep(cache.putCompanies(portal, by, new Map([[orgId, { companies, checkedAt }]]), askedAt));
      const ownerId = companies[0]?.fields.assigned_by_id;
      if (ownerId && owner) await keepUser(ownerId, owner);
    }
    await leases.release({ db, clock }, [leaseOf(by, orgId)], thisProcess).catch(() => {});
    return { answer, checkedAt };
  }

  /** Waits for the answer of the process that holds the lease, and takes over if it gave up. */
  async function follow(orgId: OrgId, question: CompanyQuestion): Promise<Asked> {
    const before = (await stored([orgId], question)).get(orgId);
    for (let round = 0; clock() < question.deadline; round += 1) {
      await wait(pollMs[Math.min(round, pollMs.length - 1)]);
      const ours = (await claim([orgId], question)).has(orgId);
      const entry = (await stored([orgId], question)).get(orgId);
      const theirs = entry && answerSince(entry, question);
      // They have answered, and a change was announced meanwhile. Of a company that changes all the time no answer would
      // ever do, and the lease is always somebody else's: what is asked for from now on does.
      const isOvertaken = entry?.outdated === true && entry.checkedAt !== before?.checkedAt;
      if (isOvertaken || (ours && !theirs)) return lookUp(orgId, question);
      if (ours) await leases.release({ db, clock }, [leaseOf(question.by, orgId)], thisProcess).catch(() => {});
      if (theirs) return theirs;
    }
    return { answer: { kind: 'failed', code: 'timeout' }, checkedAt: clock() };
  }

  async function claimAndRead(orgIds: readonly OrgId[], question: CompanyQuestion) {
    const ours = await claim(orgIds, question);
    // Another process may have finished between the caller's look into the cache and the lease.
    return { ours, entries: await stored([...ours], question) };
  }

  async function keep(write: Promise<void>): Promise<void> {
    // If the store cannot be written, the next caller pays with a request; this one still gets its answer.
    await write.catch((error: unknown) => logger.error({ error: reasonOf(error) }, 'The cache could not be written'));
  }

  async function keepUser(id: string, answer: UserAnswer): Promise<void> {
    if (answer.kind === 'failed') return;
    const entry = { user: answer.kind === 'found' ? answer.user : null, checkedAt: clock() };
    await keep(cache.putUsers(portal, new Map([[id, entry]])));
  }

  return {
    async companies(orgIds, question) {
      const keyOf = (orgId: OrgId) => `${question.by} ${question.lane} ${orgId}`;
      // All at once, so that what has to be asked goes out together.
      const claimed = claimAndRead(
        orgIds.filter((orgId) => !joins(companiesInFlight.get(keyOf(orgId)), question)),
        question,
      );
      const flights = orgIds.map(async (orgId): Promise<[OrgId, Asked]> => {
        const running = companiesInFlight.get(keyOf(orgId));
        if (joins(running, question)) return [orgId, await running.answer];
        const flight = claimed.then(async ({ ours, entries }) => {
          const entry = entries.get(orgId);
          const known = entry && answerSince(entry, question);
          if (known) await leases.release({ db, clock }, [leaseOf(question.by, orgId)], thisProcess).catch(() => {});
          return known ?? (ours.has(orgId) ? lookUp(orgId, question) : follow(orgId, question));
        });
        keepWhileUnderWay(companiesInFlight, keyOf(orgId), { answer: flight, deadline: question.deadline });
        return [orgId, await flight];
      });
      return new Map(await Promise.all(flights));
    },

    user(id, urgency) {
      const key = `${urgency.lane} ${id}`;
      const running = usersInFlight.get(key);
      if (joins(running, urgency)) return running.answer;
      const flight = crm.findUser(id, urgency).then(async (answer) => {
        if (answer.kind === 'failed') logger.warn({ code: answer.code }, 'CRM owner lookup failed');
        await keepUser(id, answer);
        return answer;
      });
      keepWhileUnderWay(usersInFlight, key, { answer: flight, deadline: urgency.deadline });
      return flight;
    },
  };
}

/** What another process was told, if it was since then and no change has been announced after it asked. */
function answerSince({ companies, checkedAt, outdated }: CachedCompany, { since }: CompanyQuestion): Asked | undefined {
  if (checkedAt <= since || outdated) return undefined;
  const [first, ...others] = companies;
  return { answer: first ? { kind: 'found', companies: [first, ...others] } : { kind: 'empty' }, checkedAt };
}

/** A look-up that callers of the same lane share; it gives up at its deadline (epoch milliseconds). */
interface Flight<T> {
  answer: Promise<T>;
  deadline: number;
}

/** By so much a caller may be given up on too early; who would wait longer than that asks again. */
const nearlyMs = 1_000;

function joins<T>(running: Flight<T> | undefined, { deadline }: Urgency): running is Flight<T> {
  return running !== undefined && deadline <= running.deadline + nearlyMs;
}

function keepWhileUnderWay<T>(flights: Map<string, Flight<T>>, key: string, flight: Flight<T>): void {
  flights.set(key, flight);
  const done = () => {
    if (flights.get(key) === flight) flights.delete(key);
  };
  flight.answer.then(done, done);
}
