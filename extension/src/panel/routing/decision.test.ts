import type { LookupTrust } from '@deskside/shared/profile';
import type { RoutingDecision as Decision, RoutingInputs, RoutingRule } from '@deskside/shared/routing';
import { expect, test } from 'vitest';
import { textsFor } from '#panel/texts/texts.ts';
import { sampleDecision } from '#testing/sample-decision.ts';
import { decisionModel } from './decision.tsx';

const en = textsFor('en');
const names = { 'an@support.example': 'Nguyễn Hoài An', 'binh@support.example': 'Trần Hải Bình' };
const now = Date.parse('2026-11-20T08:05:10.000Z');
type Change = Parameters<typeof sampleDecision>[0];
const modelOf = (change: Change = {}, around = {}) =>
  decisionModel(sampleDecision(change), en, { now, group: null, superseded: false, refused: null, names, ...around });
const hit = (rule: RoutingRule) => ({ rules: [{ rule, hit: true }] });
const kept = (set_by: 'person' | 'sender' | 'deskside'): Change => ({
  inputs: { agent_group: { name: 'After Sales', set_by } },
  outcome: { team: null, ...hit('group_kept') },
  assignment: { state: 'none', agent: null, candidates: [] },
});
const cells = (change: Change) =>
  Object.fromEntries(
    modelOf(change).inputs.flatMap(({ label, value, note }) =>
      value === null ? [] : [[label, [value, note].filter(Boolean).join(' | ')]],
    ),
  );

test('a routed ticket: one sentence of team, reason and agent; time and cause', () => {
  const model = modelOf({ link: { customer: 'Shop', previous: null, done: true } });
  expect(model).toMatchObject({
    sentence:
      'Medium - Scale, because the customer’s segment is Medium and OMNI SCALE 2025 (1 năm) is a Scale plan; Nguyễn Hoài An was next in turn.',
    names: ['Medium - Scale', 'Nguyễn Hoài An', 'OMNI SCALE 2025 (1 năm)'],
    note: null,
    moved: null,
  });
  expect(model.made).toMatch(/^20\/11\/2026 \d\d:\d\d, 5 minutes ago. New ticket \(webhook\)$/);
  expect(model.candidates.filter(({ chosen }) => chosen).map(({ user }) => user)).toEqual(['an@support.example']);
  expect(cells({ link: { customer: 'Shop', previous: null, done: true } })).toMatchObject({ 'Linked to': 'Shop' });
});

test.each<[string, Change, string]>([
  ['a kept group', kept('person'), 'After Sales, because someone had already chosen this team.'],
  ['a group of the sender', kept('sender'), 'After Sales, because the sender chose this team.'],
  [
    'no org id',
    { outcome: { team: 'CS 60p', ...hit('missing_orgid') } },
    'CS 60p, because no Org ID is known for this ticket; Nguyễn Hoài An was next in turn.',
  ],
  [
    'no segment',
    { inputs: { customer: null }, outcome: { team: 'CS 60p', ...hit('sme') }, assignment: { state: 'none' } },
    'CS 60p, because the customer’s segment is not Medium (not set).',
  ],
  [
    'a person who was faster',
    { state: 'overruled' },
    'Someone else had already chosen the team; Deskside would have chosen Medium - Scale.',
  ],
  [
    'no team',
    { outcome: { team: null, fallback: 'team_missing' }, assignment: { state: 'none', agent: null } },
    'No team, because the one for tickets like this cannot be used.',
  ],
  [
    'a decision without rules',
    { outcome: { rules: [] }, assignment: { state: 'none' } },
    'Medium - Scale, because of a rule that was not recorded.',
  ],
])('in one sentence: %s', (_, change, sentence) => expect(modelOf(change).sentence).toBe(sentence));

test.each<[Decision['assignment']['state'], string]>([
  ['planned', '; Nguyễn Hoài An is next in turn.'],
  ['already_assigned', '; someone already had the ticket.'],
  ['nobody_available', '; it waits until someone on the team is available.'],
  ['withdrawn', '; Nguyễn Hoài An was next in turn, but someone else had the ticket or had set its team.'],
])('whose it is: %s', (state, clause) =>
  expect(modelOf({ assignment: { state } }).sentence.endsWith(clause)).toBe(true),
);

test('an agent goes by name; by the address too where two have the same name, and by it alone where there is none', () => {
  const namesOf = (known: Record<string, string>) => modelOf({}, { names: known }).candidates.map(({ name }) => name);
  const [dung, an, binh] = ['dung@support.example', 'an@support.example', 'binh@support.example'];
  expect(namesOf(names)).toEqual([dung, 'Nguyễn Hoài An', 'Trần Hải Bình']);
  expect(namesOf({ [dung]: 'Lê An', [an]: 'Lê An' })).toEqual([`Lê An (${dung})`, `Lê An (${an})`, binh]);
  expect(namesOf({})).toEqual([dung, an, binh]);
});

test('a failure is shown with what happens next, or with the fact that a newer decision exists', () => {
  for (const fallback of ['crm', 'meta_json', 'team_missing'] as const) {
    const words = en.routingReasons.fallback[fallback];
    expect(modelOf({ outcome: { fallback } }).note).toMatchObject({ title: words.title, body: words.later });
    expect(modelOf({ outcome: { fallback } }, { superseded: true }).note).toMatchObject({
      title: words.title,
      body: en.routingReasons.fallbackSince,
    });
  }
  // Somebody has taken over: nothing is decided again.
  expect(modelOf({ outcome: { fallback: 'crm' }, state: 'overruled' }).note).toBeNull();
});

test('what the helpdesk has against the ticket is named, until it has the decision', () => {
  const refused = 'HD Ticket needs Product';
  expect(modelOf({ state: 'planned' }, { refused }).note).toMatchObject({
    tone: 'bad',
    body: expect.stringMatching(/^HD Ticket needs Product\. Once somebody/),
  });
  expect(modelOf({ state: 'planned' }).note).toMatchObject({ tone: 'info' });
  expect(modelOf({ state: 'planned' }, { refused, superseded: true }).note).toMatchObject({ tone: 'info' });
  expect(modelOf({}, { refused }).note).toBeNull();
});

test.each<[string, Change, object, string | null]>([
  ['elsewhere', {}, { group: 'CS 60p' }, 'Moved since: the ticket is now in CS 60p.'],
  ['where it was put', {}, { group: 'Medium - Scale' }, null],
  ['where it was left', kept('person'), { group: 'After Sales' }, null],
  ['not known', {}, { group: null }, null],
  ['not there yet', { state: 'planned' }, { group: 'CS 60p' }, null],
  ['elsewhere, of an earlier decision', {}, { group: 'CS 60p', superseded: true }, null],
])('a ticket that is %s', (_, change, around, moved) => expect(modelOf(change, around).moved).toBe(moved));

test('the inputs with their source', () => {
  expect(cells({ inputs: { agent_group: { name: 'CS 60p', set_by: 'deskside' } } })).toEqual({
    'Org ID': '1000069001 | on the ticket (Org ID). Verified. Signed in with the shop’s own address',
    Customer: 'Tiệm Hoa Mẫu - 1000069001',
    Segment: 'Medium | on the customer',
    Plan: 'OMNI SCALE 2025 (1 năm)',
    'Counts as': 'Medium, Medium Scale',
    CRM: 'company found',
    'Previous team': 'CS 60p | set by Deskside',
  });
  expect(
    cells({
      inputs: {
        customer: null,
        ticket_segment: 'Medium',
        crm: { status: 'error', error: 'timeout', checked_at: '2026-11-18T08:00:10.000Z', stale: true },
      },
      outcome: { segment: 'SME', shopplan: 'SME' },
    }),
  ).toMatchObject({
    Customer: 'none linked',
    Segment: 'Medium | on the ticket, where the sender can change it',
    Plan: 'not set',
    'Counts as': 'SME',
    CRM: 'The CRM is not responding | old data',
  });
  const company = { segment: 'SME', shop_plan: 'Grow 2024', source: 'crm', checked_at: null } as const;
  const ofCompany = cells({ inputs: { looked_up: company } });
  expect(ofCompany).toMatchObject({ Segment: expect.stringMatching(/^SME \|/), Plan: 'Grow 2024' });
  expect(cells({ inputs: { crm: null } })).not.toHaveProperty('CRM');
  const made = { customer: 'Khách lẻ', done: false };
  expect(cells({ inputs: { adoption: made } })['Made by hand']).toBe('Khách lẻ | an agent decides');
});

test('a link that was only proposed says so, and one that replaced another names it', () => {
  const link = (change: Change) => cells(change)['Linked to'];
  expect(link({ link: { customer: 'A', previous: 'B', done: true } })).toBe('A | instead of B');
  expect(link({ link: { customer: 'A', previous: null, done: false } })).toMatch(/^A \| only proposed/);
});

test('what intake found and what it could not read; addresses from outside are cut', () => {
  const address = `https://evil.example/${'a'.repeat(5_000)}`;
  const found = { kind: 'org_id', value: '1', source: 'meta_json', field: 'custom_store_url' } as const;
  const { findings } = modelOf({
    inputs: {
      findings: [{ ...found, quote: 'shop.example', address }],
      meta_failures: [{ address, outcome: 'failed', why: 'timeout' }],
    },
  });
  expect(findings[0]).toMatchObject({ what: '1 (Org ID)', quote: 'shop.example' });
  expect(findings[0]?.where).toMatch(/^from the shop’s meta.json \(Store URL\)\. Read from https:.{190,200}$/);
  expect(findings[1]).toMatchObject({
    where: 'It took too long to answer. It will be tried again later.',
    quote: null,
  });
  expect(findings[1]?.what).toHaveLength(200);
});

test('unknown sources and fields are shown by their own names, even if they are named like object members', () => {
  const org_id = { ...sampleDecision().inputs.org_id, source: 'constructor', field: 'toString' } as never;
  expect(cells({ inputs: { org_id } })['Org ID']).toContain('constructor (toString).');
});

test('an org id that the CRM does not have is nobody’s, whoever typed it', () => {
  const trust: LookupTrust = { level: 'likely', evidence: [{ code: 'entered_by_agent', value: 'an@support.example' }] };
  const org_id = { ...sampleDecision().inputs.org_id, trust } as RoutingInputs['org_id'];
  const of = (status: 'not_found' | 'cached' | 'matched', more: Partial<RoutingInputs> = {}) =>
    cells({ inputs: { org_id, crm: { status, error: null, checked_at: null, stale: false }, ...more } })['Org ID'];
  expect(of('matched')).toContain('Probably them. Entered by Nguyễn Hoài An');
  expect(of('cached')).toContain('Probably them.');
  expect(of('not_found')).toContain(en.trust.noCompany);
  // What was remembered is that it has none.
  expect(of('cached', { customer: null })).toContain(en.trust.noCompany);
  expect(cells({ inputs: { org_id: null } })['Org ID']).toBe('none found');
});
