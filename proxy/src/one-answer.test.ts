import { contract } from '@deskside/shared/contract';
import type { OrgId } from '@deskside/shared/orgid';
import type { ProfileData } from '@deskside/shared/profile';
import { expect, test } from 'vitest';
import { enrichCompany } from '#customers/enrich.ts';
import { getProfile } from '#profile/get-profile.ts';
import { testApp } from '#server/testing/test-app.ts';
import { sender } from '#testing/desk-seed.ts';
import { callBy } from '#testing/test-context.ts';
import { growing, matched, medium, modifiedAt, notFound, sampleCompany } from './crm/testing/sample-companies.ts';
import { byStranger, pipelineWorld } from './testing/pipeline-kit.ts';

const [scale, grow] = ['OMNI SCALE 2025', 'OMNI GROW 2025'];
const minute = 60_000;

/** A routed ticket of a company on the Scale plan, which the CRM has moved to a Grow plan since. */
async function afterTheMove({ isNew = true } = {}) {
  const w = pipelineWorld({ ttlMinutes: 60 });
  const record = (at: string, plan: string) => JSON.stringify({ ID: '63001', DATE_MODIFY: at, PLAN: plan });
  w.crm.records['63001'] = record('1', scale);
  w.crm.answer = () => matched(sampleCompany({}, { current_shopplan: scale }));
  await w.route('1', { custom_orgid: medium });
  const customer = w.desk.customerOf('1') ?? '';
  expect([w.desk.customers.get(customer)?.shopPlan, (await w.decided('1'))?.outcome.team]).toEqual([
    scale,
    'Medium - Scale',
  ]);
  w.clock.advance(minute);
  const moved = sampleCompany({ modifiedAt: isNew ? modifiedAt + minute : modifiedAt }, { current_shopplan: grow });
  w.crm.records['63001'] = record(isNew ? '2' : '1', grow);
  w.crm.answer = () => matched(moved);
  w.desk.writes.length = 0;
  w.crm.requests.length = 0;
  const call = callBy(w.ctx, 'an');
  return {
    ...w,
    record: () => w.desk.customers.get(customer),
    customer,
    async look(refresh: boolean) {
      const { bitrix } = await getProfile(call, { ticket: '1', refresh });
      await w.ctx.background.idle();
      return bitrix;
    },
    enrich: (force = false) => enrichCompany(call, { orgid: medium, force, hd_customer: null, ticket: null }),
  };
}

test('after an agent’s refresh panel, Sync, enrichment and the next decision go by the new answer', async () => {
  const w = await afterTheMove();
  expect(await w.look(false)).toMatchObject({ status: 'cached', company: { current_shopplan: scale } });
  expect(await w.look(true)).toMatchObject({ status: 'matched', company: { current_shopplan: grow } });
  // The ticket's customer is that company's.
  expect(w.record()).toMatchObject({ shopPlan: grow, companyModifiedAt: modifiedAt + minute });
  expect(w.desk.writes).toContain('snapshot 63001');
  expect(await w.look(false)).toMatchObject({ status: 'cached', company: { current_shopplan: grow } });
  expect(await w.enrich()).toMatchObject({ status: 'cached', changes: [] });
  expect(await w.sync('1', medium)).toMatchObject({ status: 'cached', changes: [] });
  await w.route('2', { custom_orgid: medium });
  expect((await w.decided('2'))?.outcome).toMatchObject({ team: 'Medium - Grow' });
  expect(w.crm.asked).toEqual([medium]);
});

test('who asks for a profile twice within a second is told the second time that it comes from the cache', async () => {
  const w = await afterTheMove();
  const app = testApp({
    ctx: w.ctx,
    verbs: { customerProfile: (asked, signal) => getProfile({ ...w.ctx, ...asked, signal }, asked) },
  });
  w.clock.advance(61 * minute);
  const authorization = callBy(w.ctx, 'an').caller.authorization;
  const ask = async () => {
    const answer = await app.request(`${contract.customerProfile.path}?ticket=1`, { headers: { authorization } });
    const { data } = (await answer.json()) as { data: ProfileData };
    return [data.bitrix.status, data.bitrix.cached];
  };
  expect([await ask(), await ask()]).toEqual([
    ['matched', false],
    ['cached', true],
  ]);
});

test('a Sync after somebody else’s refresh of the company brings its customer up to date', async () => {
  const w = await afterTheMove();
  w.desk.insert('2', { custom_orgid: medium });
  await getProfile(callBy(w.ctx, 'ba'), { ticket: '2', refresh: true });
  const synced = await w.sync('1', medium);
  expect(synced).toMatchObject({ status: 'cached' });
  expect(synced.changes).toContainEqual({ field: 'custom_shopplan_name', from: scale, to: grow });
  expect(w.record()?.shopPlan).toBe(grow);
});

test('an answer that a look at an unknown company has brought is what enrichment and routing have as well', async () => {
  const w = await afterTheMove();
  w.clock.advance(61 * minute);
  await w.look(false);
  expect(await w.enrich()).toMatchObject({ status: 'cached' });
  expect(w.record()?.shopPlan).toBe(grow);
  expect(w.crm.asked).toEqual([medium]);
});

test('where claims are held, evidence that a refresh has brought is what routing goes by as well', async () => {
  const w = pipelineWorld({ claims: 'hold', ttlMinutes: 60 });
  await w.route('1', { custom_orgid: medium, owner: sender, raised_by: sender });
  expect([w.desk.customerOf('1'), (await w.decided('1'))?.inputs.org_id?.trust?.level]).toEqual([null, 'claimed']);
  w.crm.answer = () => matched(sampleCompany({ emails: [sender] }));
  w.clock.advance(minute);
  const { bitrix } = await getProfile(callBy(w.ctx, 'an'), { ticket: '1', refresh: true });
  await w.ctx.background.idle();
  await w.processInbox();
  expect(bitrix.lookup_trust?.level).toBe('confirmed');
  expect([w.desk.customerOf('1'), (await w.decided('1'))?.inputs.org_id?.trust?.level]).toEqual([
    `Shop ${medium} - ${medium}`,
    'confirmed',
  ]);
});

test('the account owner whom a look has told stays on the ticket, whatever is decided of it afterwards', async () => {
  const w = pipelineWorld({ ttlMinutes: 60 });
  const call = callBy(w.ctx, 'an');
  const owner = 'an@crm.example';
  const look = async (ticket: string) => {
    await getProfile(call, { ticket, refresh: false });
    await w.ctx.background.idle();
  };
  // Looked at before it is routed, and again decided after it has been.
  w.desk.insert('1', { ...byStranger, custom_orgid: medium });
  await w.hear('1');
  await look('1');
  expect(w.desk.routingOf('1').responsible).toBe(owner);
  await w.run('1');
  expect(w.desk.routingOf('1')).toMatchObject({ agentGroup: 'Medium - Scale', responsible: owner });

  w.crm.isDown = true;
  await w.route('2', { ...byStranger, custom_orgid: growing });
  expect((await w.decided('2'))?.outcome.fallback).toBe('crm');
  w.crm.isDown = false;
  w.clock.advance(minute);
  await look('2');
  await w.run('2');
  expect(await w.decisionsOn('2')).toHaveLength(2);
  expect(w.desk.routingOf('2').responsible).toBe(owner);
});

test('a refresh with an unchanged DATE_MODIFY writes the time of the check alone, and what is blank', async () => {
  const w = await afterTheMove({ isNew: false });
  w.desk.customers.edit(w.customer, { segment: '' });
  for (const ask of [() => w.look(true), () => w.enrich(true)]) {
    w.clock.advance(minute);
    await ask();
    expect(w.record()).toMatchObject({ shopPlan: scale, segment: 'Medium', lastCheckedAt: w.clock() });
  }
  expect(w.desk.writes.filter((write) => write.startsWith('snapshot'))).toEqual([]);
});

test.each<[string, { platformOrgId?: OrgId }]>([
  ['another company’s', { platformOrgId: growing }],
  ['nobody’s', {}],
])('a refresh brings no customer up to date that is %s', async (_, own) => {
  const w = await afterTheMove();
  const { answer } = w.crm;
  w.crm.answer = (orgId) => (orgId === medium ? answer(orgId) : notFound);
  w.desk.customers.set('Other', own);
  w.desk.setsCustomer('1', 'Other');
  expect(await w.look(true)).toMatchObject({ company: { current_shopplan: grow } });
  const { platformOrgId, shopPlan } = w.desk.customers.get('Other') ?? {};
  expect([platformOrgId, shopPlan]).toEqual([own.platformOrgId, undefined]);
  expect(w.record()?.shopPlan).toBe(scale);
});

test('a refresh brings no customer up to date that a website user could have given its name', async () => {
  const w = await afterTheMove();
  const named = `Mine - ${medium}`;
  w.desk.customers.set(named);
  w.desk.setsCustomer('1', named);
  w.ctx.helpdesk.rights.isDeskOnly = async () => false;
  w.desk.writes.length = 0;
  await w.look(true);
  expect(w.desk.writes.filter((write) => write.includes(named))).toEqual([]);
  w.ctx.helpdesk.rights.isDeskOnly = async () => true;
  await w.look(true);
  expect(w.desk.customers.get(named)).toMatchObject({ platformOrgId: medium, shopPlan: grow });
});

test('a refresh that finds no company any more says so on the customer, and blanks nothing', async () => {
  const w = await afterTheMove();
  w.crm.answer = () => notFound;
  await w.look(true);
  expect(w.record()).toMatchObject({ syncStatus: 'not_found', notFoundAt: w.clock(), shopPlan: scale });
});
