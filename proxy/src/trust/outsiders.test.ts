import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { growingOwner as boss, growing, medium } from '#crm/testing/sample-companies.ts';
import { enrichCompany } from '#customers/enrich.ts';
import { as, generations, signal, useSimulatedSite } from '#helpdesk/testing/simulated-site.ts';
import { recordResponsible } from '#profile/follow-up.ts';
import { newDesk } from '#testing/desk.ts';
import { pipelineWorld } from '#testing/pipeline-kit.ts';
import { rejectEarlier } from '#testing/rejected.ts';
import { callBy } from '#testing/test-context.ts';

// Who outside the desk reads tickets and customers besides the sender: by shares, as a guest, as a member.

const stranger = 'ke@hopthu.example';
const agent = 'an@desk.example';
const handMade = 'Tiệm hoa';

/** A ticket of the boss, whom nobody else reads, on a desk where stranger and boss have accounts. */
function world({ customer = null as string | null, claims = 'accept' as 'accept' | 'hold', owner = boss } = {}) {
  const desk = newDesk();
  const w = pipelineWorld({ claims, desk });
  for (const name of [stranger, boss]) {
    desk.put('User', name, { user_type: 'Website User', enabled: 1, roles: [] });
    desk.put('Contact', `Của ${name}`, { owner: agent, user: name, email_id: name });
  }
  desk.customers.set(handMade, {});
  desk.insert('1', { owner, raised_by: boss, custom_orgid: growing });
  if (customer !== null) desk.put('HD Ticket', '1', { customer });
  const share = (share_doctype: string, share_name: string, more: Record<string, unknown>) =>
    desk.put('DocShare', `share-${share_name}`, { share_doctype, share_name, read: 1, ...more });
  const belong = (...accounts: string[]) =>
    desk.put('HD Customer', handMade, {
      contacts: accounts.map((account) => ({ contact_name: `Của ${account}`, is_manager: 0 })),
    });
  return { ...w, share, belong };
}

const readBy = (found: string) => ({ code: 'ticket_read_by_other', conflict: { code: 'read_by_other', found } });

describe('a Sync', () => {
  test.each([
    ['with an account that is not the sender’s', { user: stranger }, stranger],
    ['with everybody', { everyone: 1 }, 'everyone'],
  ])('is refused on a ticket that is shared %s, which is named', async (_, held, reader) => {
    const w = world();
    w.share('HD Ticket', '1', held);
    for (const action of ['preview', 'apply'] as const)
      await expect(w.sync('1', growing, { action })).rejects.toMatchObject(readBy(reader));
    expect([w.desk.customerOf('1'), w.desk.writes]).toEqual([null, []]);
  });

  test.each([
    ['the sender', boss],
    ['an agent', agent],
  ])('is done on a ticket that is shared with %s', async (_, user) => {
    const w = world();
    w.share('HD Ticket', '1', { user });
    await w.sync('1', growing);
    expect(w.desk.customerOf('1')).not.toBeNull();
  });

  test('is refused with a customer that is shared with somebody else, adopted or not', async () => {
    const w = world({ customer: handMade });
    w.share('HD Customer', handMade, { user: stranger, write: 1 });
    await expect(w.sync('1', growing, { adopt: handMade })).rejects.toMatchObject(readBy(stranger));
    expect(w.desk.customers.get(handMade)?.platformOrgId).toBeUndefined();
    w.desk.customers.edit(handMade, { platformOrgId: growing });
    await expect(w.sync('1', growing)).rejects.toMatchObject(readBy(stranger));
  });

  test.each(['accept', 'hold'] as const)(
    'is refused on a guest ticket, of which routing writes the team alone (%s)',
    async (claims) => {
      const w = world({ claims, owner: 'Guest' });
      await w.run('1');
      const {
        agentGroup: team,
        segment,
        responsible,
        customer,
      } = { customer: w.desk.customerOf('1'), ...w.desk.routingOf('1') };
      expect([team !== null, segment || null, responsible || null, customer]).toEqual([true, null, null, null]);
      await expect(w.sync('1', growing)).rejects.toMatchObject(readBy('Guest'));
      expect(w.desk.customerOf('1')).toBeNull();
    },
  );
});

describe('an agent who names the customer in an enrichment', () => {
  const other = 'Công ty khác';
  const names = (w: ReturnType<typeof world>) =>
    enrichCompany(callBy(w.ctx, 'an'), { orgid: growing, force: false, hd_customer: handMade, ticket: '1' });
  const named = (claims: 'accept' | 'hold') => {
    const w = world({ claims });
    w.desk.customers.set(other, { platformOrgId: medium });
    w.desk.put('HD Ticket', '1', { customer: other });
    return w;
  };

  test.each(['accept', 'hold'] as const)('is followed over a customer of another company (%s)', async (claims) => {
    const w = named(claims);
    expect((await names(w)).ticket).toEqual({ name: '1', linked: true, previous_customer: other });
    expect(w.desk.customerOf('1')).toBe(handMade);
  });

  test.each<[string, string, (w: ReturnType<typeof world>) => void]>([
    ['the ticket is shared', stranger, (w) => w.share('HD Ticket', '1', { user: stranger })],
    ['the customer is shared', stranger, (w) => w.share('HD Customer', handMade, { user: stranger })],
    ['the ticket is a guest’s', 'Guest', (w) => w.desk.put('HD Ticket', '1', { owner: 'Guest' })],
  ])('is refused where %s, and nothing is written', async (_, reader, given) => {
    const w = named('accept');
    given(w);
    await expect(names(w)).rejects.toMatchObject(readBy(reader));
    expect([w.desk.customerOf('1'), w.desk.customers.get(handMade)]).toEqual([other, {}]);
  });

  test('and one who names none links no guest ticket, and nothing of the company goes on it', async () => {
    const w = world({ owner: 'Guest' });
    await w.run('1');
    const before = w.desk.routingOf('1');
    const asked = { orgid: growing, force: false, hd_customer: null, ticket: '1' };
    expect(await enrichCompany(callBy(w.ctx, 'an'), asked)).toMatchObject({
      ticket: { name: '1', linked: false, previous_customer: null },
      conflict: { code: 'claim_not_confirmed', found: '' },
    });
    expect([w.desk.customerOf('1'), w.desk.routingOf('1')]).toEqual([null, before]);
  });

  test('is not followed where an agent has rejected the company for the sender', async () => {
    const w = named('accept');
    await rejectEarlier(w.db, { orgId: growing, sender: boss });
    expect(await names(w)).toMatchObject({
      ticket: { linked: false, previous_customer: other },
      conflict: { code: 'ticket_has_other_customer', asked: handMade, found: other },
    });
    expect(w.desk.customerOf('1')).toBe(other);
  });

  test('leaves the customer that the ticket had, where a stranger comes to read it meanwhile', async () => {
    const w = named('accept');
    w.desk.put('Contact', 'Của lạ', { owner: stranger, user: stranger, email_id: 'la@else.example' });
    w.desk.before('link', () => w.desk.put('HD Ticket', '1', { contact: 'Của lạ' }));
    await expect(names(w)).rejects.toMatchObject(readBy(stranger));
    expect(w.desk.customerOf('1')).toBe(other);
  });
});

describe('a ticket with its customer made by hand makes it the company', () => {
  const becomes = async (w: ReturnType<typeof world>) => {
    await w.run('1');
    return w.desk.customers.get(handMade)?.platformOrgId === growing;
  };

  test('where the sender alone belongs to it', async () => {
    const w = world({ customer: handMade });
    w.belong(boss);
    expect(await becomes(w)).toBe(true);
    expect(w.desk.ticket('1').custom_platform_routing_reason).toContain('Segment=Medium');
  });

  test.each<[string, (w: ReturnType<typeof world>) => void]>([
    ['somebody else with an account belongs to it', (w) => w.belong(boss, stranger)],
    ['it is shared with somebody else', (w) => w.share('HD Customer', handMade, { user: stranger })],
    ['the ticket is shared with somebody else', (w) => w.share('HD Ticket', '1', { user: stranger })],
    ['the ticket is a guest’s', (w) => w.desk.put('HD Ticket', '1', { owner: 'Guest' })],
  ])('but not where %s; an agent may say so', async (_, given) => {
    const w = world({ customer: handMade });
    given(w);
    expect(await becomes(w)).toBe(false);
    expect(w.desk.customers.get(handMade)).toEqual({});
  });

  test.each([
    ['accept', true],
    ['hold', false],
  ] as const)('by a mail from the company’s own address, claims %s: %j', async (claims, expected) => {
    const w = world({ customer: handMade, claims, owner: 'Administrator' });
    expect(await becomes(w)).toBe(expected);
  });

  test('a family shop with two accounts takes one Sync, which names who else belongs to it', async () => {
    const w = world({ customer: handMade });
    w.belong(boss, stranger);
    const preview = await w.sync('1', growing, { action: 'preview' });
    expect(preview.adoptable).toEqual([{ name: handMade, of_ticket: true, may_adopt: true, outsiders: [stranger] }]);
    await w.sync('1', growing, { adopt: handMade });
    expect(w.desk.customers.get(handMade)).toMatchObject({ platformOrgId: growing });
  });

  test('one that somebody outside has made, who may write it, is told as everybody’s', async () => {
    const w = world({ customer: handMade });
    w.desk.openToAll('HD Customer');
    w.desk.put('HD Customer', handMade, { owner: stranger });
    expect(await becomes(w)).toBe(false);
    const preview = await w.sync('1', growing, { action: 'preview' });
    expect(preview.adoptable).toMatchObject([{ name: handMade, outsiders: ['everyone'] }]);
  });

  test('a manager who has made themselves a mere member holds it still', async () => {
    const w = world({ customer: handMade });
    w.belong(boss, stranger);
    w.desk.put('HD Customer', handMade, {
      contacts: [
        { contact_name: `Của ${boss}`, is_manager: 0 },
        { contact_name: `Của ${stranger}`, is_manager: 1 },
      ],
    });
    w.belong(boss, stranger);
    expect(await becomes(w)).toBe(false);
  });

  test('one that the sender manages is not proposed first, and the sender is named', async () => {
    const w = world({ customer: handMade });
    w.desk.put('HD Customer', handMade, { contacts: [{ contact_name: `Của ${boss}`, is_manager: 1 }] });
    const preview = await w.sync('1', medium, { action: 'preview' });
    expect(preview.adoptable).toMatchObject([{ name: handMade, outsiders: [boss] }]);
  });
});

/** What may write of a company to a ticket beside a Sync. */
const writes: Record<string, (w: ReturnType<typeof world>) => Promise<unknown>> = {
  routing: (w) => w.run('1'),
  async 'a look at the profile'(w) {
    const { ticket } = await w.desk.fileOf('1');
    const owner = { id: '9', active: true, email: 'am@crm.example', name: 'AM', user_type: 'employee' } as const;
    recordResponsible(w.ctx, ticket, { orgId: growing, owner: { ...owner, status: 'active' } });
    await w.ctx.background.idle();
  },
  'an enrichment': (w) => {
    const asked = { orgid: growing, force: false, hd_customer: null, ticket: '1' };
    return enrichCompany(callBy(w.ctx, 'an'), asked).catch(() => {});
  },
};

describe.each(Object.entries(writes))(
  'a share from before only the desk shares keeps its holder reading: %s',
  (_, write) => {
    /** Whether the ticket was made before, and what is on it and in its versions afterwards. */
    async function after(given: (w: ReturnType<typeof world>) => void, claims: 'accept' | 'hold' = 'accept') {
      const w = world({ claims });
      w.share('HD Ticket', '1', { user: stranger });
      w.clock.advance(1000);
      given(w);
      await write(w);
      const past = w.desk.all('Version').map(({ data }) => String(data));
      const { segment, servicePlan, shopplan } = w.desk.routingOf('1');
      return {
        shown: [w.desk.customerOf('1'), segment, servicePlan, shopplan, w.desk.ticket('1').custom_responsible ?? null],
        past,
      };
    }
    const nothing = [null, null, null, null, null];

    test.each(['accept', 'hold'] as const)('nothing of the company goes on the ticket (%s)', async (claims) => {
      const { shown, past } = await after((w) => w.desk.endSharing(), claims);
      expect(shown).toEqual(nothing);
      expect(past.join()).not.toMatch(/am@crm|Segment=(?!-)|Shopplan=(?!-)|customer/);
    });

    test('nor where website users may share still', async () => {
      expect((await after((w) => w.desk.openSharing())).shown).toEqual(nothing);
    });

    test('of a newer ticket nobody is asked, as only the desk can have shared it', async () => {
      expect((await after(() => {})).shown).not.toEqual(nothing);
    });
  },
);

describe.each(generations)('the accounts of a customer’s members on Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const customer = 'Gốm Sứ Làng Mơ - 200000376001';

  test('are read where the release keeps them, and whom it is shared with', async () => {
    expect(as(demo.portal)).toBeDefined();
    const { rights } = site.helpdesk;
    expect(await rights.websiteMembers(customer, signal)).toContain(demo.portal.name);
    expect(await rights.websiteMembers('Ca phe suong nui', signal)).toEqual([]);
    const share = { share_doctype: 'HD Customer', share_name: customer, read: 1 };
    site.simulator.put('DocShare', { name: 'a', ...share, user: demo.forger.name.toUpperCase() });
    site.simulator.put('DocShare', { name: 'b', ...share, everyone: 1 });
    expect(await rights.sharedWith('HD Customer', customer, signal)).toEqual([demo.forger.name, 'everyone']);
  });
});
