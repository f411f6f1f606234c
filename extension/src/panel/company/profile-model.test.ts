import type { ProfileData, TrustEvidence } from '@deskside/shared/profile';
import type { ResponsibleStatus } from '@deskside/shared/status';
import { describe, expect, test } from 'vitest';
import { textsFor } from '#i18n/panel/texts.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { type ProfileModel, profileModel } from './profile-model.ts';

const t = textsFor('en');
const now = Date.parse('2026-11-20T08:00:00Z');
const view = (change: Parameters<typeof sampleProfile>[0], before = null) =>
  profileModel(sampleProfile(change), t, now, before);

/** What a view shows in rows, of people and of the account owner, as `key: text`, without what it leaves out. */
function shown({ company, people, groups }: ProfileModel): Record<string, string> {
  const parts = groups.flatMap((group) => group.rows.flatMap((row) => row.parts));
  parts.push(...(company?.owner.parts ?? []));
  for (const { name, emails, phones, notes } of people)
    parts.push(...(name ? [name] : []), ...emails, ...phones, ...notes);
  return Object.fromEntries(parts.flatMap(({ key, text }) => (text === null ? [] : [[key, text]])));
}

test('a complete company shows plan, health, owner, contact and the helpdesk’s own records', () => {
  const complete = view({});
  expect(complete.company?.plan).toMatchObject({
    name: { text: 'OMNI SCALE 2025 (1 năm)' },
    status: { text: 'Active' },
    left: { text: '61 days left' },
    signed: { text: 'Signed 20/01/2026' },
    expiry: { text: 'Expires 20/01/2027' },
  });
  expect(shown(complete)).toMatchObject({
    'owner.name': 'Nguyễn An',
    'shop.owner.phone': '0900 000 001',
    'crm.contact.name': 'Trần Mẫu',
    'hd.customer': 'Tiệm Hoa Mẫu - 1000069001',
    'hd.contact.phone': '0900 000 002',
    'hd.raised_by': 'mau@tiemhoamau.example',
    'more.id': '63001',
    'more.location': 'Hồ Chí Minh, Việt Nam',
  });
});

test('the sender who is the ticket’s contact and the CRM’s is one person', () => {
  const { people } = view({});
  expect(people.map(({ roles }) => roles)).toEqual([['sender', 'contact', 'crm_contact'], ['shop_owner']]);
  expect(people[0]?.emails.map(({ text, href }) => [text, href])).toEqual([
    ['mau@tiemhoamau.example', 'mailto:mau@tiemhoamau.example'],
  ]);
  expect(people[0]?.phones.flatMap(({ text, href }) => (text ? [[text, href]] : []))).toEqual([
    ['0900 000 002', 'tel:0900000002'],
  ]);
});

test.each(['claimed', 'confirmed'] as const)('nobody becomes the owner by a name or a number: %s', (level) => {
  const posing = {
    name: 'x',
    full_name: 'Nguyễn Thị Mẫu',
    email_id: 'x@evil.example',
    phone: '0900000001',
    mobile_no: null,
  };
  const { people } = view({ contact: posing, bitrix: { lookup_trust: { level, evidence: [] } } });
  expect(people.map(({ roles }) => roles)).toContainEqual(['contact']);
});

test.each([
  [{ shopplan_status: 'expired', shopplan_days_left: -12 } as const, 'Expired', '12 days ago', 'Expired 20/01/2027'],
  [
    { shopplan_status: 'expiring_soon', shopplan_days_left: 0 } as const,
    'Expiring soon',
    'Last day',
    'Expires 20/01/2027',
  ],
  [
    { shopplan_status: 'expiring_soon', shopplan_days_left: 1 } as const,
    'Expiring soon',
    '1 day left',
    'Expires 20/01/2027',
  ],
])('plan state %j is worded', (company, status, left, expiry) => {
  const plan = view({ company }).company?.plan;
  expect([plan?.status.text, plan?.left.text, plan?.expiry.text]).toEqual([status, left, expiry]);
});

test('a company without plan, name or owner says so instead of leaving gaps', () => {
  const bare = view({
    company: {
      company_name: null,
      title_full: null,
      current_shopplan: null,
      assigned_by_id: null,
      shopplan_status: undefined,
    },
    bitrix: { responsible: null },
  });
  expect(bare.company?.name.text).toBe('Unnamed company');
  expect(bare.company?.plan).toMatchObject({
    name: { text: 'No plan on record' },
    state: null,
    status: { text: null },
  });
  expect(shown(bare)['owner.name']).toBe('No one in the CRM');
});

test.each<[ResponsibleStatus, string | undefined]>([
  ['active', undefined],
  ['inactive', 'no longer active in the CRM'],
  ['not_found', 'not found in the CRM'],
  ['missing_config', 'name unknown: CRM user look-up is not set up'],
  ['error', 'name unknown: the CRM did not answer'],
])('an account owner who is %s is described', (status, words) => {
  const owner = { id: '338', active: false, email: null, name: null, user_type: null, status };
  const parts = shown(view({ bitrix: { responsible: owner } }));
  expect(parts['owner.name']).toBe('CRM user 338');
  expect(parts['owner.status']).toBe(words);
});

test('only checked addresses become links', () => {
  const { groups, mentions } = view({
    company: { owner_email: 'javascript:alert(1)', owner_phone: 'javascript:alert(1)' },
    bitrix: {
      contact: {
        id: '1',
        name: 'X',
        post: null,
        email: null,
        phone: null,
        url: 'javascript:alert(1)',
        chosen_by: 'first',
      },
    },
  });
  const parts = [
    ...groups.flatMap((group) => group.rows.flatMap((row) => row.parts)),
    ...mentions.flatMap(({ name, email, phones }) => [...(name ? [name] : []), email, ...phones]),
  ];
  expect(parts.filter(({ href }) => href && !/^(https?:|mailto:|tel:)/.test(href))).toEqual([]);
});

test('without a company the helpdesk’s own records are still there', () => {
  const without = view({ customer: null, contact: null, bitrix: { status: 'missing_orgid', company: null } });
  expect(without.company).toBeNull();
  expect(without.groups.map((group) => group.id)).toEqual(['helpdesk']);
});

test('platform accounts are people; their organisation is named where it is another one', () => {
  const account = {
    user: 'u@x.example',
    email: null,
    haravan_userid: '5',
    haravan_orgid: '1000069001',
    haravan_orgname: 'Tiệm Hoa Mẫu',
    last_login: '2026-05-07 18:30:00',
  };
  const other = { ...account, user: 'mau@tiemhoamau.example', haravan_orgid: '1000391001', haravan_orgname: 'Cà Phê' };
  const { people } = view({ haravan: [account, other] });
  const notesOf = (role: number) => people[role]?.notes.flatMap(({ text }) => text ?? []);
  expect(people.map(({ roles }) => roles.at(-1))).toEqual(['account', 'shop_owner', 'account']);
  expect(notesOf(0)).toEqual(['Kế toán', 'Cà Phê 1000391001', 'last sign-in 07/05/2026']);
  expect(notesOf(2)).toEqual(['last sign-in 07/05/2026']);
});

test('that platform accounts are still being read is said', () => {
  expect(shown(view({ pending: ['haravan'] })).accounts).toBe('Loading…');
});

test('metrics are rows of the company, profit and context under a heading of their own, in the operator’s order', () => {
  const field = (key: string, value: string) => ({ key, label: `Label of ${key}`, value });
  const company = {
    metrics: [field('gmv', '41 500 000 VND')],
    profit: [field('margin', '12.5'), field('lifetime', '9 800 000 VND')],
    context: [field('channels', 'Shopee, TikTok')],
  };
  const { groups } = view({ company });
  const rowsOf = (id: string) => {
    const group = groups.find((one) => one.id === id);
    return [group?.title, ...(group?.rows ?? []).map(({ label, parts }) => [label, ...parts.map(({ text }) => text)])];
  };
  expect(rowsOf('company')).toEqual([
    'Company',
    ['Org ID', '1000069001'],
    ['Membership', 'Member'],
    ['Label of gmv', '41 500 000 VND'],
  ]);
  expect(rowsOf('profit')).toEqual(['Profit', ['Label of margin', '12.5'], ['Label of lifetime', '9 800 000 VND']]);
  expect(rowsOf('context')).toEqual(['Context', ['Label of channels', 'Shopee, TikTok']]);
});

describe('what the helpdesk keeps of the CRM', () => {
  const customer = {
    ...sampleProfile().customer,
    custom_customer_segment: 'Medium',
    custom_shopplan_name: 'OMNI SCALE 2025 (1 năm)',
    custom_crm_sync_status: 'matched',
    custom_crm_last_synced_at: '2026-11-19 23:05:09.123456',
    custom_crm_last_checked_at: '2026-11-20 08:15:00',
  } as ProfileData['customer'];

  test.each(['disabled', 'missing_config', 'error'] as const)('is shown where the CRM is silent: %s', (status) => {
    expect(shown(view({ customer, bitrix: { status, company: null } }))).toMatchObject({
      'hd.segment': 'Medium',
      'hd.plan': 'OMNI SCALE 2025 (1 năm)',
      'hd.sync.status': 'Found in the CRM',
      'hd.sync.at': '19/11/2026 23:05 (helpdesk’s clock)',
      'hd.checked.at': '20/11/2026 08:15 (helpdesk’s clock)',
    });
  });

  test.each([
    ['a company is shown, old as it may be', { status: 'error' }],
    ['the CRM has answered', { status: 'not_found', company: null }],
  ] as const)('is left out where %s', (_, bitrix) => {
    const keys = Object.keys(shown(view({ customer, bitrix })));
    expect(keys.filter((key) => /^hd\.(segment|plan|sync|checked)/.test(key))).toEqual([]);
  });

  test('nothing is claimed for a customer that was never synced, or without one', () => {
    const bare = {
      ...customer,
      custom_crm_sync_status: null,
      custom_crm_last_synced_at: '',
    } as ProfileData['customer'];
    const seen = shown(view({ customer: bare, bitrix: { status: 'disabled', company: null } }));
    expect([seen['hd.sync.status'], seen['hd.sync.at']]).toEqual([undefined, undefined]);
    expect(
      shown(view({ customer: null, bitrix: { status: 'disabled', company: null } }))['hd.segment'],
    ).toBeUndefined();
  });
});

test('an agent who made the ticket is none of the customer’s people', () => {
  const an = 'an@desk.example';
  const ticket = { ...sampleProfile().ticket, raised_by: an };
  const contact = { name: 'An', full_name: 'An', email_id: an, phone: null, mobile_no: null };
  const rolesOf = (evidence: TrustEvidence[]) =>
    profileModel(
      sampleProfile({ ticket, contact, bitrix: { lookup_trust: { level: 'confirmed', evidence } } }),
      t,
      now,
      null,
    ).people.flatMap(({ roles }) => roles);
  expect(rolesOf([{ code: 'value_on_customer', value: an }])).toContain('sender');
  const vouched = ['entered_by_agent', 'linked_by_agent', 'sender_known_to_agent', 'signed_in_known_to_agent'] as const;
  for (const code of vouched) {
    expect(rolesOf([{ code, value: an }])).not.toContain('sender');
    expect(rolesOf([{ code, value: an }])).not.toContain('contact');
  }
});
