import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OrgId } from '@deskside/shared/orgid';
import { createAskCrm } from '#crm/ask-crm.ts';
import { createSearchCompanies } from '#crm/ask-for-companies.ts';
import type {
  CompanyAnswer,
  CompanyLookup,
  Crm,
  CrmCompany,
  LookupFields,
  SearchAnswer,
  UserAnswer,
} from '#crm/crm.ts';
import type { BudgetedCrm, CrmState } from '#crm/crm-budget.ts';
import type { CrmLayers } from '#crm/crm-layers.ts';
import { lifetimesOf } from '#crm/freshness.ts';
import type { Clock } from '#runtime/clock.ts';
import { memoryBy } from '#runtime/lru-memory.ts';
import type { Memory } from '#runtime/memory.ts';
import type { Store } from '#store/store.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { silent, uncounted } from './quiet.ts';
import { owner } from './sample-company.ts';

/** Fakes of the ports, in memory. Their calls are recorded, so that tests can count them. */

export const failed: CompanyAnswer = { kind: 'failed', code: 'timeout' };

/** A CRM under a test's control. */
export interface FakeCrm extends Crm {
  requests: { orgIds: OrgId[] | null; user: string | null }[];
  /** The org ids that it was asked for. */
  readonly asked: OrgId[];
  /** Runs, and is awaited, while it is being asked for an org id. */
  whileAsking: (orgId: OrgId) => unknown;
  /** How often it was searched. */
  searches: number;
  isDown: boolean;
  hold: Promise<void>;
  search: SearchAnswer;
  answer: (orgId: OrgId) => CompanyAnswer;
  user: (id: string) => UserAnswer;
}

/** A CRM that has the given companies; replace `answer` to make it say something else, `hold` to make it wait. */
export function fakeCrm(companies: Record<string, CrmCompany> = {}, { ownersAlong = true } = {}): FakeCrm {
  const requests: FakeCrm['requests'] = [];
  const self: FakeCrm = {
    requests,
    get asked() {
      return requests.flatMap(({ orgIds }) => orgIds ?? []);
    },
    whileAsking: () => {},
    searches: 0,
    isDown: false,
    portal: 'crm.example',
    knowsUsers: true,
    hold: Promise.resolve(),
    answer: (orgId: OrgId): CompanyAnswer => {
      const found = companies[orgId];
      return found ? { kind: 'found', companies: [found] } : { kind: 'empty' };
    },
    user: (id: string): UserAnswer => (id === owner.id ? { kind: 'found', user: owner } : { kind: 'empty' }),
    findCompanies: async (orgIds) => {
      requests.push({ orgIds: [...orgIds], user: null });
      for (const orgId of orgIds) await self.whileAsking(orgId);
      await self.hold;
      const answerTo = (id: OrgId) => (self.isDown ? failed : self.answer(id));
      const answers = new Map(orgIds.map((id) => [id, answerTo(id)] as const));
      const owners = [...answers.values()].flatMap((a) =>
        a.kind === 'found' ? (a.companies[0].fields.assigned_by_id ?? []) : [],
      );
      return {
        companies: answers,
        users: new Map(ownersAlong ? owners.map((id) => [id, self.user(id)] as const) : []),
      };
    },
    findUsers: async (ids: readonly string[]) => {
      for (const id of ids) requests.push({ orgIds: null, user: id });
      await self.hold;
      return new Map(ids.map((id) => [id, self.user(id)] as const));
    },
    searchCompanies: async (searches) => {
      self.searches += 1;
      await self.hold;
      return searches.map(() => self.search);
    },
    search: { companies: [], isCut: false, failed: null },
    readSegmentNames: async () => ({ kind: 'found', names: new Map() }),
    operatingTime: () => null,
    maxPerRequest: { companies: 16, users: 50, searches: 5 },
  };
  return self;
}

/** A CRM for which nobody waits, and of whose budget nothing is said. */
const idleCrm: CrmState = {
  left: { click: 0, open: 0, backfill: 0 },
  waiting: { click: 0, open: 0, backfill: 0 },
  operatingSeconds: {},
};

/** The CRM without a budget: simultaneous questions go out at once, in one request. */
export function unlimited(crm: Crm): BudgetedCrm {
  const never = new AbortController().signal;
  const waiting = new Map<LookupFields, { orgIds: Set<OrgId>; found: Promise<CompanyLookup> }>();
  const sendSoon = (by: LookupFields) => {
    const orgIds = new Set<OrgId>();
    const found = nextTurn().then(() => {
      waiting.delete(by);
      return crm.findCompanies([...orgIds], by, never);
    });
    return { orgIds, found };
  };
  return {
    async findCompany(orgId, by) {
      const batch = waiting.get(by) ?? sendSoon(by);
      waiting.set(by, batch);
      batch.orgIds.add(orgId);
      const { companies, users } = await batch.found;
      const answer = companies.get(orgId) ?? { kind: 'failed', code: 'bad_answer' };
      const ownerId = answer.kind === 'found' ? answer.companies[0].fields.assigned_by_id : null;
      return { answer, owner: (ownerId && users.get(ownerId)) || null, askedAt: 0 };
    },
    findUser: async (id) => (await crm.findUsers([id], never)).get(id) ?? { kind: 'empty' },
    searchCompanies: async (readings) =>
      (await crm.searchCompanies([readings], never))[0] ?? { companies: [], isCut: false, failed: 'bad_answer' },
    readSegmentNames: () => crm.readSegmentNames(never),
    state: async () => idleCrm,
  };
}

/** The CRM with its layers as the verbs need it, without budget or other processes. A TTL of 0 asks every time. */
export function fakeLayers({
  crm,
  clock,
  cache = memoryStore().profileCache,
  memory = memoryBy(clock),
  ttlMinutes = 60,
}: {
  crm: Crm;
  clock: Clock;
  cache?: Store['profileCache'];
  memory?: Memory;
  ttlMinutes?: number;
}): CrmLayers {
  const [budgeted, { portal }] = [unlimited(crm), crm];
  const searchCompanies = createSearchCompanies({ crm: budgeted, memory, clock });
  return {
    askCrm: createAskCrm({ crm: budgeted, portal, cache, shared: cache, db: memoryStore().db, clock, logger: silent }),
    askInSpare: (readings) => searchCompanies(readings),
    cache,
    clock,
    crm,
    forgetSegments: () => {},
    lifetimes: lifetimesOf(ttlMinutes),
    metrics: uncounted,
    nameSegments: (found) => found,
    portal,
    searchCompanies,
    state: budgeted.state,
  };
}
