import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OrgId } from '@deskside/shared/orgid';
import { type Bitrix24, maxOrgIds, type UserAnswer } from '#crm/bitrix24.ts';
import { Crm } from '#crm/crm.ts';
import type { Budget } from '#crm/limits.ts';
import type { SearchAnswer } from '#crm/search.ts';
import { createBackground } from '#runtime/jobs.ts';
import { type Clock, memoryBy } from '#runtime/memory.ts';
import { silent, uncounted } from '#runtime/testing/quiet.ts';
import type { CrmCompany } from '#store/profile-cache.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { owner } from '#store/testing/sample-company.ts';
import { companyIdFirst, platformFirst, resultOf, type TestAnswer } from './test-answer.ts';

export const failed: TestAnswer = { kind: 'failed', code: 'timeout' };

/** A portal under a test's control. Its calls are recorded, so that tests can count them. */
export interface FakeCrm extends Bitrix24 {
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
  answer: (orgId: OrgId) => TestAnswer;
  /** The records of companies, by their ids, where they are more than the id. */
  records: Record<string, string>;
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
    records: {},
    answer: (orgId: OrgId): TestAnswer => {
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
        companies: new Map([...answers].map(([id, answer]) => [id, resultOf(answer, self.records)])),
        users: new Map(ownersAlong ? owners.map((id) => [id, self.user(id)] as const) : []),
      };
    },
    findUsers: async (ids: readonly string[]) => {
      for (const id of ids) requests.push({ orgIds: null, user: id });
      await self.hold;
      return new Map(ids.map((id) => [id, self.user(id)] as const));
    },
    searchCompanies: async (searches) => {
      self.searches += searches.length;
      await self.hold;
      return searches.map(() => self.search);
    },
    search: { companies: [], isCut: false, failed: null },
    readSegmentNames: async () => new Map(),
    operatingTime: () => null,
    maxPerRequest: { companies: maxOrgIds, users: 50, searches: 5 },
    fieldOrder: (first) => (first === 'company_id' ? companyIdFirst : platformFirst),
  };
  return self;
}

/** A budget that allows everything, a moment later: what is asked at the same time goes out in one request. */
const unlimited: Budget = {
  take: async () => {
    await nextTurn();
    return { inMs: 0, everyMs: 0 };
  },
  fill: async () => {},
  left: async () => ({ click: 0, open: 0, bulk: 0 }),
};

/** The CRM as verbs have it, on such a portal, without limits unless it is given some. A TTL of 0 asks every time. */
export function fakeLayers({
  crm,
  clock,
  ...given
}: Partial<ConstructorParameters<typeof Crm>[0]> & { crm: Bitrix24; clock: Clock }): Crm {
  const { logger = silent } = given;
  return new Crm({
    bitrix24: crm,
    budget: unlimited,
    db: given.db ?? memoryStore().db,
    memory: memoryBy(clock),
    background: createBackground(logger),
    clock,
    logger,
    metrics: uncounted,
    ttlMinutes: 60,
    requestTimeoutMs: 15_000,
    closed: new AbortController().signal,
    // Who tries again does so at once.
    sleep: async () => {},
    ...given,
  });
}
