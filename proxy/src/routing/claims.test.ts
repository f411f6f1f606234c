import type { OrgId } from '@deskside/shared/orgid';
import { describe, expect, test } from 'vitest';
import { growing, matched, medium, sampleCompany, small } from '#crm/testing/sample-companies.ts';
import { recordResponsible } from '#profile/follow-up.ts';
import { getProfile } from '#profile/get-profile.ts';
import * as deskList from '#store/desk-list.ts';
import { waitingIn } from '#store/testing/inserted.ts';
import { service } from '#testing/desk-seed.ts';
import {
  byAgent,
  byStranger,
  type PipelineWorld,
  pipelineWorld,
  saysOrgId,
  standing,
  stranger,
  withOrgId,
} from '#testing/pipeline-kit.ts';
import { callBy } from '#testing/test-context.ts';
import { judgeClaimsAgain, judgeTicketAgain } from './retry.ts';
import { cs, grow, scale } from './testing/pipeline-rules.ts';

test('a claim never takes a ticket from the customer that it has, nor turns that customer into another (decision 9)', async () => {
  for (const own of [null, small]) {
    const w = pipelineWorld();
    w.desk.customers.set('Khách lẻ', { ...(own && { platformOrgId: own }), segment: 'SME', shopPlan: 'Grow' });
    await w.route('1', withOrgId(medium, { customer: 'Khách lẻ' }));
    // The customer decides the segment, whatever company is claimed beside it.
    expect(standing(w, '1')).toMatchObject({ customer: 'Khách lẻ', group: cs });
    expect(w.desk.routingOf('1').servicePlan).toBe('Grow');
    expect(w.desk.customers.get('Khách lẻ')).toMatchObject({ platformOrgId: own ?? undefined });
    // Nor does it make one of its own, which the ticket would not be linked to.
    expect(w.desk.all('HD Customer').map(({ name }) => name)).toEqual(['Khách lẻ']);
  }
});

describe('what was seen at first counts, whatever happens before the decision is kept', () => {
  test('an agent’s entry, though linking has written the ticket since', async () => {
    const w = pipelineWorld({ claims: 'hold', ticket: withOrgId(medium, byAgent) });
    w.desk.failNext('people.readTeam');
    await w.run('1').catch(() => {});
    await w.process().run('1');
    const customer = `Shop ${medium} - ${medium}`;
    expect(standing(w, '1')).toMatchObject({ group: scale, customer, assigned: ['an@desk.example'] });
    expect((await w.decided('1'))?.inputs.org_id?.trust?.level).toBe('likely');
  });

  test('an org id that the service itself has written is no agent’s entry, whoever saves the ticket afterwards', async () => {
    const w = pipelineWorld({ claims: 'hold' });
    w.crm.isDown = true;
    await w.route('1', withOrgId(null, { ...byAgent, description: saysOrgId }));
    w.desk.setsCustomer('1', null, 'an@desk.example');
    w.crm.isDown = false;
    w.clock.advance(60_000);
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, customer: null });
    expect((await w.decided('1'))?.inputs.org_id?.trust?.level).toBe('claimed');
  });
});

test('a Sync pressed while a held claim’s decision is half carried out confirms it, without anybody looking again', async () => {
  const w = pipelineWorld({ claims: 'hold', ticket: withOrgId(medium, byStranger) });
  w.desk.before('assign', () => w.desk.failNext('tickets.write'));
  await w.run('1').catch(() => {});
  expect((await w.decided('1'))?.state).toBe('planned');
  w.clock.advance(1_000);
  await w.sync('1', medium);
  expect(await w.process().run('1')).toBe(w.clock());
  await w.run('1');
  expect(await w.decided('1')).toMatchObject({ cause: 'confirmed', state: 'applied' });
});

test('a held claim’s ticket that is deleted while its decision is carried out is done with', async () => {
  const w = pipelineWorld({ claims: 'hold', ticket: withOrgId(medium, byStranger) });
  w.desk.failNext('assignments.add');
  await w.run('1').catch(() => {});
  w.desk.before('route', () => w.desk.remove('HD Ticket', '1'));
  expect(await w.process().run('1')).toBeNull();
});

test('a held claim that was decided without the CRM, and overruled, is confirmed all the same', async () => {
  const w = pipelineWorld({ claims: 'hold', ticket: withOrgId(medium, byStranger) });
  w.crm.isDown = true;
  w.desk.before('route', () => w.desk.personSetsGroup('1', grow));
  await w.run('1');
  expect((await w.decided('1'))?.state).toBe('overruled');
  w.crm.isDown = false;
  w.clock.advance(60_000);
  await w.sync('1', medium);
  await w.run('1');
  expect((await w.decided('1'))?.cause).toBe('confirmed');
});

test.each([
  ['before', null],
  ['while', 'route'],
])('a Sync of a ticket that a person has taken from us %s it was decided decides nothing anew', async (_, verb) => {
  const w = pipelineWorld({ ticket: withOrgId(medium, byAgent) });
  const take = () => w.desk.personSetsGroup('1', grow);
  if (verb === null) take();
  else w.desk.before(verb, take);
  await w.run('1');
  w.clock.advance(1_000);
  await w.sync('1', medium);
  await w.run('1');
  expect(await w.decisionsOn('1')).toHaveLength(1);
});

test('a held claim of a company that nobody knows is not decided by what the sender filled in', async () => {
  const w = pipelineWorld({ claims: 'hold' });
  await w.route('1', withOrgId('1700000009', { ...byStranger, custom_customer_segment: 'Medium' }));
  expect(standing(w, '1').group).toBe(cs);
  expect((await w.decided('1'))?.inputs.looked_up).toMatchObject({ segment: null, source: 'crm' });
});

/** The CRM has the stranger's address by now, and says that something has changed. */
async function announce(w: PipelineWorld) {
  w.clock.advance(1_000);
  w.crm.answer = () => matched(sampleCompany({ emails: [stranger] }));
  await judgeClaimsAgain(w.ctx, (await w.ctx.crm?.noteEvent({ kind: 'changed', companyId: '63001' })) ?? []);
}

/** The answer that is on its way does not have the address yet. */
function announceWhileItAnswers(w: PipelineWorld) {
  const { answer: before } = w.crm;
  w.crm.whileAsking = async () => {
    w.crm.whileAsking = () => {};
    await announce(w);
    const { answer: after } = w.crm;
    w.crm.answer = (orgId) => {
      w.crm.answer = after;
      return before(orgId);
    };
  };
}

/** Something happens once a claim has been judged, before its decision is kept. */
function beforeItIsKept(w: PipelineWorld, then: () => Promise<unknown>) {
  const { people } = w.desk.helpdesk;
  const { readTeam } = people;
  people.readTeam = async (...asked) => {
    people.readTeam = readTeam;
    await then();
    return readTeam(...asked);
  };
}

test.each<[string, (w: PipelineWorld) => void]>([
  ['while it answers', announceWhileItAnswers],
  ['once it has answered', (w) => beforeItIsKept(w, () => announce(w))],
  [
    'and an agent has already looked',
    (w) =>
      beforeItIsKept(w, async () => {
        await announce(w);
        await getProfile(callBy(w.ctx, 'an'), { ticket: '1', refresh: false });
      }),
  ],
])('a change that the CRM announces before a held claim’s first decision is kept confirms it: %s', async (_, comes) => {
  const w = pipelineWorld({ claims: 'hold', ttlMinutes: 60, ticket: withOrgId(medium, byStranger) });
  comes(w);
  await w.run('1');
  expect((await w.decided('1'))?.inputs.org_id?.trust?.level).toBe('claimed');
  await w.processInbox();
  expect(await w.decided('1')).toMatchObject({ cause: 'confirmed', state: 'applied' });
  expect(await waitingIn(w.db)).toBe(0);
});

describe('claims: hold, and a sender who writes at the right moment', () => {
  test.each([
    ['an accomplice saved it last', 'accomplice@mail.example'],
    ['the service saved it last', service],
    ['the helpdesk saved it last', 'Administrator'],
  ])('a group that came with a sender’s insert is kept as the sender’s: %s', async (_, by) => {
    const w = pipelineWorld({ claims: 'hold', ticket: withOrgId(medium, { ...byStranger, agent_group: grow }) });
    w.desk.changes('1', by, {});
    await w.run('1');
    const reason = `Group kept as the sender chose it: ${grow}.`;
    expect(standing(w, '1')).toMatchObject({ group: grow, reason, assigned: [] });
  });

  test('a group stays, and the reason says whose it is, where no webhook told of the insert', async () => {
    for (const [by, kept] of [
      [stranger, 'Group kept as the sender chose it:'],
      ['accomplice@mail.example', 'Manual routing kept:'],
      ['an@desk.example', 'Manual routing kept:'],
      ['Administrator', 'Manual routing kept:'],
    ] as const) {
      const w = pipelineWorld({
        claims: 'hold',
        ticket: withOrgId(medium, { owner: 'Administrator', raised_by: stranger }),
      });
      w.desk.changes('1', by, { agent_group: grow });
      await w.runFound('1');
      expect([by, standing(w, '1')]).toMatchObject([by, { group: grow, reason: `${kept} ${grow}.` }]);
    }
  });

  test('a sender’s group does not overrule the decision while that is made; an agent’s does', async () => {
    for (const [by, group] of [
      [stranger, scale],
      ['an@desk.example', grow],
    ] as const) {
      const w = pipelineWorld({ claims: 'hold', ticket: withOrgId(medium, byStranger) });
      w.crm.whileAsking = () => {
        w.desk.personSetsGroup('1', grow, by);
        // Our own save, which has the contact filled in, hides nobody's.
        w.desk.put('Contact', 'Khách', { owner: 'an@desk.example', email_id: stranger });
      };
      await w.runFound('1');
      expect([by, standing(w, '1').group]).toEqual([by, group]);
      const state = group === scale ? 'assigned' : 'withdrawn';
      expect([by, (await w.decided('1'))?.assignment.state]).toEqual([by, state]);
    }
  });

  test('an org id that the CRM does not have leaves the segment to the customer that stands on the ticket', async () => {
    const w = pipelineWorld({ claims: 'hold' });
    w.desk.customers.set('Khác', { platformOrgId: medium, segment: 'Medium', shopPlan: 'Scale' });
    await w.route('1', withOrgId('1234567', { ...byAgent, customer: 'Khác' }));
    expect(standing(w, '1').group).toBe(scale);
  });
});

test('once the CRM has the sender’s address, the next look at the profile and the ticket go by it alike (decision 9)', async () => {
  const w = pipelineWorld({ claims: 'hold', ttlMinutes: 60 });
  await w.route('1', withOrgId(medium, { owner: stranger, raised_by: stranger }));
  expect(standing(w, '1').customer).toBeNull();
  const untold = { segment: null, servicePlan: null, shopplan: null, checkedAt: null, crmLastCheckedAt: null };
  expect(w.desk.routingOf('1')).toMatchObject(untold);
  w.crm.answer = () => matched(sampleCompany({ emails: [stranger] }));
  const call = callBy(w.ctx, 'an');
  const { bitrix } = await getProfile(call, { ticket: '1', refresh: true });
  expect(bitrix.lookup_trust?.level).toBe('confirmed');
  await w.ctx.background.idle();
  await w.processInbox();
  expect(standing(w, '1').customer).toContain(medium);
  expect((await w.decided('1'))?.cause).toBe('confirmed');
  // The company has moved to another plan since: an agent has the ticket, so the team stays, and the reason says so.
  const reason = expect.stringMatching(/^Auto-routed: .* Shopplan=Grow 2024, .* Target team=Medium - Scale\./);
  expect(standing(w, '1')).toMatchObject({ group: scale, reason });
});

test('where the CRM’s two fields name different companies, neither’s address vouches, for profile and ticket alike', async () => {
  const w = pipelineWorld({ claims: 'hold', ttlMinutes: 60 });
  const ofField = (field: string, bitrix_id: string, email: string) =>
    sampleCompany({ emails: [email], matchedFields: [field] }, { bitrix_id });
  for (const [shown, written] of [
    [stranger, 'other@shop.example'],
    ['other@shop.example', stranger],
  ] as const) {
    const companies = [
      ofField('UF_CRM_COMPANY_ID', '70001', shown),
      ofField('UF_CRM_PLATFORM_ORG_ID', '70002', written),
    ] as const;
    w.crm.answer = () => matched(...companies);
    await w.route(shown, withOrgId(medium, { owner: stranger, raised_by: stranger }));
    const { bitrix } = await getProfile(callBy(w.ctx, 'an'), { ticket: shown, refresh: true });
    expect((await w.decided(shown))?.inputs.org_id?.trust?.level).toBe('claimed');
    expect(bitrix).toMatchObject({ lookup_trust: { level: 'claimed' }, company: { bitrix_id: '70001' } });
  }
});

test('only tickets that were decided on a claim come before the pipeline again, by the company or by the ticket', async () => {
  const w = pipelineWorld({ claims: 'hold' });
  w.desk.insert('claimed', withOrgId(medium, byStranger));
  w.desk.insert('without', withOrgId(null, byStranger));
  w.desk.insert('kept', withOrgId(null, { ...byAgent, agent_group: grow }));
  for (const name of ['claimed', 'without', 'kept']) await w.run(name);
  for (const name of ['without', 'kept']) await judgeTicketAgain(w.ctx, w.desk.keyOf(name));
  await judgeTicketAgain(w.ctx, { ...w.desk.keyOf('without'), name: 'never seen' });
  await judgeClaimsAgain(w.ctx, [small]);
  expect(await waitingIn(w.db)).toBe(0);
  await judgeClaimsAgain(w.ctx, [small, medium]);
  expect(w.rows.waiting).toEqual(['claimed']);
  await w.processInbox();
  expect(await waitingIn(w.db)).toBe(0);
  await judgeTicketAgain(w.ctx, w.desk.keyOf('claimed'));
  expect(w.rows.waiting).toEqual(['claimed']);
});

test('a held claim that the ticket does not make any more is not confirmed', async () => {
  const w = pipelineWorld({ claims: 'hold' });
  await w.route('1', withOrgId(medium, byStranger));
  w.desk.changes('1', 'an@desk.example', { custom_orgid: null });
  await judgeTicketAgain(w.ctx, w.desk.keyOf('1'));
  await w.processInbox();
  expect(await w.decisionsOn('1')).toHaveLength(1);
});

test('a claim whose company another customer has decides by that one where the ticket’s own, made by hand, says nothing', async () => {
  for (const orgId of [medium, '1234567' as OrgId]) {
    const w = pipelineWorld();
    w.desk.customers.set('Shop', { platformOrgId: orgId, segment: 'Medium', shopPlan: 'Scale' });
    w.desk.customers.set('Khách lẻ', {});
    w.desk.insert('1', withOrgId(orgId, byStranger));
    w.desk.setsCustomer('1', 'Khách lẻ', service);
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, customer: 'Khách lẻ' });
    const { inputs, link } = (await w.decided('1')) ?? expect.fail();
    expect([inputs.customer?.checked_at, link]).toEqual([new Date(w.clock()).toISOString(), null]);
    expect(w.desk.routingOf('1')).toMatchObject({ segment: null, servicePlan: null });
  }
});

test('a held claim of the ticket’s own customer decides as a claim, and offers no link', async () => {
  const w = pipelineWorld({ claims: 'hold' });
  w.desk.customers.set('Shop', { platformOrgId: medium, segment: 'Medium', shopPlan: 'Scale' });
  w.desk.insert('1', withOrgId(medium, byStranger));
  w.desk.setsCustomer('1', 'Shop', service);
  await w.run('1');
  const { inputs, link } = (await w.decided('1')) ?? expect.fail();
  expect([inputs.looked_up?.segment, link]).toEqual(['Medium', null]);
  await w.route('2', withOrgId(medium, byStranger));
  const offered = { customer: `Shop ${medium} - ${medium}`, previous: null, done: false };
  expect((await w.decided('2'))?.link).toEqual(offered);
});

test('a claim that is confirmed gives no team where the sender’s choice was kept and taken away', async () => {
  const w = pipelineWorld({ claims: 'hold' });
  await w.route('1', withOrgId(medium, { ...byStranger, agent_group: grow }));
  w.desk.personSetsGroup('1', null);
  w.clock.advance(1_000);
  await w.sync('1', medium);
  await w.run('1');
  expect((await w.decided('1'))?.cause).toBe('confirmed');
  expect(standing(w, '1')).toMatchObject({ group: null, reason: `Group kept as the sender chose it: ${grow}.` });
});

test('a claim that is looked at again while the CRM fails is looked at once the CRM answers', async () => {
  const w = pipelineWorld({ claims: 'hold' });
  await w.route('1', withOrgId(medium, byStranger));
  w.crm.answer = () => matched(sampleCompany({ emails: [stranger] }));
  w.crm.isDown = true;
  w.clock.advance(2 * 3_600_000);
  await judgeClaimsAgain(w.ctx, [medium]);
  await w.processInbox();
  expect(w.rows.work.get('1')?.dueAt).toBe(w.clock() + 60_000);
  w.crm.isDown = false;
  w.clock.advance(60_000);
  await w.processInbox();
  expect((await w.decided('1'))?.cause).toBe('confirmed');
});

test('a customer that somebody else has put on the ticket at that moment is no link of ours', async () => {
  const w = pipelineWorld({ claims: 'accept' });
  await w.route('1', withOrgId(medium, byStranger));
  const { customer } = standing(w, '1');
  w.desk.insert('2', withOrgId(medium, byStranger));
  w.desk.before('link', () => w.desk.setsCustomer('2', customer, 'an@desk.example'));
  await w.run('2');
  expect(standing(w, '2').customer).toBe(customer);
  expect((await w.decided('2'))?.link).toBeNull();
});

test('a Sync brings its ticket’s open claim before the pipeline again (decision 9)', async () => {
  const w = pipelineWorld({ claims: 'hold' });
  await w.route('1', withOrgId(medium, byStranger));
  await w.sync('1', medium);
  await w.ctx.background.idle();
  await w.processInbox();
  expect((await w.decided('1'))?.cause).toBe('confirmed');
});

const longAgo = '2020-01-01 00:00:00';
/** What the sender filled into the service's fields. */
const typed = {
  custom_responsible: 'me@mail.example',
  custom_platform_service_plan: 'Scale',
  custom_crm_not_found_at: longAgo,
  custom_crm_last_checked_at: longAgo,
  custom_platform_profile_checked_at: longAgo,
};

function claim(orgId: string, more: Record<string, unknown> = {}) {
  const w = pipelineWorld({
    claims: 'accept',
    ticket: withOrgId(orgId, { ...byStranger, custom_customer_segment: 'Medium', ...more }),
  });
  return { ...w, w, seen: () => w.desk.routingOf('1') };
}

describe('claims: accept', () => {
  test.each([
    ['on the portal', {}],
    ['by mail', { owner: 'Administrator', via_customer_portal: 0 }],
  ])('what we have no value for is blanked where the sender filled it in, and ours is not: %s', async (_, made) => {
    const { w, seen, clock } = claim(medium, { ...typed, ...made });
    w.crm.isDown = true;
    await w.run('1');
    const blank = { responsible: null, servicePlan: null, crmNotFoundAt: null, crmLastCheckedAt: null };
    expect(seen()).toMatchObject(blank);
    expect(seen()).toMatchObject({ status: 'API Error', error: 'CRM error: timeout', checkedAt: clock() });
    // The panel has told the owner since; the repair that follows is no reason to take it back.
    w.desk.changes('1', 'deskside@desk.example', { custom_responsible: 'an@crm.example' });
    w.crm.isDown = false;
    clock.advance(60_000);
    await w.run('1');
    const mended = { status: 'Complete', error: null, crmLastCheckedAt: clock() };
    expect(seen()).toMatchObject({ responsible: 'an@crm.example', ...mended });
  });

  test('what an agent filled in stays, though the helpdesk’s own account has saved the ticket since', async () => {
    const w = pipelineWorld({ ticket: withOrgId(null, { ...byAgent, ...typed, description: saysOrgId }) });
    w.desk.changes('1', 'Administrator', { subject: 'Gấp' });
    w.crm.isDown = true;
    await w.run('1');
    expect((await w.decided('1'))?.inputs.org_id?.trust?.level).toBe('claimed');
    expect(w.desk.routingOf('1').responsible).toBe(typed.custom_responsible);
  });

  test('our first decision leaves the account owner whom our own profile has told, and no other', async () => {
    const ours = { id: '9', active: true, email: 'am@crm.example', name: 'AM', user_type: 'employee' } as const;
    const { w, seen } = claim(medium);
    const told = { orgId: medium, owner: { ...ours, status: 'active' } } as const;
    recordResponsible(w.ctx, (await w.desk.fileOf('1')).ticket, told);
    await w.ctx.background.idle();
    expect(seen().responsible).toBe(ours.email);
    await w.run('1');
    expect(seen()).toMatchObject({ responsible: ours.email, segment: 'Medium' });
    // Who takes it off has it told again at the next look.
    w.desk.changes('1', 'an@desk.example', { custom_responsible: null });
    recordResponsible(w.ctx, (await w.desk.fileOf('1')).ticket, told);
    await w.ctx.background.idle();
    expect(seen().responsible).toBe(ours.email);
  });

  /** A stranger's ticket on which an agent has set the customer of another company, whose account owner it then tells. */
  async function ownerTold() {
    const w = pipelineWorld();
    w.desk.customers.set('Shop', { platformOrgId: medium, segment: 'Medium', shopPlan: 'Scale' });
    w.desk.insert('1', withOrgId(growing, byStranger));
    await w.hear('1');
    w.desk.setsCustomer('1', 'Shop', 'an@desk.example');
    const owner = { id: '9', active: true, email: 'am@crm.example', name: 'AM', user_type: 'employee' } as const;
    const told = { orgId: medium, owner: { ...owner, status: 'active' } } as const;
    recordResponsible(w.ctx, (await w.desk.fileOf('1')).ticket, told);
    await w.ctx.background.idle();
    return { w, owner };
  }

  test('our first decision leaves the account owner of the customer that an agent has set, too', async () => {
    const { w, owner } = await ownerTold();
    await w.run('1');
    expect(w.desk.routingOf('1')).toMatchObject({ agentGroup: scale, responsible: owner.email });
  });

  test.each([
    ['stays with what the decision tells of it, where an agent takes it off', null, 'an@desk.example', 'Medium'],
    ['goes where the helpdesk puts another one there', 'Other', 'Administrator', null],
  ])('at the moment of the write the owner of a ticket’s customer %s', async (_, now, by, segment) => {
    const { w, owner } = await ownerTold();
    w.desk.customers.set('Other', { platformOrgId: small });
    w.desk.before('route', () => w.desk.setsCustomer('1', now, by));
    await w.run('1');
    const responsible = segment === null ? null : owner.email;
    expect(w.desk.routingOf('1')).toMatchObject({ agentGroup: scale, segment, responsible });
  });

  test('what was decided on a held claim leaves the owner who was told since somebody vouched', async () => {
    const w = pipelineWorld({ claims: 'hold' });
    w.desk.insert('1', withOrgId(medium, byStranger));
    await w.hear('1');
    w.desk.failNext('tickets.write');
    await w.run('1').catch(() => {});
    const company = { customer: 'Boss', orgId: medium, crmCompanyId: '63001', by: 'truong', at: 1 } as const;
    await deskList.listPeople(w.db, { ...company, people: [stranger] });
    const owner = { id: '9', active: true, email: 'am@crm.example', name: 'AM', user_type: 'employee' } as const;
    recordResponsible(w.ctx, (await w.desk.fileOf('1')).ticket, {
      orgId: medium,
      owner: { ...owner, status: 'active' },
    });
    await w.ctx.background.idle();
    await w.process().run('1');
    expect(w.desk.routingOf('1')).toMatchObject({ agentGroup: scale, responsible: owner.email });
  });

  test('the owner who was told while claims were accepted goes with the decision on one that is held', async () => {
    const told = pipelineWorld({ ticket: withOrgId(medium, byStranger) });
    const owner = { id: '9', active: true, email: 'am@crm.example', name: 'AM', user_type: 'employee' } as const;
    recordResponsible(told.ctx, (await told.desk.fileOf('1')).ticket, {
      orgId: medium,
      owner: { ...owner, status: 'active' },
    });
    await told.ctx.background.idle();
    expect(told.desk.routingOf('1').responsible).toBe(owner.email);
    const w = pipelineWorld({ claims: 'hold', desk: told.desk, store: told.store });
    await w.run('1');
    expect(w.desk.routingOf('1')).toMatchObject({ agentGroup: scale, responsible: null });
  });

  test('what is decided while the CRM fails leaves the owner whom our own profile has told', async () => {
    const w = pipelineWorld({ claims: 'hold' });
    w.crm.answer = () => matched(sampleCompany({ emails: [stranger] }));
    w.desk.insert('1', withOrgId(medium, byStranger));
    await w.hear('1');
    const owner = { id: '9', active: true, email: 'am@crm.example', name: 'AM', user_type: 'employee' } as const;
    recordResponsible(w.ctx, (await w.desk.fileOf('1')).ticket, {
      orgId: medium,
      owner: { ...owner, status: 'active' },
    });
    await w.ctx.background.idle();
    expect(w.desk.routingOf('1').responsible).toBe(owner.email);
    w.store.database.exec('delete from crm_cache');
    w.crm.isDown = true;
    await w.process().run('1');
    expect((await w.decided('1'))?.outcome.fallback).toBe('crm');
    expect(w.desk.routingOf('1').responsible).toBe(owner.email);
  });

  test('after a crash the times of the check are written all the same', async () => {
    const { w, seen, clock } = claim(medium);
    w.desk.before('link', () => w.desk.failNext('tickets.write'));
    await w.run('1').catch(() => {});
    await w.process().run('1');
    expect(seen()).toMatchObject({ checkedAt: clock(), crmLastCheckedAt: clock() });
  });
});
