import type { OrgId } from '@deskside/shared/orgid';
import type { ClaimsMode } from '@deskside/shared/routing';
import { expect, test } from 'vitest';
import { medium } from '#crm/testing/sample-companies.ts';
import * as decisions from '#store/decisions.ts';
import * as rejections from '#store/rejections.ts';
import { pipelineWorld, withOrgId } from '#testing/pipeline-kit.ts';
import { decideBeforeInsert, type UnsavedTicket } from './before-insert.ts';
import { scale } from './testing/pipeline-rules.ts';

const key = 'f406078a-e7ad-40ae-8040-d587741e5a1e';
const ticket = {
  key,
  owner: 'vy@shop.example',
  orgId: medium as OrgId | null,
  agentGroup: null as string | null,
  customer: null,
};

async function setUp({ claims = 'accept', known = true }: { claims?: ClaimsMode; known?: boolean } = {}) {
  const w = pipelineWorld({ claims, ttlMinutes: 60 });
  const found = w.crm.answer(medium);
  if (found.kind === 'found') found.companies[0].emails.push('chu@shop.example');
  if (known) await w.route('1', withOrgId(medium));
  return { ...w, decide: (unsaved: UnsavedTicket) => decideBeforeInsert(w.ctx, unsaved) };
}

test('what this service knows decides, is kept under the ticket’s key, and tells nothing of the company', async () => {
  const { decide, db } = await setUp();
  expect(await decide(ticket)).toEqual({
    agentGroup: scale,
    status: 'Complete',
    reason: `Auto-routed: Customer Segment=-, Shopplan=-, Source=crm. Target team=${scale}.`,
  });
  expect(await decisions.preliminary(db, key)).toMatchObject({ key, team: scale });
});

test.each([
  ['decides where nobody has looked the org id up', { known: false }, 'hd_customer', 'Medium - Grow'],
  ['does not count beside the CRM’s answer', {}, 'crm', scale],
])('what the helpdesk’s customer says %s', async (_, options, source, team) => {
  const { decide } = await setUp(options);
  const customer = { segment: 'Medium', shopPlan: 'Grow 2' };
  expect(await decide({ ...ticket, customer })).toEqual({
    agentGroup: team,
    status: 'Complete',
    reason: `Auto-routed: Customer Segment=-, Shopplan=-, Source=${source}. Target team=${team}.`,
  });
});

test.each([
  ['a ticket with a group', { agentGroup: 'CS 60p' }, {}, 0],
  ['a ticket without org id', { orgId: null }, {}, 0],
  ['an org id that nobody has looked up', {}, { known: false }, 0],
  ['one of which the CRM’s answer is old', {}, {}, 61],
])('%s is left to the pipeline', async (_, change, options, minutes) => {
  const { decide, db, clock } = await setUp(options);
  clock.advance(minutes * 60_000);
  expect(await decide({ ...ticket, ...change })).toBeNull();
  expect(await decisions.preliminary(db, key)).toBeNull();
});

test('without a CRM everything is left to the pipeline', async () => {
  const { ctx } = pipelineWorld({ configured: false });
  const customer = { segment: 'Medium', shopPlan: 'Scale' };
  expect(await decideBeforeInsert(ctx, { ...ticket, customer })).toBeNull();
});

test('who writes under an address of the company is believed also where claims are not', async () => {
  const { decide } = await setUp({ claims: 'hold' });
  expect(await decide({ ...ticket, owner: 'Chu@shop.example' })).toMatchObject({ agentGroup: scale });
});

test('of a claim that only routes it says the team and nothing of the company', async () => {
  const { decide } = await setUp({ claims: 'hold' });
  expect(await decide(ticket)).toEqual({
    agentGroup: scale,
    status: 'Complete',
    reason: `Auto-routed: Customer Segment=-, Shopplan=-, Source=claim. Target team=${scale}.`,
  });
});

const rejection = {
  ticket: { name: '7', creation: '2026-01-01 00:00:00' },
  sender: 'vy@shop.example',
  orgId: medium,
  crmCompanyId: null,
  companyName: null,
  agent: 'an@desk.example',
  reason: { code: 'other_company', note: '' },
  signedIn: true,
  at: 1,
} as const;

test('a company that an agent has rejected for this sender decides nothing; for another it does', async () => {
  const { decide, db } = await setUp();
  await rejections.record(db, rejection);
  for (const customer of [null, { segment: 'Medium', shopPlan: null }])
    for (const owner of ['Vy@Shop.example', ' vy@shop.example '])
      expect(await decide({ ...ticket, owner, customer })).toBeNull();
  expect(await decisions.preliminary(db, key)).toBeNull();
  expect(await decide({ ...ticket, owner: 'chu@shop.example' })).toMatchObject({ agentGroup: scale });
});

test('one rejected on a mail that only bore their address decides all the same where they are signed in', async () => {
  const { decide, db } = await setUp();
  await rejections.record(db, { ...rejection, signedIn: false });
  expect(await decide(ticket)).toMatchObject({ agentGroup: scale });
});
