import { describe, expect, test } from 'vitest';
import { callingWebhook } from './crm-companies.ts';
import { demo, makeSeed } from './index.ts';
import type { CrmRecord, HelpdeskDocument } from './types.ts';

const now = new Date('2026-03-10T05:00:00Z');
const seed = makeSeed({ now });
const { companies, contacts, users } = seed.crm;
const documents = (doctype: string): HelpdeskDocument[] => seed.helpdesk.documents[doctype] ?? [];
const named = (doctype: string) => new Set(documents(doctype).map((d) => d.name));
const values = (field: string) => companies.map((company) => company[field]);
const company = (id: string) => companies.find((c) => c.ID === id) as CrmRecord;
const ticket = (name: string) => documents('HD Ticket').find((t) => t.name === name) as HelpdeskDocument;
const rows = (doc: HelpdeskDocument, field: string) => doc[field] as Record<string, unknown>[];

test('the same moment gives the same world, another moment moves it', () => {
  expect(makeSeed({ now })).toEqual(seed);
  const later = makeSeed({ now: new Date(now.getTime() + 86_400_000) });
  expect(later.crm.companies[1]?.UF_CRM_DATE_EXPIRED_SHOPPLAN).not.toBe(company('63002').UF_CRM_DATE_EXPIRED_SHOPPLAN);
});

test('what is done to one world does not reach the next one', () => {
  const empty = (value: object): void => {
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'object' && inner !== null) empty(inner);
      delete (value as Record<string, unknown>)[key];
    }
  };
  empty(makeSeed({ now }));
  expect(makeSeed({ now })).toEqual(seed);
});

test('there are enough companies, tickets and agents, each under a name of its own', () => {
  expect(companies.length).toBeGreaterThanOrEqual(30);
  expect(documents('HD Ticket').length).toBeGreaterThanOrEqual(60);
  expect(documents('HD Agent').filter((a) => a.is_active === 1).length).toBeGreaterThanOrEqual(8);
  for (const list of [companies, contacts, users]) expect(new Set(list.map((r) => r.ID)).size).toBe(list.length);
  for (const [doctype, list] of Object.entries(seed.helpdesk.documents))
    expect(named(doctype).size, doctype).toBe(list.length);
  const accounts = seed.helpdesk.users;
  for (const key of ['name', 'apiKey', 'apiSecret'] as const)
    expect(new Set(accounts.map((u) => u[key])).size).toBe(accounts.length);
});

describe('CRM: every variant of the sample values exists', () => {
  test.each([
    'OMNI PRO 2024 (2 năm)',
    'OMNI SCALE 2025 (1 năm)',
    'Grow 2024',
    'STANDARD',
    'OMNICHANNEL',
    'AFFILIATE',
    'Chuyên nghiệp',
    '',
  ])('plan %j', (plan) => expect(values('UF_CRM_CURRENT_SHOPPLAN')).toContain(plan));

  test.each(['HSI_0', 'HSI_1', 'HSI_100', 'HSI_200', 'HSI_500', 'HSI_500+', ''])('HSI %j', (hsi) =>
    expect(values('UF_CRM_CURRENT_HSI_SEGMENT')).toContain(hsi),
  );
  test.each(['0E-7', '1.0000000', '580.0000000', '12.3456789', '', 'n/a'])('HSI detail %j', (detail) =>
    expect(values('UF_CRM_CURRENT_HSI_DETAIL')).toContain(detail),
  );
  test.each(['15090', '15092', '15094', '15999', 15092, ['15090'], ['', '15092'], false])('segment %j', (segment) =>
    expect(values('UF_CRM_1778130421650')).toContainEqual(segment),
  );

  test('plan ends: long ago, yesterday, today, at 29 and 30 days, later, never, unreadable', () => {
    const ends = values('UF_CRM_DATE_EXPIRED_SHOPPLAN');
    const days = ends.map((end) => Math.floor((Date.parse(String(end)) - now.getTime()) / 86_400_000));
    for (const left of [-1, 0, 29, 30, 212]) expect(days).toContain(left);
    expect(Math.min(...days.filter((d) => !Number.isNaN(d)))).toBeLessThan(-1000);
    expect(ends).toEqual(expect.arrayContaining(['', 'chưa rõ']));
  });

  test('org ids: integer, with a blank behind, above 32 bits, empty', () => {
    const ids = values('UF_CRM_COMPANY_ID');
    expect(ids).toEqual(expect.arrayContaining([1_900_000_001, '1000500108 ', '200000376001', '']));
  });

  test('two companies of one org id: one newer, and two of the same second', () => {
    const of = (orgId: string) => companies.filter((c) => c.UF_CRM_COMPANY_ID === orgId).map((c) => c.DATE_MODIFY);
    expect(new Set(of('1900000017')).size).toBe(2);
    expect(of('1000700220')).toHaveLength(2);
    expect(new Set(of('1000700220')).size).toBe(1);
  });

  test('account owners: empty, missing, dismissed in three spellings, hidden, non-existent, without e-mail', () => {
    const byId = new Map(users.map((u) => [u.ID, u]));
    const owners = companies.map((c) => c.ASSIGNED_BY_ID);
    expect(owners).toEqual(expect.arrayContaining(['', undefined, '999999']));
    expect(byId.has('999999')).toBe(false);
    const assigned = owners.flatMap((id) => byId.get(String(id)) ?? []);
    for (const active of [true, false, 'Y', 'N']) expect(assigned.map((u) => u.ACTIVE)).toContain(active);
    expect(assigned.map((u) => u.EMAIL)).toContain('');
    expect(assigned.map((u) => u.USER_TYPE)).toContain('integrator');
  });

  test('titles: leading blank, without id, emoji, markup, right to left; a row of the portal owner himself', () => {
    const titles = values('TITLE').map(String);
    for (const shape of [/^ \S/, /^[^-]*$/, /👟/, /<script>/]) expect(titles.some((t) => shape.test(t))).toBe(true);
    expect(values('UF_CRM_STORENAME').some((n) => String(n).includes('\u202E'))).toBe(true);
    expect(companies.filter((c) => c.IS_MY_COMPANY === 'Y')).toHaveLength(1);
  });

  test('without phones the key is absent; dates near midnight; a file field whose address takes the secret', () => {
    expect(companies.some((c) => !('PHONE' in c))).toBe(true);
    expect(values('DATE_CREATE')).toContain('2026-01-31T22:30:00+03:00');
    expect(JSON.stringify(company('63002').LOGO)).toContain(callingWebhook);
  });

  test('contacts: of existing companies, some of which have none', () => {
    const linked = new Set(contacts.map(({ COMPANY_ID }) => COMPANY_ID));
    for (const id of linked) expect(company(String(id))).toBeDefined();
    expect(companies.some(({ ID }) => !linked.has(ID))).toBe(true);
  });

  test('every field of the demo field list exists', () => {
    for (const { field } of demo.extraFields) expect(company('63002')).toHaveProperty(field);
  });
});

describe('helpdesk: documents point at documents that exist', () => {
  const userNames = new Set(seed.helpdesk.users.map((u) => u.name));

  test('tickets', () => {
    for (const t of documents('HD Ticket')) {
      if (t.customer) expect(named('HD Customer'), t.name).toContain(t.customer);
      if (t.contact) expect(named('Contact'), t.name).toContain(t.contact);
      if (t.agent_group) expect(named('HD Team')).toContain(t.agent_group);
      expect(userNames, `owner of ${t.name}`).toContain(t.owner);
      if (t.via_customer_portal) expect(t.owner).toBe(t.raised_by);
    }
  });

  test('customers, contacts, teams, agents, assignments, account links', () => {
    for (const c of documents('HD Customer')) {
      expect(c.name).toBe(c.customer_name);
      expect(c.name).not.toMatch(/[<>]|^\s|\s$/);
      for (const { contact_name } of rows(c, 'contacts')) expect(named('Contact')).toContain(contact_name);
    }
    for (const c of documents('Contact')) {
      for (const { link_name } of rows(c, 'links')) expect(named('HD Customer')).toContain(link_name);
      expect(userNames).toContain(c.owner);
      if (c.user) expect(userNames).toContain(c.user);
    }
    for (const t of documents('HD Team')) {
      expect(named('Assignment Rule')).toContain(t.assignment_rule);
      for (const { user } of rows(t, 'users')) expect(named('HD Agent')).toContain(user);
    }
    for (const a of documents('HD Agent')) expect(userNames).toContain(a.name);
    for (const t of documents('ToDo')) expect(named('HD Ticket')).toContain(t.reference_name);
    for (const l of documents('Platform Account Link')) expect(named('HD Customer')).toContain(l.hd_customer);
  });

  test('every custom field of a document is one that the site has', () => {
    for (const [doctype, list] of Object.entries(seed.helpdesk.documents)) {
      const known = new Set(seed.helpdesk.customFields[doctype]?.map((f) => f.fieldname));
      const used = list.flatMap((d) => Object.keys(d).filter((key) => key.startsWith('custom_')));
      for (const field of used) expect(known, doctype).toContain(field);
    }
  });

  test('datetimes are naive, in the zone of the site', () => {
    const created = String(ticket(demo.tickets.matched).creation);
    expect(created).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/);
    const moment = Date.parse(`${created.slice(0, 19).replace(' ', 'T')}+07:00`);
    expect(now.getTime() - moment).toBeGreaterThan(0);
    expect(now.getTime() - moment).toBeLessThan(3 * 86_400_000);
  });

  test('accounts: agents, a manager, a service account, System Manager alone, portal customers', () => {
    expect(demo.agent.roles).toEqual(['Agent']);
    expect(demo.manager.roles).toEqual(['Agent', 'Agent Manager']);
    expect(demo.service.roles).toEqual(['Agent', 'Agent Manager']);
    expect(demo.sysonly.roles).toEqual(['System Manager']);
    expect(demo.portal.roles).toEqual([]);
    expect(demo.agent).toMatchObject({ apiKey: 'agent-an', apiSecret: 'agent-an-secret' });
    expect(seed.helpdesk.users.some((u) => !u.enabled)).toBe(true);
    // The proxy's log hides its service account's credentials, so they may be no words of ordinary text.
    for (const word of [demo.service.apiKey, demo.service.apiSecret]) expect(word).toMatch(/^[a-z]+-[a-z-]+$/);
    for (const team of ['Medium - Scale', 'Medium - Grow', 'CS 60p']) expect(named('HD Team')).toContain(team);
  });
});

describe('the two halves agree', () => {
  const emailsOf = (id: string) => [
    String(company(id).UF_CRM_SHOP_OWNER_EMAIL),
    ...((company(id).EMAIL ?? []) as { VALUE: string }[]).map((e) => e.VALUE),
  ];
  const contact = (name: unknown) => documents('Contact').find((c) => c.name === name) as HelpdeskDocument;
  const { tickets } = demo;

  test('each scenario ticket exists', () => {
    for (const name of Object.values(tickets)) expect(ticket(name), name).toBeDefined();
  });

  test('confirmed and likely differ only in how the sender came', () => {
    expect(emailsOf('63018')).toContain(ticket(tickets.confirmed).raised_by);
    expect(ticket(tickets.confirmed).via_customer_portal).toBe(1);
    expect(emailsOf('63016')).toContain(ticket(tickets.confirmedByCrmEmail).raised_by);
    expect(emailsOf('63017')).toContain(ticket(tickets.likely).raised_by);
    expect(ticket(tickets.likely).via_customer_portal).toBe(0);
  });

  test('confirmed by contact: the CRM does not know the address, the Contact is not his own', () => {
    const { raised_by: sender, contact: name } = ticket(tickets.confirmedByContact);
    expect(emailsOf('63025')).not.toContain(sender);
    expect(contact(name).email_id).toBe(sender);
    expect(contact(name).owner).not.toBe(sender);
  });

  test('forged: the link of the Contact was made by the sender, and the customer does not list him', () => {
    const { raised_by: sender, contact: name, customer } = ticket(tickets.forgedLink);
    expect(contact(name).owner).toBe(sender);
    const target = documents('HD Customer').find((c) => c.name === customer) as HelpdeskDocument;
    expect(rows(target, 'contacts').map((r) => r.contact_name)).not.toContain(name);
    expect(String(ticket(tickets.forgedRouting).custom_platform_routing_reason)).toMatch(/^Auto-routed:/);
  });

  test('claimed, missing and unknown org ids', () => {
    expect(values('UF_CRM_COMPANY_ID')).toContain(ticket(tickets.claimed).custom_orgid);
    expect(emailsOf('63002')).not.toContain(ticket(tickets.claimed).raised_by);
    expect(ticket(tickets.missingOrgId)).toMatchObject({ customer: null });
    expect(values('UF_CRM_COMPANY_ID')).not.toContain(ticket(tickets.notFound).custom_orgid);
    expect(values('UF_CRM_COMPANY_ID')).not.toContain(ticket(tickets.secondCandidate).custom_platform_profile_orgid);
    expect(ticket(tickets.leadingDigitsTrap).customer).toMatch(/^360 /);
  });

  test('both naming conventions occur, with and without the org id field', () => {
    const customers = documents('HD Customer');
    for (const shape of [/ - \d+$/, /^\d+ - /]) {
      const matching = customers.filter((c) => shape.test(c.name));
      expect(matching.some((c) => c.custom_platform_orgid)).toBe(true);
      expect(matching.some((c) => !c.custom_platform_orgid)).toBe(true);
    }
  });

  test('a CRM contact is found by e-mail that is not the first one, and another not by any', () => {
    const of = (id: string) => contacts.filter((c) => c.COMPANY_ID === id);
    const mails = of('63009').map((c) => (c.EMAIL as { VALUE: string }[])[0]?.VALUE);
    expect(mails.indexOf(String(ticket(tickets.contactByEmail).raised_by))).toBe(1);
    const others = of('63025').flatMap((c) => (c.EMAIL as { VALUE: string }[]).map(({ VALUE }) => VALUE));
    expect(others).not.toEqual([]);
    expect(others).not.toContain(ticket(tickets.contactUnknown).raised_by);
  });

  test('hostile text stands in subjects, names and titles', () => {
    expect(ticket(tickets.hostileText).subject).toContain('<script>');
    expect(String(contact(ticket(tickets.hostileText).contact).full_name)).toContain('onerror');
    expect(String(ticket(tickets.longWord).subject).length).toBeGreaterThan(100);
    expect(String(ticket(tickets.longWord).subject).length).toBeLessThanOrEqual(140);
  });
});
