import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OrgId } from '@deskside/shared/orgid';
import type { ProfileData } from '@deskside/shared/profile';
import { expect, onTestFinished, test } from 'vitest';
import { createRememberingCache } from '#adapters/crm-budget/remembering-cache.ts';
import { openStore } from '#adapters/store-sql/store.ts';
import { draftOf } from '#adapters/store-sql/testing/decision-draft.ts';
import { createAgentGate } from '#app/access/agent-gate.ts';
import { createRecordResponsible } from '#app/profile/record-responsible.ts';
import { createBackground } from '#app/runtime/background.ts';
import { fakeHelpdesk, ticketFile } from '#app/testing/fake-helpdesk.ts';
import { fakeSenderMemory } from '#app/testing/fake-sender-memory.ts';
import {
  askCrmOf,
  company,
  fakeClock,
  fakeCrm,
  fakeMemory,
  owner,
  silent,
  uncounted,
  unversioned,
} from '#app/testing/fakes.ts';
import { createReadSenderRecords } from '#app/trust/read-sender-records.ts';
import { lifetimesOf } from '#domain/crm/freshness.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { RecordVersions } from '#ports/profile/record-versions.ts';
import { wireProfile } from './profile.ts';

const ticket = '61307';
const orgId = '1000069001' as OrgId;
const day = 86_400_000;
const agents = ['an', 'binh'].map((name) => ({ authorization: `token ${name}`, digest: name }));

/** Two ways to the same profile over the same ports: one that remembers answers, and one that makes each anew. */
async function twoWays() {
  const folder = await mkdtemp(path.join(tmpdir(), 'deskside-remembered-'));
  const clock = fakeClock();
  const store = await openStore(`file:${folder}`, clock);
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  const soon = { planExpiresAt: clock() + 10 * day + 5_000, emails: ['vy@shop.example'] };
  const crm = fakeCrm({ [orgId]: company(orgId, soon) });
  const files = { [ticket]: ticketFile(ticket, orgId, { responsible: 'nobody@desk.example' }) };
  const user = (id: string) => ({ id: `${id}@desk.example`, fullName: id, language: null, isAgent: true });
  const helpdesk = fakeHelpdesk(files, { 'token an': user('an'), 'token binh': user('binh') });
  const memory = fakeMemory(clock);
  const cache = createRememberingCache(store.profileCache, memory, uncounted);
  const background = createBackground(silent);
  const gate = createAgentGate({ helpdesk, memory, clock });
  const askCrm = askCrmOf({ crm, cache, clock });
  const confirmed: string[] = [];
  let made = 0;
  const way = (recordVersions: RecordVersions) =>
    wireProfile({
      ...{ gate, memory, background, clock },
      store: { ...store, recordVersions },
      config: { CRM_ENABLED: true },
      helpdesk: helpdesk as unknown as Parameters<typeof wireProfile>[0]['helpdesk'],
      crm: {
        ...{ askCrm, cache, clock, crm, portal: crm.portal, lifetimes: lifetimesOf(60), metrics: uncounted },
        nameSegments(companies: CrmCompany[]) {
          made += 1;
          return companies;
        },
      } as unknown as Parameters<typeof wireProfile>[0]['crm'],
      readSenderRecords: createReadSenderRecords({ helpdesk, bindings: store.customerBindings }),
      senderMemory: fakeSenderMemory(store.syncLog, store.companyRejections),
      limitRefreshes: () => {},
      recordResponsible: createRecordResponsible({ helpdesk, gate, memory, background }),
      claimConfirmed: (name) => void confirmed.push(name),
    });
  const [remembering, making] = [way(store.recordVersions), way(unversioned)];
  const { signal } = new AbortController();
  const nobody = { authorization: '', digest: '' };
  /** As a request does that was sent before: at once, if that is possible. */
  const remembered = async (caller = agents[0] ?? nobody) =>
    remembering.rememberedProfile(caller, ticket) ??
    remembering.getTicketProfile({ caller, ticket, refresh: false, requestId: 'r', signal });
  /** Until the answer is one that is given again. */
  async function settle(): Promise<ProfileData> {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const answer = await remembered();
      if ((await remembered()) === answer) return answer;
      await background.idle();
    }
    throw new Error('It is never remembered');
  }
  return {
    ...{ store, crm, clock, helpdesk, files, gate, cache, confirmed, settle, remembered },
    atOnce: (caller = agents[0] ?? nobody) => remembering.rememberedProfile(caller, ticket),
    anew: () =>
      making.getTicketProfile({ caller: agents[0] ?? nobody, ticket, refresh: false, requestId: 'r', signal }),
    made: () => made,
  };
}

type World = Awaited<ReturnType<typeof twoWays>>;

const chosen = { agent: 'an@desk.example', orgId, crmCompanyId: '69001', customer: 'A', previousCustomer: null, at: 1 };
const rejection = {
  ...{ ticket, sender: 'vy@shop.example', orgId, crmCompanyId: '69001', companyName: null },
  ...{ agent: 'an@desk.example', at: 1, reason: { code: 'wrong_id' as const, note: '' } },
};
const entered = {
  ...{ value: orgId, source: 'ticket', field: 'custom_orgid' },
  trust: { level: 'confirmed', evidence: [{ code: 'entered_by_agent', value: 'an@desk.example' }] },
};

const changes: Record<string, (world: World) => unknown> = {
  'a company is rejected': ({ store }) => store.companyRejections.record(rejection),
  'a company is rejected on another ticket of the sender': ({ store }) =>
    store.companyRejections.record({ ...rejection, ticket: 'another' }),
  'the CRM has another answer': ({ cache, clock, crm }) =>
    cache.putCompanies(
      crm.portal,
      'company_id',
      new Map([[orgId, { companies: [company(orgId, {}, { company_name: 'Renamed' })], checkedAt: clock() }]]),
      clock(),
    ),
  'the CRM announces a change': ({ cache, clock, crm }) => {
    crm.answer = () => ({ kind: 'found', companies: [company(orgId, {}, { company_name: 'Renamed' })] });
    return cache.markOutdated(crm.portal, company(orgId).fields.bitrix_id, clock());
  },
  'the owner is another': ({ cache, clock, crm }) =>
    cache.putUsers(crm.portal, new Map([[owner.id, { user: { ...owner, active: false }, checkedAt: clock() }]])),
  'we have written to the ticket': ({ files, gate }) => {
    files[ticket] = ticketFile(ticket, orgId, { agentGroup: 'SME' });
    gate.forgetTicket(ticket);
  },
  'the plan has a day less': ({ clock }) => clock.advance(6_000),
  'the answer of the CRM is past its time': ({ clock, crm }) => {
    crm.answer = () => ({ kind: 'failed', code: 'server_error' });
    clock.advance(61 * 60_000);
  },
};

test.each(Object.entries(changes))('seen by the next request: %s', async (_, change) => {
  const world = await twoWays();
  const before = await world.settle();
  await change(world);
  const after = await world.remembered();
  expect(after).not.toEqual(before);
  expect(after).toEqual(await world.anew());
});

/** These have to be seen as well, but change the level of trust alone, for which the company must not vouch itself. */
const words: Record<string, (world: World) => unknown> = {
  'an agent has synced the ticket': ({ store }) => store.syncLog.record({ ...chosen, ticket, customer: 'A' }),
  'a decision says that an agent entered the org id': ({ store }) => {
    const { inputs } = draftOf(ticket);
    return store.decisions.add(draftOf(ticket, { inputs: { ...inputs, org_id: entered as never } }), 0, null);
  },
};

test.each(Object.entries(words))('an agent’s word is seen by the next request: %s', async (_, change) => {
  const world = await twoWays();
  world.crm.answer = () => ({ kind: 'found', companies: [company(orgId)] });
  world.files[ticket] = ticketFile(ticket, orgId, { customer: 'A' });
  const before = await world.settle();
  expect(before.bitrix.lookup_trust?.level).toBe('claimed');
  await change(world);
  expect((await world.remembered()).bitrix.lookup_trust?.level).toBe('confirmed');
});

test('an unchanged answer is not made again, and is nobody else’s', async () => {
  const { settle, remembered, atOnce, made } = await twoWays();
  const answer = await settle();
  const before = made();
  expect(atOnce()).toBe(answer);
  expect(made()).toBe(before);
  expect(atOnce(agents[1])).toBeUndefined();
  const others = await remembered(agents[1]);
  expect(others).not.toBe(answer);
  expect(others).toEqual(answer);
});

test('who may no longer read the ticket gets nothing that is remembered', async () => {
  const { settle, remembered, helpdesk, clock } = await twoWays();
  await settle();
  helpdesk.denied.add(ticket);
  clock.advance(10_001);
  await expect(remembered()).rejects.toMatchObject({ code: 'ticket_not_readable' });
});

test('what is answered while our own records cannot be read is not remembered', async () => {
  const { store, settle, remembered, clock, gate } = await twoWays();
  await settle();
  await store.companyRejections.record(rejection);
  const { standing } = store.companyRejections;
  store.companyRejections.standing = () => Promise.reject(new Error('SQLITE_IOERR'));
  gate.forgetTicket(ticket);
  clock.advance(1);
  expect((await remembered()).bitrix.company).not.toBeNull();
  store.companyRejections.standing = standing;
  expect((await remembered()).bitrix.company).toBeNull();
});

test('the helpdesk is asked twice cold, once when what may be read has expired, and not within seconds; equal requests share', async () => {
  const { remembered, settle, helpdesk, clock } = await twoWays();
  const asCaller = () => helpdesk.calls.splice(0).filter((call) => /^(identify|readTicket)$/.test(call));
  await Promise.all(Array.from({ length: 32 }, () => remembered()));
  expect(asCaller()).toEqual(['identify', 'readTicket']);
  await settle();
  expect(asCaller()).toEqual([]);
  clock.advance(10_001);
  await Promise.all(Array.from({ length: 32 }, () => remembered()));
  expect(asCaller()).toEqual(['readTicket']);
});

test('shortly before it expires what may be read is read anew, and nobody waits for it', async () => {
  const { settle, remembered, helpdesk, clock } = await twoWays();
  await settle();
  const reads = () => helpdesk.calls.filter((call) => call === 'readTicket').length;
  clock.advance(8_500);
  const before = reads();
  await Promise.all(Array.from({ length: 32 }, () => remembered()));
  expect(reads()).toBe(before + 1);
  clock.advance(5_000);
  await remembered();
  expect(reads()).toBe(before + 1);
});

test('whom the helpdesk refuses while it is read anew is refused at once', async () => {
  const { settle, remembered, helpdesk, clock } = await twoWays();
  await settle();
  helpdesk.denied.add(ticket);
  clock.advance(8_500);
  await remembered();
  await new Promise((resolve) => setImmediate(resolve));
  await expect(remembered()).rejects.toMatchObject({ code: 'ticket_not_readable' });
});
