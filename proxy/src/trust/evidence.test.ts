import type { LookupTrust } from '@deskside/shared/profile';
import type { ClaimsMode } from '@deskside/shared/routing';
import { describe, expect, test } from 'vitest';
import type { Work } from '#context.ts';
import { growingOwner as boss, growing, medium, sampleCompany } from '#crm/testing/sample-companies.ts';
import * as deskList from '#store/desk-list.ts';
import * as syncs from '#store/syncs.ts';
import { newDesk } from '#testing/desk.ts';
import { service } from '#testing/desk-seed.ts';
import { pipelineWorld } from '#testing/pipeline-kit.ts';
import { rejectEarlier } from '#testing/rejected.ts';
import { judgeCompany, recordsOf, ticketFacts } from './evidence.ts';

// A stranger, the boss of a company, agents and the service write tickets in the ways of docs/helpdesk.md#senders.

const stranger = 'ke@hopthu.example';
const agent = 'an@desk.example';
const claimed = { custom_orgid: growing };
const candidate = { orgId: growing, source: 'ticket', field: 'custom_orgid' } as const;
const company = sampleCompany({ emails: [boss] }, { bitrix_id: '63002' });

/** The level, and what decided it. */
const brief = ({ level, evidence }: LookupTrust) => `${level} ${evidence.at(level === 'claimed' ? -1 : 0)?.code}`;

type Values = Record<string, unknown>;

/** One for all tests, cleared each time: it knows its fields already. */
const desk = newDesk();
for (const name of [stranger, boss]) desk.put('User', name, { user_type: 'Website User', enabled: 1, roles: [] });

/** Who vouches for this company on a ticket. */
async function judged(ctx: Work, name: string, found: typeof company | null, isDisputed = false): Promise<LookupTrust> {
  const { ticket } = await desk.fileOf(name);
  const records = await recordsOf(ctx, ticket);
  const facts = await ticketFacts(ctx, ticket, { insert: records.insert, asksShares: false });
  const lookup = { companies: found === null ? [] : [found], isDisputed };
  return judgeCompany(ctx, ticket, { facts, records }, { candidate, lookup });
}

function world(claims: ClaimsMode = 'hold') {
  desk.clear();
  for (const { name } of desk.all('Contact')) desk.remove('Contact', name);
  const w = pipelineWorld({ claims, desk });
  let last = 0;
  const insert = (owner: string, raisedBy: string, made: Values = claimed) => {
    last += 1;
    const name = String(last);
    desk.insert(name, { owner, raised_by: raisedBy, ...made });
    w.clock.advance(100);
    return name;
  };
  const change = (name: string, by: string, values: Values) => {
    w.clock.advance(100);
    desk.changes(name, by, values);
    return name;
  };
  return {
    w,
    insert,
    change,
    mail: (from: string, made: Values = claimed) => insert('Administrator', from, made),
    split(name: string) {
      const { raised_by, custom_orgid, contact } = desk.ticket(name);
      const split = insert(agent, String(raised_by || agent), { custom_orgid, ticket_split_from: name });
      desk.put('HD Ticket', split, { contact });
      return split;
    },
    async splitHeard(name: string) {
      await w.hear(name);
      return this.split(name);
    },
    withContact(ticket: string, contact: string, owner: string) {
      desk.put('Contact', contact, { owner, email_id: boss });
      desk.put('HD Ticket', ticket, { contact });
      return ticket;
    },
    async synced(ticket: string, orgId = growing) {
      await w.run(ticket);
      await w.sync(ticket, orgId);
      return ticket;
    },
    /** Who vouches for the company on a ticket of which the webhook has told. */
    async judged(name: string) {
      await w.hear(name);
      return foundJudged(name);
    },
    foundJudged,
  };

  /** The same, if it has not told. */
  async function foundJudged(name: string) {
    const trust = await judged(w.ctx, name, company);
    return trust.evidence.length === 1 ? null : brief(trust);
  }
}

type World = ReturnType<typeof world>;
/** Gives the ticket to judge. */
type Story = (h: World) => string | Promise<string>;

const byMail = 'likely sender_email_of_company';
const signedIn = 'confirmed signed_in_email_of_company';
const unknown = 'claimed sender_not_of_company';
const swapped = 'claimed sender_changed';

/** An agent has rejected the company for this sender, on another ticket. */
async function rejected({ w, mail }: World, sender: string, of: Partial<Parameters<typeof rejectEarlier>[1]> = {}) {
  await rejectEarlier(w.db, { orgId: growing, sender, ...of });
  return mail(boss);
}

describe('who vouches is judged by what is known of ticket and sender', () => {
  test.each<[string, Story, string | null]>([
    ['nobody knows the sender', (h) => h.mail(stranger), unknown],
    ['the company’s address, by mail', (h) => h.mail(boss), byMail],
    ['the company’s address, signed in, however it is written', (h) => h.insert(boss, boss.toUpperCase()), signedIn],
    ['another website user made it', (h) => h.insert(stranger, boss), 'claimed made_by_other'],
    ['our own account made it', (h) => h.insert(service, boss), 'claimed maker_unknown'],
    ['a guest made it', (h) => h.insert('Guest', boss), 'claimed guest_ticket'],
    ['a guest made it, and an agent split it', (h) => h.splitHeard(h.insert('Guest', boss)), 'claimed maker_unknown'],
    [
      'a guest made it, and agents split it twice',
      async (h) => h.splitHeard(await h.splitHeard(h.insert('Guest', boss))),
      'claimed maker_unknown',
    ],
    ['the sender put another one there', (h) => h.change(h.mail(stranger), stranger, { raised_by: boss }), swapped],
    ['an agent did', (h) => h.change(h.mail(stranger), agent, { raised_by: boss }), swapped],
    ['an agent took the sender off', (h) => h.change(h.mail(boss), agent, { raised_by: '' }), swapped],
    ['the service did', (h) => h.change(h.mail(stranger), service, { raised_by: boss }), swapped],
    ['its contact is an agent’s', (h) => h.withContact(h.mail(boss), 'Bà chủ', agent), byMail],
    ['its contact is the sender’s own', (h) => h.withContact(h.mail(boss), 'Bà chủ', boss), byMail],
    ['an agent entered it', (h) => h.insert(agent, stranger), 'likely entered_by_agent'],
    ['an agent entered it of their own', (h) => h.insert(agent, agent), unknown],
    ['an agent wrote it there later', (h) => h.change(h.insert(agent, stranger, {}), agent, claimed), unknown],
    ['Administrator entered it', (h) => h.insert('Administrator', stranger), unknown],
    ['an agent’s Sync stands', (h) => h.synced(h.mail(stranger)), 'confirmed linked_by_agent'],
    ['an agent rejected the company for the sender', (h) => rejected(h, boss), null],
    [
      'an agent rejected it by another org id',
      (h) => rejected(h, boss, { orgId: medium, crmCompanyId: '63002' }),
      null,
    ],
    ['an agent rejected it for another', (h) => rejected(h, stranger), byMail],
  ])('%s', async (_, story, expected) => {
    const h = world();
    expect(await h.judged(await story(h))).toBe(expected);
  });

  test('of a ticket that the sweep found, what the sender cannot have written, and none of our own records', async () => {
    const h = world();
    await h.synced(h.mail(stranger));
    expect(await h.foundJudged(h.mail(boss))).toBe(byMail);
    expect(await h.foundJudged(h.insert(boss, boss))).toBe(signedIn);
    expect(await h.foundJudged(h.mail(stranger))).toBe(unknown);
    expect(await h.foundJudged(h.insert(agent, stranger))).toBe(unknown);
  });

  test('no address does where the CRM’s two fields lead to different companies', async () => {
    const h = world();
    const name = h.insert(boss, boss);
    expect([await judged(h.w.ctx, name, company), await judged(h.w.ctx, name, company, true)].map(brief)).toEqual([
      signedIn,
      unknown,
    ]);
  });

  test('nor any where the CRM has no company', async () => {
    const h = world();
    const ctx = { ...h.w.ctx, contactAddressesVouch: true };
    expect(brief(await judged(ctx, h.mail(boss), null))).toBe(unknown);
  });

  test('the addresses of a company’s contacts, by the rule trust_contact_addresses alone', async () => {
    const { w, mail } = world();
    const contact = { id: '1', name: 'Kẻ', post: null, emails: [stranger.toUpperCase()], phones: [], url: null };
    const name = mail(stranger);
    const judge = async (contactAddressesVouch: boolean) =>
      (await judged({ ...w.ctx, contactAddressesVouch }, name, { ...company, contacts: [contact] })).level;
    expect([await judge(false), await judge(true)]).toEqual(['claimed', 'likely']);
  });
});

describe('a split', () => {
  test('takes the insert of the ticket that it was split from, and is nobody’s entry', async () => {
    const h = world();
    const first = h.mail(boss);
    const second = h.split(first);
    const third = h.split(second);
    expect(await h.judged(second)).toBe('claimed split_unknown');
    for (const name of [first, second]) await h.w.hear(name);
    expect([await h.judged(second), await h.judged(third)]).toEqual([byMail, byMail]);
    const entered = h.insert(agent, stranger);
    await h.w.hear(entered);
    expect(await h.judged(h.split(entered))).toBe(unknown);
    const other = h.change(h.mail(stranger), stranger, { raised_by: boss });
    await h.w.hear(other);
    expect(await h.judged(h.split(other))).toBe(swapped);
  });

  test('of a ticket that came with a stranger’s contact is no evidence, whichever it came with itself', async () => {
    const h = world();
    for (const owner of [stranger, boss, agent]) desk.put('Contact', `Của ${owner}`, { owner, email_id: boss });
    const first = h.mail(boss, { ...claimed, contact: `Của ${stranger}` });
    await h.w.hear(first);
    const split = h.insert(agent, boss, { ...claimed, contact: `Của ${boss}`, ticket_split_from: first });
    desk.put('HD Ticket', split, { contact: `Của ${agent}` });
    expect(await h.judged(split)).toBe('claimed contact_of_other');
  });

  test('is one by what the webhook told, although its sender has emptied the field since', async () => {
    const h = world();
    const entered = h.insert(agent, stranger);
    await h.w.hear(entered);
    const split = await h.splitHeard(entered);
    expect(await h.judged(h.change(split, stranger, { ticket_split_from: null }))).toBe(unknown);
  });

  test('that the sweep found goes by its field and the insert of the first, as far as five splits lead there', async () => {
    const h = world();
    const first = h.mail(boss);
    await h.w.hear(first);
    const swept = h.split(first);
    expect(await h.foundJudged(swept)).toBe(byMail);
    let last = first;
    for (let splits = 0; splits < 5; splits += 1) last = await h.splitHeard(last);
    expect(await h.judged(last)).toBe(byMail);
    expect(await h.judged(h.split(last))).toBe('claimed split_unknown');
  });

  test('gains nothing for a sender who writes that theirs is one of the boss’s', async () => {
    const h = world();
    const [bosses, forged] = [h.mail(boss), h.mail(stranger)];
    for (const name of [bosses, forged]) await h.w.hear(name);
    h.change(forged, stranger, { raised_by: boss, ticket_split_from: bosses });
    expect(await h.judged(forged)).toBe(swapped);
    const split = h.insert(agent, stranger, { ...claimed, ticket_split_from: bosses });
    await h.w.hear(split);
    h.change(split, stranger, { raised_by: boss });
    expect(await h.judged(split)).toBe(swapped);
  });
});

describe('what the sender has claimed, no agent’s entry makes likely', () => {
  test.each<[string, Story]>([
    ['in a field', (h) => h.mail(stranger)],
    ['in the text of a mail', (h) => h.mail(stranger, { description: `Org ID: ${growing}` })],
    [
      'on another ticket of the same name',
      async (h) => {
        const name = h.mail(stranger);
        await h.w.run(name);
        desk.remove('HD Ticket', name);
        h.w.clock.advance(100_000);
        desk.insert(name, { owner: agent, raised_by: stranger, ...claimed });
        return name;
      },
    ],
  ])('%s', async (_, story) => {
    const h = world();
    const name = await story(h);
    await h.w.run(name);
    const isAgents = desk.ticket(name).owner === agent;
    expect(await h.judged(isAgents ? name : h.insert(agent, stranger))).toBe(unknown);
  });

  test('on a ticket that the sweep found, whoever made it', async () => {
    const h = world();
    await h.w.runFound(h.insert(agent, stranger));
    expect(await h.judged(h.insert(agent, stranger))).toBe(unknown);
  });

  test('but what an agent entered once, an agent may enter again', async () => {
    const h = world();
    await h.w.run(h.insert(agent, stranger));
    expect(await h.judged(h.insert(agent, stranger))).toBe('likely entered_by_agent');
  });
});

test('whoever reads that an agent entered it is told which one', async () => {
  const h = world();
  const name = h.insert(agent, stranger);
  await h.w.hear(name);
  expect((await judged(h.w.ctx, name, company)).evidence).toContainEqual({ code: 'entered_by_agent', value: agent });
});

test('an account is its sender’s in either spelling of its domain', async () => {
  const h = world();
  const { ticket } = await desk.fileOf(h.insert('chu@Bücher.example', 'Chu@bücher.example'));
  const facts = await ticketFacts(h.w.ctx, ticket, { insert: null, asksShares: false });
  const sender = 'chu@xn--bcher-kva.example';
  expect(facts).toMatchObject({ sender, owner: sender, maker: sender });
});

test('a ticket that our own account made is nobody’s, however that is written', async () => {
  const h = world();
  const people = Object.create(h.w.ctx.helpdesk.people, { serviceUser: { value: async () => 'Service@Desk.example' } });
  const helpdesk = Object.create(h.w.ctx.helpdesk, { people: { value: people } });
  const { ticket } = await desk.fileOf(h.insert(service, boss));
  const facts = await ticketFacts({ ...h.w.ctx, helpdesk }, ticket, { insert: null, asksShares: false });
  expect(facts).toMatchObject({ ownerKind: 'other', makerKind: 'other' });
});

describe('the desk’s list', () => {
  const on = (h: World, people: string[], orgId = growing, customer = 'Boss') =>
    deskList.listPeople(h.w.db, { customer, orgId, crmCompanyId: `63${orgId}`, by: 'truong', at: 1, people });
  const both = async (h: World, address = stranger) => [
    await h.judged(h.insert(address, address)),
    await h.judged(h.mail(address)),
  ];

  test('vouches for who is on it with this company, on tickets that a webhook told of; a rejection beats it', async () => {
    const h = world();
    expect(await both(h)).toEqual([unknown, unknown]);
    await on(h, [stranger]);
    expect(await both(h)).toEqual(['confirmed signed_in_on_desk_list', 'likely sender_on_desk_list']);
    await rejectEarlier(h.w.db, { orgId: growing, sender: stranger });
    expect(await both(h)).toEqual([null, null]);
  });

  test('vouches for nobody who is not on it, nor for who was taken off, nor with another company', async () => {
    const h = world();
    await on(h, [boss, `x${stranger}`]);
    await on(h, [stranger], medium, 'Other');
    expect(await both(h)).toEqual([unknown, unknown]);
    await deskList.unlistPeople(h.w.db, 'Other', medium, 2);
    await on(h, [stranger]);
    await on(h, []);
    expect(await both(h)).toEqual([unknown, unknown]);
  });

  test('of two companies, or of one and a Sync of another, makes the address shared', async () => {
    const h = world();
    await on(h, [stranger]);
    await on(h, [stranger], medium, 'Other');
    expect(await both(h)).toEqual([unknown, unknown]);
    const other = world();
    await other.synced(other.insert(stranger, stranger, { custom_orgid: medium }), medium);
    await on(other, [stranger]);
    expect(await both(other)).toEqual([unknown, unknown]);
  });

  test('is no word for three hundred strangers, whatever they write', async () => {
    const h = world();
    await on(h, [stranger]);
    for (let n = 0; n < 300; n += 1) {
      const address = n % 2 === 0 ? `ke${n}@hopthu.example` : `${stranger}.${n}.example`;
      desk.put('User', address, { user_type: 'Website User', enabled: 1, roles: [] });
      expect(await h.judged(h.insert(address, n % 3 === 0 ? address : `Ke <${address}>`))).not.toMatch(
        /list|likely|confirmed/,
      );
    }
  });
});

test('a Sync answers a rejection of its own company alone', async () => {
  const h = world();
  const name = h.mail(boss);
  await rejectEarlier(h.w.db, { orgId: growing, ticket: desk.keyOf(name), sender: null });
  await h.synced(name, medium);
  expect(await h.judged(name)).toBeNull();
});

describe('a Sync', () => {
  const known = { mail: 'likely sender_known_to_agent', session: 'confirmed signed_in_known_to_agent' };
  const session = (h: World, made = claimed) => h.insert(stranger, stranger, made);
  /** What the next tickets of the sender are. */
  const next = async (h: World) => ({
    mail: await h.judged(h.mail(stranger)),
    session: await h.judged(session(h)),
  });

  test('on a signed-in ticket vouches for all of the sender’s later ones, on another for those that are not signed in', async () => {
    const first = world();
    await first.synced(session(first));
    expect(await next(first)).toEqual(known);
    const h = world();
    await h.synced(h.mail(stranger));
    expect(await next(h)).toEqual({ ...known, session: unknown });
  });

  test('of a forged mail with another company leaves what was said on the sender’s own', async () => {
    const h = world();
    await h.synced(session(h));
    await h.synced(h.mail(stranger, { custom_orgid: medium }), medium);
    expect(await next(h)).toEqual({ mail: unknown, session: known.session });
  });

  test('of two companies, signed in, makes the address shared: nothing said on one ticket counts for another', async () => {
    const h = world();
    await h.synced(session(h));
    await rejectEarlier(h.w.db, { orgId: growing, sender: stranger });
    expect(await next(h)).toEqual({ mail: null, session: null });
    await h.synced(session(h, { custom_orgid: medium }), medium);
    await h.synced(session(h));
    expect(await next(h)).toEqual({ mail: unknown, session: unknown });
  });

  test('a rejection of a forged mail leaves the sender’s sessions alone, which no claim lifts', async () => {
    const h = world();
    await h.synced(session(h));
    const signedIn = false;
    await rejectEarlier(h.w.db, { orgId: growing, sender: stranger, signedIn });
    for (let claims = 0; claims < 2; claims += 1) {
      await h.w.run(h.mail(stranger, { custom_orgid: medium }));
      expect(await next(h)).toEqual({ mail: null, session: known.session });
    }
    // A Sync of a mail answers what was said of mails, and one of a session everything.
    await h.synced(h.mail(stranger));
    expect(await next(h)).toEqual(known);
  });

  test('of a mail does not answer a rejection that was made on the sender’s own ticket, but on its own', async () => {
    const h = world();
    await rejectEarlier(h.w.db, { orgId: growing, sender: stranger });
    const name = await h.synced(h.mail(stranger));
    expect(await h.judged(name)).toBe('confirmed linked_by_agent');
    expect(await next(h)).toEqual({ mail: null, session: null });
    await h.synced(session(h));
    expect(await next(h)).toEqual(known);
  });

  test.each(['no-reply@form.example', 'NoReply+shop7@form.example', 'mailer-daemon@form.example', 'form@shop.example'])(
    'on a ticket of %s counts for no other, nor does a rejection',
    async (address) => {
      const h = world();
      const ctx = { ...h.w.ctx, sharedAddresses: ['form@shop.example'] };
      const judgedNext = async () => {
        const name = h.mail(address);
        await h.w.hear(name);
        return brief(await judged(ctx, name, company));
      };
      await h.synced(h.mail(address));
      expect(await judgedNext()).toBe(unknown);
      await rejectEarlier(h.w.db, { orgId: growing, sender: address.toLowerCase() });
      expect(await judgedNext()).toBe(unknown);
    },
  );

  test('a rejection counts on its own ticket, whoever shares the address', async () => {
    const h = world();
    const sender = 'no-reply@form.example';
    const name = h.mail(sender);
    await rejectEarlier(h.w.db, { orgId: growing, sender, ticket: desk.keyOf(name) });
    expect(await h.judged(name)).toBeNull();
  });

  test('of a ticket is beaten by a later rejection, made on the ticket or on another of the sender’s', async () => {
    const h = world();
    for (const isOwn of [true, false]) {
      const name = await h.synced(h.mail(stranger));
      expect(await h.judged(name)).toBe('confirmed linked_by_agent');
      const on = isOwn ? { ticket: desk.keyOf(name), sender: null } : { sender: stranger, signedIn: false };
      await rejectEarlier(h.w.db, { orgId: growing, ...on, at: h.w.clock() + 1 });
      // Nor does a second look take it for answered.
      expect([await h.judged(name), await h.judged(name)]).toEqual([null, null]);
    }
  });

  test('that a crash has cut in before its link was seen vouches for nothing; once it is seen, it does', async () => {
    const h = world();
    const ticket = h.mail(stranger);
    await h.w.hear(ticket);
    const at = h.w.clock();
    const of = { ticket: desk.keyOf(ticket), agent, orgId: growing, crmCompanyId: '63002', at };
    const sender = { address: stranger, domain: null };
    await syncs.record(h.w.db, { ...of, customer: 'Tiệm', previousCustomer: null, sender });
    expect([await h.judged(ticket), await h.judged(h.mail(stranger))]).toEqual([unknown, unknown]);
    await rejectEarlier(h.w.db, { orgId: growing, sender: stranger, signedIn: false });
    expect(await h.judged(ticket)).toBeNull();
    desk.customers.set('Tiệm', { platformOrgId: growing });
    desk.setsCustomer(ticket, 'Tiệm');
    expect(await h.judged(ticket)).toBe('confirmed linked_by_agent');
    expect(await h.judged(h.mail(stranger))).toBe(known.mail);
  });

  test('with another company vouches for none but that', async () => {
    const h = world();
    await h.synced(h.mail(stranger, { custom_orgid: medium }), medium);
    expect(await h.judged(h.mail(stranger))).toBe(unknown);
  });

  test('confirms its ticket no longer than that has the customer', async () => {
    const h = world();
    const name = await h.synced(h.mail(stranger));
    expect(await h.judged(name)).toBe('confirmed linked_by_agent');
    desk.customers.set('Khác');
    desk.setsCustomer(name, 'Khác');
    expect(await h.judged(name)).toBe(unknown);
    expect(await h.judged(h.mail(stranger))).toBe(known.mail);
  });

  test('confirms its ticket no longer than that has the sender, whom anybody may write over', async () => {
    const h = world();
    const name = await h.synced(h.mail(boss));
    expect(await h.judged(name)).toBe('confirmed linked_by_agent');
    expect(await h.judged(h.change(name, stranger, { raised_by: stranger }))).toBe(swapped);
    expect(await h.judged(h.change(name, agent, { raised_by: boss }))).toBe('confirmed linked_by_agent');
    await h.w.sync(h.change(name, agent, { raised_by: stranger }), growing);
    expect(await h.judged(name)).toBe('confirmed linked_by_agent');
  });

  test('remembers nothing of an address that was put in the sender’s place', async () => {
    const h = world();
    const name = h.mail(boss, {});
    await h.w.hear(name);
    await h.w.sync(h.change(name, boss, { raised_by: stranger }), growing);
    for (const owner of [stranger, 'Administrator']) expect(await h.judged(h.insert(owner, stranger))).toBe(unknown);
  });
});

describe.each<ClaimsMode>(['accept', 'hold'])('a ticket whose contact is a stranger’s, claims: %s', (mode) => {
  test.each([
    ['named like the stranger’s account', stranger, 'Administrator'],
    ['made by the stranger under the boss’s name', 'Bà chủ', stranger],
  ])('gets the team and nothing else: %s', async (_, contact, owner) => {
    const h = world(mode);
    const name = h.withContact(h.insert(boss, boss), contact, owner);
    await h.w.run(name);
    expect(await h.judged(name)).toBe('claimed contact_of_other');
    expect(desk.customerOf(name)).toBeNull();
    expect(desk.routingOf(name)).toMatchObject({ segment: null, servicePlan: null, shopplan: null, responsible: null });
    expect(desk.routingOf(name).agentGroup).not.toBeNull();
  });

  test.each([
    ['stranger’s own, from signing up', stranger],
    ['boss’s', boss],
  ])('makes no customer of the stranger’s the company after they put another contact there: the %s', async (_, of) => {
    const h = world(mode);
    const [mine, hand] = ['Ke', 'Công ty của kẻ lạ'];
    desk.put('Contact', stranger, { owner: stranger, email_id: boss });
    desk.put('Contact', mine, { owner: 'Guest', email_id: of });
    desk.put('HD Customer', hand, { owner: agent, customer_name: hand });
    const name = h.mail(boss, { ...claimed, contact: stranger, customer: hand });
    desk.put('HD Ticket', name, { contact: mine });
    await h.w.run(name);
    expect(await h.judged(name)).toBe('claimed contact_of_other');
    expect(desk.document('HD Customer', hand)?.custom_platform_orgid ?? null).toBeNull();
    expect(desk.routingOf(name)).toMatchObject({ segment: null, servicePlan: null, shopplan: null });
    // The agent who has mended the contact may say who it is.
    await h.w.sync(name, growing);
  });
});
