import type { OrgId } from '@deskside/shared/orgid';
import type { LookupTrust, TrustEvidence } from '@deskside/shared/profile';
import type { ClaimsMode } from '@deskside/shared/routing';
import { describe, expect, test } from 'vitest';
import { decisionDraft } from '#routing/testing/decision-draft.ts';
import { isClaim, isHeld, isOpenClaim } from './companies.ts';

const trustOf = (level: LookupTrust['level'], ...codes: TrustEvidence['code'][]): LookupTrust => ({
  level,
  evidence: codes.map((code) => ({ code })),
});
const idWith = (trust: LookupTrust | null) => ({
  value: '1000069001' as OrgId,
  source: 'ticket',
  field: 'custom_orgid',
  trust,
});
const company = { segment: 'Medium', shop_plan: null, source: 'crm', checked_at: null } as const;
const adoption = (done: boolean) => ({ customer: 'Tiệm Hoa Mẫu', done });

describe('decision 9', () => {
  test.each([
    [null, false],
    [idWith(null), true],
    [idWith(trustOf('claimed')), true],
    [idWith(trustOf('likely')), false],
    [idWith(trustOf('confirmed')), false],
  ])('a claim is an org id that only the sender vouches for: %j', (org_id, expected) => {
    expect(isClaim({ org_id })).toBe(expected);
  });

  test.each<[string, LookupTrust, Record<ClaimsMode, boolean>]>([
    ['a claim', trustOf('claimed', 'value_on_ticket', 'sender_not_of_company'), { accept: false, hold: true }],
    ['one of a changed sender', trustOf('claimed', 'sender_changed'), { accept: false, hold: true }],
    [
      'one on a ticket with somebody else’s contact',
      trustOf('claimed', 'contact_of_other'),
      { accept: true, hold: true },
    ],
    ['one on a ticket that somebody else made', trustOf('claimed', 'made_by_other'), { accept: true, hold: true }],
    [
      'a company that its address vouches for',
      trustOf('likely', 'sender_email_of_company'),
      { accept: false, hold: false },
    ],
    ['a company of an agent’s Sync', trustOf('confirmed', 'linked_by_agent'), { accept: false, hold: false }],
  ])('whether %s decides the team alone, by the mode', (_, trust, held) => {
    const org_id = idWith(trust);
    expect({ accept: isHeld({ org_id }, 'accept'), hold: isHeld({ org_id }, 'hold') }).toEqual(held);
  });

  test.each(['accept', 'hold'] as const)(
    'while the ticket’s customer was made by hand and has not become the company, it does: %s',
    (mode) => {
      const org_id = idWith(trustOf('confirmed'));
      expect(isHeld({ org_id, adoption: adoption(false) }, mode)).toBe(true);
      expect(isHeld({ org_id, adoption: adoption(true) }, mode)).toBe(false);
      expect(isHeld({ org_id, adoption: adoption(false), looked_up: company }, mode)).toBe(true);
      // Then the customer decides, and its own segment and plan are no secret.
      expect(isHeld({ org_id, adoption: adoption(false), looked_up: null }, mode)).toBe(false);
    },
  );

  test('nothing is held without an org id', () => {
    for (const mode of ['accept', 'hold'] as const) expect(isHeld({ org_id: null }, mode)).toBe(false);
  });

  test('a decision is judged again if it was made on a claim that was held by the rules of that time', () => {
    const isOpen = (inputs: Parameters<typeof decisionDraft>[1]) => isOpenClaim(decisionDraft('1', inputs));
    const claim = { org_id: idWith(trustOf('claimed')) };
    expect(isOpen({ ...claim, claims: 'hold' })).toBe(true);
    expect(isOpen({ ...claim, claims: 'accept' })).toBe(false);
    expect(isOpen({ org_id: idWith(trustOf('claimed', 'contact_of_other')), claims: 'accept' })).toBe(true);
    expect(isOpen({ org_id: idWith(trustOf('likely')), claims: 'hold' })).toBe(false);
    expect(isOpen({ org_id: idWith(trustOf('confirmed')), adoption: adoption(false), claims: 'hold' })).toBe(false);
    expect(isOpen({ org_id: null, claims: 'hold' })).toBe(false);
  });
});
