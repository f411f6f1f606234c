import { SyncData } from '@deskside/shared/enrichment';
import { describe, expect, test } from 'vitest';
import { searchCompany } from '#crm/lookup.ts';
import { failed } from '#crm/testing/fakes.ts';
import { matched, modifiedAt, notFound, sampleCompany, small } from '#crm/testing/sample-companies.ts';
import { standingWords } from '#store/desk-list.ts';
import * as rejections from '#store/rejections.ts';
import * as syncs from '#store/syncs.ts';
import { newDesk } from '#testing/desk.ts';
import { sender } from '#testing/desk-seed.ts';
import { enrichmentWorld, newName, orgId, otherOrgId, portalCustomer, ticket } from '#testing/enrichment-kit.ts';
import { rejectEarlier } from '#testing/rejected.ts';
import { syncEndpoint } from './sync.ts';

/** Nobody has synced the ticket, nor said anything of its sender. */
const nobodysWord = { synced: null, said: [], accepted: [] };
const own = { platformOrgId: orgId, crmCompanyId: '63001', companyModifiedAt: modifiedAt };

/** The ticket is linked to the customer of another company. */
function withTheirs() {
  const w = enrichmentWorld();
  w.desk.customers.set('theirs', { platformOrgId: otherOrgId });
  w.link('theirs');
  return w;
}

describe('without an org id of its own', () => {
  /** A ticket on which the sender typed another shop's org id than that of its customer. */
  const two = (emails: Record<string, string[]>) => {
    const w = enrichmentWorld({ made: { custom_orgid: otherOrgId, customer: 'Shop' } });
    w.desk.customers.set('Shop', { platformOrgId: orgId });
    w.crm.answer = (id) =>
      matched(sampleCompany({ emails: emails[id] ?? [] }, { bitrix_id: `crm ${id}`, company_id: id }));
    return w;
  };
  test.each([
    ['the company that is vouched for', { [orgId]: [sender] }, orgId],
    ['of equals the ticket’s own', {}, otherOrgId],
  ])('a sync takes %s', async (_, emails, expected) => {
    const w = two(emails);
    const { company } = await w.sync({ company_id: null, bitrix_id: null, action: 'preview' });
    expect(company?.company_id).toBe(expected);
    expect(w.asked.map((asked) => asked.orgId)).toEqual([otherOrgId, orgId]);
  });

  test('the company on screen is taken whoever vouches for another', async () => {
    const w = two({ [orgId]: [sender] });
    const { company } = await w.sync({ company_id: otherOrgId, bitrix_id: null, action: 'preview' });
    expect([company?.company_id, w.asked.length]).toEqual([otherOrgId, 1]);
  });

  test('where the CRM could not be asked about one, and an agent rejected the other’s company, that failed', async () => {
    const w = two({});
    const { answer } = w.crm;
    w.crm.answer = (id) => (id === orgId ? failed : answer(id));
    await rejectEarlier(w.db, { orgId: small, crmCompanyId: `crm ${otherOrgId}` });
    const { status } = await w.sync({ company_id: null, bitrix_id: null, action: 'preview' });
    expect(status).toBe('error');
  });
});

test('a customer that somebody put on the ticket since the preview is left there, and the agent is told', async () => {
  const w = withTheirs();
  await expect(w.sync({ expected_customer: '' })).rejects.toMatchObject({ code: 'changed_since' });
  expect([w.desk.writes, w.rows.syncs]).toEqual([[], []]);
});

describe('apply', () => {
  test('replaces the ticket’s customer, because the agent decides, and keeps who did it, once', async () => {
    const w = withTheirs();
    const data = SyncData.parse(await w.sync({ expected_customer: 'theirs' }));
    expect(data).toMatchObject({
      ticket: { customer: newName, previous_customer: 'theirs', linked: true },
      customer: { name: newName, created: true },
    });
    expect(w.desk.customerOf(ticket)).toBe(newName);
    const said = { orgId, crmCompanyId: '63001', customer: newName, previousCustomer: 'theirs' };
    expect(w.rows.syncs).toMatchObject([{ id: data.sync_id, agent: 'an@desk.example', ...said }]);
    // Pressed twice it is one Sync, and undo still knows what the ticket had before.
    w.desk.writes.length = 0;
    const second = await w.sync({ expected_customer: 'theirs' });
    expect([second.sync_id, second.ticket]).toEqual([data.sync_id, data.ticket]);
    expect(w.desk.writes).toEqual([]);
  });

  test('another company than the one on screen: 409 with both, nothing written (T4)', async () => {
    const w = enrichmentWorld();
    await expect(w.sync({ bitrix_id: '63009' })).rejects.toMatchObject({
      code: 'identity_conflict',
      conflict: { code: 'other_company_matched', asked: '63009', found: '63001' },
    });
    expect([w.desk.writes, w.rows.syncs]).toEqual([[], []]);
  });

  test('a customer whom somebody puts on the ticket meanwhile is not replaced, and nothing is confirmed', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', own);
    w.desk.before('link', () => w.link('theirs'));
    await expect(w.sync()).rejects.toMatchObject({ code: 'changed_since' });
    expect(w.desk.customerOf(ticket)).toBe('theirs');
    expect(await syncs.latest(w.db, w.desk.keyOf(ticket))).toBeNull();
  });

  test('a contact that comes meanwhile and is nobody else’s does not stop it, whoever vouches', async () => {
    const made = { custom_orgid: orgId, owner: 'Administrator', raised_by: sender };
    const w = enrichmentWorld({ claims: 'hold', made });
    w.desk.put('Contact', 'Vy', { owner: 'an@desk.example', email_id: sender });
    w.desk.before('link', () => w.desk.put('HD Ticket', ticket, { contact: 'Vy' }));
    expect((await w.sync()).ticket).toMatchObject({ customer: newName, linked: true });
    expect(w.desk.customerOf(ticket)).toBe(newName);
  });

  test('a reply that moves the ticket’s stamp meanwhile does not stop it', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', own);
    w.desk.before('link', () => w.link(null));
    expect((await w.sync()).ticket.linked).toBe(true);
  });
});

describe('a ticket that somebody else reads', () => {
  const stranger = 'ke@hopthu.example';
  const refused = {
    code: 'ticket_read_by_other',
    conflict: { code: 'read_by_other', asked: ticket, found: stranger },
    message: expect.stringContaining(stranger),
  };
  const world = (made: Record<string, unknown> = {}) => {
    const w = enrichmentWorld({ made: { custom_orgid: orgId, ...made } });
    w.desk.put('User', stranger, { user_type: 'Website User', enabled: 1, roles: [] });
    w.desk.put('Contact', stranger, { owner: stranger, email_id: sender });
    return w;
  };

  test.each([
    ['by its contact', 'Administrator', stranger],
    ['as its owner', stranger, null],
  ])('%s: neither a preview nor a Sync says anything of a company', async (_, owner, contact) => {
    const w = world({ owner, raised_by: sender });
    w.desk.put('HD Ticket', ticket, { contact });
    for (const action of ['preview', 'apply'] as const) await expect(w.sync({ action })).rejects.toMatchObject(refused);
    expect([w.desk.writes, w.rows.syncs]).toEqual([[], []]);
    // The agent mends it, and syncs.
    w.desk.put('Contact', 'Vy', { owner: 'an@desk.example', email_id: sender });
    w.desk.put('HD Ticket', ticket, { contact: 'Vy', raised_by: owner === stranger ? stranger : sender });
    w.ctx.gate.forgetTicket(ticket);
    expect((await w.sync()).ticket).toMatchObject({ customer: newName, linked: true });
  });

  test('from the moment of the Sync: it is taken back', async () => {
    const w = world();
    const rejected = await rejectEarlier(w.db, { ticket: w.desk.keyOf(ticket), orgId, crmCompanyId: '63001' });
    w.desk.before('link', () => w.desk.put('HD Ticket', ticket, { contact: stranger }));
    await expect(w.sync()).rejects.toMatchObject(refused);
    expect(w.desk.customerOf(ticket)).toBeNull();
    expect(await standingWords(w.db, w.desk.keyOf(ticket), sender)).toEqual(nobodysWord);
    expect((await rejections.standing(w.db, w.desk.keyOf(ticket), sender)).map(({ id }) => id)).toEqual([rejected]);
  });
});

test.each([
  ['missing_orgid', { company_id: null }, { made: { custom_orgid: null } }, matched(sampleCompany())],
  ['disabled', {}, { crmEnabled: false }, matched(sampleCompany())],
  ['missing_config', {}, { configured: false }, matched(sampleCompany())],
  ['not_found', {}, {}, notFound],
  ['error', {}, {}, failed],
])('where nothing is done, the status says why: %s', async (status, input, options, answer) => {
  const w = enrichmentWorld(options);
  // What the CRM said before it failed does not count.
  await searchCompany({ ...w.ctx, crm: w.layers }, orgId, { refresh: false, lane: 'click' });
  w.crm.answer = () => answer;
  const data = SyncData.parse(await w.sync(input));
  expect(data).toMatchObject({ status, sync_id: null, customer: null, ticket: { linked: false } });
  expect(w.desk.writes).toEqual([]);
});

test('an answer says what was done, or why nothing was', async () => {
  const w = enrichmentWorld();
  const asked = {
    ...{ ticket, company_id: orgId, bitrix_id: null, sync_id: null, expected_customer: null },
    adopt: null,
  };
  const run = async (how: { action: 'preview' | 'apply' | 'undo'; sync_id?: string | null; company_id?: null }) => {
    const data = await syncEndpoint.handle(w.call(), { ...asked, reroute: false, ...how });
    return { sync_id: data.sync_id, said: [syncEndpoint.message(data), syncEndpoint.success?.(data)] };
  };
  expect((await run({ action: 'preview' })).said).toEqual(['Nothing has been changed yet.', true]);
  const { sync_id, said } = await run({ action: 'apply' });
  expect(said).toEqual(['Customer synced.', true]);
  const undone = 'Sync undone. The history of the ticket keeps what it showed.';
  expect((await run({ action: 'undo', sync_id })).said).toEqual([undone, true]);
  expect(w.desk.customerOf(ticket)).toBeNull();
  w.crm.answer = () => notFound;
  expect((await run({ action: 'apply' })).said).toEqual(['No CRM company found.', false]);
  const without = enrichmentWorld({ made: { custom_orgid: null } });
  const data = await without.sync({ company_id: null, bitrix_id: null });
  expect([syncEndpoint.message(data), syncEndpoint.success?.(data)]).toEqual(['Ticket has no Company ID.', false]);
});

describe('who may', () => {
  test.each(['preview', 'apply'] as const)('%s needs the right to write the ticket', async (action) => {
    const w = enrichmentWorld();
    w.desk.agentsMay('HD Ticket', { write: false });
    await expect(w.sync({ action })).rejects.toMatchObject({ code: 'ticket_not_writable' });
    await expect(w.sync({ action, caller: portalCustomer })).rejects.toMatchObject({ code: 'not_an_agent' });
    await expect(w.undo('sync-1')).rejects.toMatchObject({ code: 'ticket_not_writable' });
    expect(w.desk.writes).toEqual([]);
  });
});

describe('undo', () => {
  async function synced() {
    const w = withTheirs();
    const { sync_id } = await w.sync();
    return { w, id: sync_id ?? '' };
  }

  test('gives the ticket its previous customer back and forgets the confirmation; twice is the same as once', async () => {
    const { w, id } = await synced();
    const first = SyncData.parse(await w.undo(id));
    expect(first).toMatchObject({
      action: 'undo',
      ticket: { customer: 'theirs', previous_customer: newName, linked: false },
    });
    expect(w.desk.customerOf(ticket)).toBe('theirs');
    expect(await syncs.latest(w.db, w.desk.keyOf(ticket))).toBeNull();
    w.desk.writes.length = 0;
    expect(await w.undo(id)).toEqual(first);
    expect(w.desk.writes).toEqual([]);
  });

  test.each(['somebody else’s', null])(
    'is refused where the customer has become %j since, whether its own is still there or not',
    async (now) => {
      const { w, id } = await synced();
      w.link(now);
      for (const isGone of [false, true]) {
        if (isGone) w.desk.customers.delete(newName);
        await expect(w.undo(id)).rejects.toMatchObject({ code: 'changed_since' });
        expect(w.desk.customerOf(ticket)).toBe(now);
      }
    },
  );

  test('finds a customer that was renamed since', async () => {
    const { w, id } = await synced();
    const facts = w.desk.customers.get(newName);
    w.desk.customers.delete(newName);
    w.desk.customers.set('renamed', facts ?? {});
    w.link('renamed');
    expect((await w.undo(id)).ticket.customer).toBe('theirs');
  });

  test('is refused where a person has put another customer of the company there', async () => {
    const { w, id } = await synced();
    w.desk.customers.set('a twin', { platformOrgId: orgId });
    w.link('a twin');
    await expect(w.undo(id)).rejects.toMatchObject({ code: 'changed_since' });
    expect(w.desk.customerOf(ticket)).toBe('a twin');
  });

  test('of another ticket’s sync, or of none, is 404', async () => {
    const { w, id } = await synced();
    await expect(w.undo('nothing')).rejects.toMatchObject({ code: 'sync_not_found' });
    w.store.database.exec("update syncs set ticket = '999'");
    await expect(w.undo(id)).rejects.toMatchObject({ code: 'sync_not_found' });
  });

  test('a helpdesk that gives the ticket its contact’s customer again is told as it is', async () => {
    const w = enrichmentWorld({ desk: newDesk({ generation: '1.24' }) });
    w.desk.customers.set('of contact');
    const links = [{ link_doctype: 'HD Customer', link_name: 'of contact' }];
    w.desk.put('Contact', 'Vy', { email_ids: [{ email_id: sender }], links });
    w.desk.put('HD Ticket', ticket, { contact: 'Vy' });
    const { sync_id } = await w.sync();
    expect((await w.undo(sync_id ?? '')).ticket.customer).toBe('of contact');
    expect(await syncs.latest(w.db, w.desk.keyOf(ticket))).toBeNull();
  });
});

test('a Sync whose link could not be written vouches for nobody', async () => {
  const w = enrichmentWorld();
  w.desk.failNext('tickets.write');
  await expect(w.sync()).rejects.toMatchObject({ code: 'helpdesk_unavailable' });
  expect(await standingWords(w.db, w.desk.keyOf(ticket), sender)).toEqual(nobodysWord);
  await w.sync();
  expect(await syncs.latest(w.db, w.desk.keyOf(ticket))).toMatchObject({ orgId });
  // Pressed once more, and broken off: what it did before stands.
  w.desk.failNext('tickets.clear');
  await expect(w.sync()).rejects.toMatchObject({ code: 'helpdesk_unavailable' });
  expect(await syncs.latest(w.db, w.desk.keyOf(ticket))).toMatchObject({ orgId });
});
