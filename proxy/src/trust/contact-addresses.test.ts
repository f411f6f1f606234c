import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import type { Ticket } from '#helpdesk/tickets.ts';
import { cachedCompany } from '#store/testing/cached-company.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { partOfContext } from '#testing/part-of-context.ts';
import { judgeMatch } from './evidence.ts';
import type { TicketFacts } from './judge.ts';

const sender = 'vy@shop.example';
const facts: TicketFacts = {
  ...{ sender, owner: sender, ownerKind: 'website', isSplit: false },
  ...{ isInsertKnown: true, insertedFor: sender, contactOfOther: null, contactAtInsertOfOther: null },
};
const candidate = { orgId: '1000069001' as OrgId, source: 'ticket', field: 'custom_orgid' } as const;

test.each([
  [false, 'claimed'],
  [true, 'confirmed'],
])('addresses of a company’s contacts vouch by the rule trust_contact_addresses alone: %s', async (isRule, level) => {
  const contact = { id: '1', name: 'Vy', post: null, emails: ['VY@Shop.example'], phones: [], url: null };
  const company = { ...cachedCompany('7'), emails: ['info@shop.example'], contacts: [contact] };
  const ctx = partOfContext({ ...memoryStore(), contactAddressesVouch: isRule });
  const ticket = { name: '1', creation: '2026-11-20 12:00:00.000001', customer: null } as Ticket;
  const { trust } = await judgeMatch(ctx, { ticket, candidate, company, facts });
  expect(trust.level).toBe(level);
});
