import { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision } from '@deskside/shared/routing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '#adapters/store-sql/store.ts';
import { cachedCompany } from '#adapters/store-sql/testing/cached-company.ts';
import { draftOf } from '#adapters/store-sql/testing/decision-draft.ts';
import { namesSubject, type PurgeSubject } from '#domain/retention/purge-subject.ts';

/** An empty store, and everything that stands in all columns of all its tables. */
export interface PurgedStore {
  store: Store;
  dump(): Promise<string>;
}

const noon = Date.UTC(2026, 10, 20, 12);
const creation = '2026-11-20 12:00:00.000001';
const lan = 'lan.nguyen@shop.example';
const agent = 'binh@desk.example';
const orgId = OrgId.parse('200000376001');
const other = OrgId.parse('2000003760012');
const customer = 'Gốm Sứ Làng Mơ';
const portal = 'crm.example';
const by = 'company_id';

/** Tests of the purge for any store. `make` gives a new store for each test. */
export function describePurge(make: () => Promise<PurgedStore>): void {
  let store: Store;
  let dump: PurgedStore['dump'];
  const purge = (subject: PurgeSubject, { tickets = [] as string[], isDry = false, customers = [] as string[] } = {}) =>
    store.purge({
      tickets: subject.kind === 'ticket' ? [subject.value] : tickets,
      names: subject.kind === 'ticket' ? null : namesSubject(subject, customers),
      now: noon + 1,
      isDry,
    });

  describe('a purge', () => {
    beforeEach(async () => {
      ({ store, dump } = await make());
      await fill();
    });

    it('of a company leaves nothing of it in any column, and everything of the others', async () => {
      const before = await dump();
      for (const marker of [orgId, customer, lan]) expect(before).toContain(marker);
      const order = { tickets: ['t5', 'never'], customers: [customer] };
      const dry = await purge({ kind: 'org_id', value: orgId }, { ...order, isDry: true });
      expect(await dump()).toBe(before);
      const done = await purge({ kind: 'org_id', value: orgId }, order);
      expect(done).toEqual(dry);
      expect(done.tickets.toSorted()).toEqual(['never', 't1', 't2', 't4', 't5', 't6']);
      expect(done.deleted).toEqual({
        ...{ routing_decision: 4, first_sight: 1, sync_log: 2, ticket_event: 1, ticket_memory: 5 },
        ...{ customer_binding: 1, customer_written: 2, crm_company_cache: 2, crm_company_key: 2, lease: 1 },
      });
      const after = await dump();
      expect(after.replaceAll(other, '')).not.toMatch(/200000376001|Gốm Sứ/);
      expect(after).not.toContain('"t5 quotes');
      const cached = await store.profileCache.getCompanies(portal, by, [orgId, other]);
      expect([...cached.keys()]).toEqual([other]);
      expect(await store.decisions.list('t3')).toHaveLength(1);
      expect(await store.leases.take([`enrich ${other}`], 'me', 1)).toEqual(new Set([`enrich ${other}`]));
      const repeated = await purge({ kind: 'org_id', value: orgId }, { customers: [customer] });
      expect(repeated).toEqual({ tickets: [], deleted: {}, changed: {} });
    });

    it('knows every table: a new one has to be searched, or named here as one without data of people', async () => {
      const searched = [
        ...[
          'routing_decision',
          'first_sight',
          'sync_log',
          'company_rejection',
          'ticket_event',
          'ticket_memory',
          'preliminary_decision',
        ],
        ...['customer_binding', 'customer_written', 'team_cursor', 'lease'],
        ...['crm_company_cache', 'crm_company_key', 'crm_user_cache', 'setting', 'setting_change'],
      ];
      const withoutPeople = [
        'ticket_work',
        'ticket_tombstone',
        'sweep_mark',
        'crm_budget',
        'missing_anchor',
        'cache_probe',
        'upkeep',
        // Whoever is signed in to the operator page at this moment, for eight hours at most.
        'operator_session',
        'settings_version',
      ];
      const tables = (JSON.parse(await dump()) as [table: string, rows: unknown][])
        .map(([table]) => table)
        .filter((table) => !/_migration(_lock)?$/.test(table));
      expect(tables.toSorted()).toEqual([...searched, ...withoutPeople].toSorted());
    });

    it('leaves a tombstone of each ticket that was decided, so that it is not routed again', async () => {
      await purge({ kind: 'org_id', value: orgId }, { customers: [customer] });
      expect(await store.decisions.isForgotten('t1', creation)).toBe(true);
      expect(await store.decisions.decided(['t1', 't3', 't4'])).toEqual(new Set(['t1', 't3']));
    });

    it('of a person leaves nothing of them, in whatever case, and does not take another address for theirs', async () => {
      const done = await purge({ kind: 'email', value: 'Lan.Nguyen@Shop.example' });
      expect(done.tickets.toSorted()).toEqual(['t1', 't6']);
      expect(done.deleted).toMatchObject({ crm_company_cache: 1, crm_user_cache: 1 });
      const after = await dump();
      expect(after).toContain(`an.${lan}`);
      expect(after).toContain(`${lan}.vn`);
      expect(after.replaceAll(`an.${lan}`, '').replaceAll(`${lan}.vn`, '').toLowerCase()).not.toContain(lan);
      expect(await store.decisions.list('t3')).toHaveLength(1);
    });

    it('of an agent keeps the tickets, without the agent', async () => {
      const before = await store.decisions.latest('t1');
      const dry = await purge({ kind: 'email', value: agent }, { isDry: true });
      expect(await dump()).toContain(agent);
      const done = await purge({ kind: 'email', value: agent });
      expect(done).toEqual(dry);
      expect(done).toEqual({
        tickets: [],
        deleted: {},
        changed: { routing_decision: 3, first_sight: 1, sync_log: 1, team_cursor: 1 },
      });
      expect(await dump()).not.toContain(agent);
      const renamed = JSON.parse(JSON.stringify(before).replaceAll(agent, 'removed')) as RoutingDecision;
      expect(await store.decisions.latest('t1')).toEqual(renamed);
      expect((await store.syncLog.latest('t4'))?.agent).toBe('removed');
      expect((await store.decisions.firstState('t1', creation))?.entered?.agent).toBe('removed');
    });

    it('takes rejections and syncs of a sender with their tickets, and an agent’s name from the others’', async () => {
      const reject = (ticket: string, sender: string, by: string, note = '') =>
        store.companyRejections.record({
          ...{ ticket, sender, orgId: other, crmCompanyId: '9', companyName: null, agent: by, at: noon },
          reason: { code: 'other', note },
        });
      await reject('t10', lan, 'an');
      await reject('t11', `an.${lan}`, lan);
      await reject('t12', `an.${lan}`, 'an', `asked ${lan}`);
      const synced = { agent: 'an', crmCompanyId: '7', at: noon, orgId: other, customer: 'x', previousCustomer: null };
      await store.syncLog.record({ ...synced, ticket: 't13', sender: { address: lan, domain: 'shop.example' } });
      const { tickets, deleted, changed } = await purge({ kind: 'email', value: lan });
      expect(tickets.toSorted()).toEqual(['t1', 't10', 't12', 't13', 't6']);
      expect([deleted.company_rejection, changed.company_rejection]).toEqual([2, 1]);
      const after = (await dump()).replaceAll(`an.${lan}`, '').replaceAll(`${lan}.vn`, '');
      expect(after.toLowerCase()).not.toContain(lan);
      const [left] = await store.companyRejections.standing({ ticket: '', sender: `an.${lan}` });
      expect(left).toMatchObject({ ticket: 't11', agent: 'removed' });
    });

    it('takes the name of who changed a setting, and leaves the setting and its trail', async () => {
      const edit = { name: 'claims', slot: 'current', action: 'set', old: null, new: '"accept"' } as const;
      const row = { value: '"accept"', isSealed: false };
      await store.settings.change([{ ...edit, row }], { since: 0, at: noon, author: lan });
      await store.settings.change([{ ...edit, row }], { since: 1, at: noon, author: `an.${lan}` });
      await store.settings.change([{ ...edit, name: 'teams', row }], { since: 2, at: noon, author: lan });
      const { changed } = await purge({ kind: 'email', value: lan });
      expect([changed.setting, changed.setting_change]).toEqual([1, 2]);
      expect((await store.settings.changes({ limit: 9 })).map(({ by }) => by)).toEqual([
        'removed',
        `an.${lan}`,
        'removed',
      ]);
      expect((await store.settings.read()).settings.map(({ name, changedBy }) => [name, changedBy])).toEqual(
        expect.arrayContaining([
          ['claims', `an.${lan}`],
          ['teams', 'removed'],
        ]),
      );
    });

    it('of a ticket takes its records and no others', async () => {
      const done = await purge({ kind: 'ticket', value: 't1' });
      expect(done.tickets).toEqual(['t1']);
      expect(done.deleted).toEqual({ routing_decision: 2, first_sight: 1, ticket_event: 1, ticket_memory: 1 });
      expect(await store.decisions.list('t1')).toEqual([]);
      for (const ticket of ['t2', 't3']) expect(await store.decisions.list(ticket)).toHaveLength(1);
      expect(await store.decisions.isForgotten('t1', creation)).toBe(true);
    });
  });

  /** Tickets t1, t2, t4 and t5 are the company's (of t5 only the helpdesk knows), t6 is named by an address, t3 is another's. */
  async function fill(): Promise<void> {
    const decide = async (ticket: string, after: number, changes: (draft: ReturnType<typeof draftOf>) => object) => {
      const draft = draftOf(ticket);
      const base = { ...draft, inputs: { ...draft.inputs, ticket_creation: creation } };
      const turn = after === 0 ? { team: 'CS 60p', members: [agent], eligible: [agent] } : null;
      await store.decisions.add({ ...base, ...changes(base) }, after, ticket === 't1' ? turn : null);
    };
    const claimed = (value: string, evidence: object[]) => (draft: ReturnType<typeof draftOf>) => ({
      inputs: {
        ...draft.inputs,
        org_id: { value, source: 'ticket', field: 'custom_orgid', trust: { level: 'claimed', evidence } },
      },
      assignment: { state: 'none', agent, candidates: [{ user: agent, reason: 'next_in_turn' }] },
    });
    await decide('t1', 0, claimed(orgId, [{ code: 'sender_not_of_customer', value: lan }]));
    await decide('t1', 1, claimed(orgId, [{ code: 'entered_by_agent', value: agent }]));
    await decide('t2', 0, (draft) => ({ link: { customer, previous: null, done: true }, inputs: draft.inputs }));
    await decide('t3', 0, claimed(other, [{ code: 'entered_by_agent', value: agent }]));
    await decide('t5', 0, (draft) => ({
      inputs: { ...draft.inputs, findings: [{ ...draft.inputs.findings[0], quote: 't5 quotes the company' }] },
    }));
    const first = { ticket: 't1', creation, entered: { agent, orgId }, groupSetBy: null, customer };
    await store.decisions.keepFirstState(first, noon);
    const sync = { agent, crmCompanyId: '7', at: noon };
    await store.syncLog.record({ ...sync, ticket: 't4', orgId, customer: 'x', previousCustomer: null });
    await store.syncLog.record({
      ...sync,
      ticket: 't6',
      agent: 'an',
      orgId: other,
      customer: lan,
      previousCustomer: customer,
    });
    await store.syncLog.record({
      ...sync,
      ticket: 't7',
      agent: `an.${lan}`,
      orgId: other,
      customer: 'x',
      previousCustomer: 'y',
    });
    await store.customerBindings.record(customer, orgId, noon);
    await store.customerBindings.record('another', other, noon);
    await store.writtenFacts.record(customer, { segment: 'Medium' }, noon);
    await store.writtenFacts.record('another', { myplatform: `${orgId}.myplatform.example` }, noon);
    await store.writtenFacts.record('a third', { myplatform: `${other}.myplatform.example` }, noon);
    await store.decisions.keepPreliminary({ key: 'k', team: 'CS 60p', reason: 'Auto-routed.', at: noon });
    await store.inbox.accept({ digest: 'd1', ticket: 't1', at: noon });
    await store.inbox.accept({ digest: 'd3', ticket: 't3', at: noon });
    await store.leases.take([`enrich ${orgId}`, `enrich ${other}`], 'dead', -noon);
    const answer = (id: OrgId, emails: string[]) => {
      const { fields, ...rest } = cachedCompany(`6${id.length}`);
      const companies = [
        { ...rest, emails, contacts: [], fields: { ...fields, company_id: id, title_full: `Shop - ${id}` } },
      ];
      return { companies, checkedAt: noon };
    };
    await store.profileCache.putCompanies(
      portal,
      by,
      new Map([
        [orgId, answer(orgId, [lan])],
        [other, answer(other, [`an.${lan}`, `${lan}.vn`])],
      ]),
      noon,
    );
    const both = 'platform_orgid_then_company_id';
    await store.profileCache.putCompanies(portal, both, new Map([[orgId, answer(orgId, [])]]), noon);
    const user = (email: string) => ({ id: '7', active: true, email, name: 'Lan', userType: 'employee' });
    await store.profileCache.putUsers(
      portal,
      new Map([
        ['7', { user: user(lan.toUpperCase()), checkedAt: noon }],
        ['8', { user: user('hà@crm.example'), checkedAt: noon }],
      ]),
    );
  }
}
