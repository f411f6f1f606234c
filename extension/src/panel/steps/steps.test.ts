import type { ProfileData, TrustEvidence } from '@deskside/shared/profile';
import { expect, test, vi } from 'vitest';
import { textsFor } from '#panel/texts/texts.ts';
import { noCompany, type ProfileChange, sampleOther, sampleProfile, sampleTwin } from '#testing/sample-profile.ts';
import { becameTheirs, type Situation, stepsOf } from './steps.ts';

const t = textsFor('en');
const link = 'https://help.example/helpdesk/tickets/61307';
const ways = {
  ...{ retry: vi.fn(), refresh: vi.fn(), insertQuestion: vi.fn(), itsThem: vi.fn() },
  ...{ choose: vi.fn(), compare: vi.fn() },
};
const of = (change: ProfileChange, more: Partial<Situation> = {}) => {
  const profile = sampleProfile(change);
  const situation = { answered: profile, profile, failure: null, online: true, nothingFound: null, link, now: 0, t };
  return stepsOf({ ...situation, ...more }, ways);
};
const keys = (...input: Parameters<typeof of>) => of(...input).map(({ key }) => key);
const labels = ([first]: ReturnType<typeof of>) => first?.actions?.flatMap((action) => action?.label ?? []);
const claimed = { level: 'claimed' as const, evidence: [] };
const likely = { level: 'likely' as const, evidence: [{ code: 'sender_email_of_company' as const }] };
const unlinked = { customer: null };
const left = {
  ...(sampleProfile().bitrix.responsible as NonNullable<ProfileData['bitrix']['responsible']>),
  status: 'inactive' as const,
};
const timeout = { code: 'timeout' as const, request_id: 'r' };

test('a company that is vouched for and linked, with a plan that runs, has no next step', () => {
  expect(keys({})).toEqual([]);
});

test('the order of precedence: no answer, old data, not verified, companies, twins, plan, what is wrong on the ticket', () => {
  const bitrix = {
    ...{ status: 'error' as const, stale: true, error: timeout, responsible: left },
    ...{ lookup_trust: claimed, also_named: [sampleOther()], alternatives: [sampleTwin] },
  };
  const company = { shopplan_status: 'expired' as const, shopplan_days_left: -87 };
  const notes = [{ code: 'orgid_unusable' as const, field: 'custom_orgid' }];
  const failure = { code: 'unreachable' } as const;
  expect(keys({ bitrix, company, notes }, { failure })).toEqual([
    ...['failure', 'crm', 'trust', 'several', 'twins', 'plan', 'custom_orgid'],
  ]);
});

test('not verified: they are to reply from an address that the shop has, and the question is a click away', () => {
  const [step] = of({ bitrix: { lookup_trust: claimed } });
  expect(step?.sentence).toBe('Before you change or share anything, have them reply from owner@tiemhoamau.example.');
  expect(labels(of({ bitrix: { lookup_trust: claimed } }))).toEqual(['Insert question', 'It’s them…']);
  const company = { owner_email: null, company_email: null };
  expect(of({ bitrix: { lookup_trust: claimed }, company })[0]?.sentence).toBe(t.steps.ask);
});

test('what they are asked is that of the case, and names neither the shop nor its address', () => {
  const asked = (...input: Parameters<typeof of>) => {
    of(...input)[0]?.actions?.[0]?.onPress?.();
    return ways.insertQuestion.mock.lastCall?.[0];
  };
  const nowhere = { owner_email: null, company_email: null };
  expect(asked({ bitrix: { lookup_trust: claimed } })).toBe('fromAddress');
  expect(asked({ bitrix: { lookup_trust: claimed }, company: nowhere })).toBe('whatShopKnows');
  expect(asked({ bitrix: { ...noCompany, status: 'missing_orgid' } }, { nothingFound: 'No shop.' })).toBe('whichShop');
  for (const language of ['en', 'vi'] as const)
    expect(Object.values(textsFor(language).steps.question).join()).not.toMatch(/@|\{|Hoa/);
});

test.each<[TrustEvidence['code'], string]>([
  ['contact_of_other', t.steps.fixContact],
  ['made_by_other', t.steps.openOther],
  ['guest_ticket', t.steps.openOther],
  ['shared_with_other', t.steps.openOther],
])('where somebody else may read the ticket nothing of the company is put on it: %s', (code, sentence) => {
  const steps = of({ bitrix: { lookup_trust: { level: 'claimed', evidence: [{ code, value: 'x@y.example' }] } } });
  expect([steps[0]?.sentence, labels(steps)]).toEqual([sentence, undefined]);
});

test('a plan that ended says so with its owner; who is probably them is confirmed from there', () => {
  const company = { shopplan_status: 'expired' as const, shopplan_days_left: -87 };
  const [step] = of({ company, bitrix: { responsible: left, lookup_trust: likely } });
  expect(`${step?.lead} ${step?.sentence}`).toBe('Plan ended 87 days ago, and its account owner has left the company.');
  expect(step?.actions?.map((action) => action?.label)).toEqual(['Assign in CRM', 'It’s them…']);
  const ends = of({ company: { shopplan_status: 'expiring_soon', shopplan_days_left: 13 } });
  expect([ends[0]?.lead, labels(ends)]).toEqual(['Plan ends in 13 days.', ['Tell Nguyễn An']]);
  const mail = new URL(ends[0]?.actions?.[0]?.href ?? '');
  expect([mail.pathname, mail.searchParams.get('subject'), mail.searchParams.get('body')]).toEqual([
    ...['an@crm.example', '#61307 Tiệm Hoa Mẫu: plan ends 20/01/2027'],
    `Tiệm Hoa Mẫu has written to us: plan ends 20/01/2027.\n${link}`,
  ]);
  expect(of({ company: { shopplan_status: 'expiring_soon', shopplan_days_left: 0 } })[0]?.lead).toBe(
    'Plan ends today.',
  );
});

test('an account owner who has left is said once', () => {
  expect(keys({ bitrix: { responsible: left } })).toEqual(['owner']);
  expect(
    keys({ company: { shopplan_status: 'expired', shopplan_days_left: -1 }, bitrix: { responsible: left } }),
  ).toEqual(['plan']);
});

test('what is wrong with the connection says that it is tried again, where it is', () => {
  const [first] = of({}, { failure: { code: 'unreachable' } });
  expect(first?.sentence).toContain('Deskside keeps trying.');
  expect(keys({}, { online: false })).toEqual(['offline']);
  expect(labels(of({}, { failure: { code: 'other_revision' } }))).toEqual([]);
});

test.each<[Parameters<typeof of>[0], string, string[]]>([
  [
    { bitrix: { status: 'error', stale: true, error: timeout } },
    'The CRM is not responding. What you see was read',
    ['Try now'],
  ],
  [
    { bitrix: { status: 'error', company: null, error: timeout } },
    'the helpdesk’s own record. This does not mean',
    ['Try now'],
  ],
  [
    { bitrix: { status: 'error', company: null, error: { ...timeout, code: 'unauthorized' } } },
    'Tell your Deskside',
    ['Try now'],
  ],
  [{ bitrix: { status: 'disabled', company: null } }, 'The CRM is off. What you see is the helpdesk’s', []],
  [{ bitrix: { status: 'missing_config', company: null } }, 'Tell your Deskside administrator.', []],
])('a CRM without an answer is the next step’s line: %j', (change, words, actions) => {
  const [step] = of(change);
  expect(`${step?.lead} ${step?.sentence}`).toContain(words);
  expect(labels(of(change))).toEqual(actions);
});

test('while the CRM is waited for, nothing is said of it', () => {
  expect(keys({ pending: ['crm'], bitrix: { status: 'missing_config', company: null } })).toEqual([]);
});

test('a customer made by hand that may be the company is offered, before a word about the link, and pressed as itself', () => {
  const customer = 'Ca phe Suong Nui';
  const [first] = of({ ticket: unlinked, bitrix: { adoption: { customer } } });
  expect([first?.key, first?.names]).toEqual(['adoption', [customer]]);
  first?.actions?.[0]?.onPress?.();
  expect(ways.itsThem).toHaveBeenLastCalledWith(customer);
});

test('a customer that is not the company is said to be another one, or asked about, not both', () => {
  const blank = { custom_platform_orgid: null, custom_crm_company_id: null };
  const { customer: linked } = sampleProfile();
  const customer = linked && { ...linked, ...blank, name: 'Hoa', customer_name: 'Tiệm hoa' };
  expect(keys({ customer })).toEqual(['customer']);
  expect(keys({ customer, bitrix: { adoption: { customer: 'Hoa' } } })).toEqual(['adoption']);
});

test('a ticket that is not linked is linked by whoever vouches, and asked about first where nobody does', () => {
  expect(labels(of({ ticket: unlinked, customer: null }))).toEqual(['Link…']);
  expect(labels(of({ ticket: unlinked, customer: null, bitrix: { lookup_trust: likely } }))).toEqual(['It’s them…']);
  expect(keys({ ticket: unlinked, customer: null, bitrix: { lookup_trust: claimed } })).toEqual(['trust']);
});

test('a customer that became the company’s can be given back', () => {
  const adopted = { customer: 'Hoa', id: 's9', via: 'pipeline' as const, by: null, at: '2026-11-20T08:00:00Z' };
  const undo = vi.fn();
  const [change] = becameTheirs(sampleProfile({ bitrix: { adopted } }), t, undo);
  expect(change?.sentence).toBe('Hoa, made by hand, became this shop’s customer by Deskside.');
  change?.action?.onPress?.();
  expect(undo).toHaveBeenCalledWith('s9');
});

test('while nothing can be written, It’s them says why', () => {
  const profile = sampleProfile({ bitrix: { lookup_trust: claimed } });
  const situation = { answered: profile, profile, failure: null, nothingFound: null, link, online: true, now: 0, t };
  const [step] = stepsOf(situation, { ...ways, itsThem: null });
  expect(step?.actions?.[1]).toMatchObject({ unavailable: true, about: t.sync.oldData });
});
