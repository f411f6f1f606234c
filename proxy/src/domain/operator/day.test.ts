import { expect, test } from 'vitest';
import { matchesOf, routingOf, startOfDay } from './day.ts';
import type { DecidedTicket } from './decided-ticket.ts';

const since = Date.UTC(2026, 10, 22, 17);
const hour = 3_600_000;
const now = since + 2.5 * hour;

function decided(ticket: string, given: Partial<DecidedTicket> = {}): DecidedTicket {
  return {
    id: ticket,
    ticket,
    isLatest: true,
    at: since,
    cause: 'webhook',
    team: 'CS 60p',
    rule: 'sme',
    orgId: '1',
    trust: 'confirmed',
    isNotFound: false,
    fallback: null,
    isOverruled: false,
    turn: null,
    foundBy: 'webhook',
    ...given,
  };
}

test('a day is no longer than 36 hours, and does not begin in the future', () => {
  expect(startOfDay(now - 48 * hour, now)).toBe(now - 36 * hour);
  expect(startOfDay(now + 1, now)).toBe(now);
  expect(startOfDay(since, now)).toBe(since);
});

test('each ticket counts once, by what its latest decision knows, in the hour in which that was made', () => {
  const { tickets, by_hour } = matchesOf(
    [
      decided('a', { at: since + 2 * hour, trust: 'likely' }),
      decided('a', { isLatest: false, orgId: null, trust: null }),
      decided('b', { trust: 'claimed', at: since + hour - 1 }),
      decided('c', { orgId: null, trust: null }),
      decided('d', { isNotFound: true }),
      // Nobody has judged it.
      decided('e', { trust: null }),
    ],
    since,
    now,
  );
  expect(tickets).toEqual({ matched: 1, claimed: 2, unknown: 2 });
  expect(by_hour).toEqual([
    { at: '2026-11-22T17:00:00.000Z', matched: 0, claimed: 2, unknown: 2 },
    { at: '2026-11-22T18:00:00.000Z', matched: 0, claimed: 0, unknown: 0 },
    { at: '2026-11-22T19:00:00.000Z', matched: 1, claimed: 0, unknown: 0 },
  ]);
});

test('org ids that the CRM does not know are listed once, with the newest tickets', () => {
  const of = (ticket: string, orgId: string) => decided(ticket, { orgId, isNotFound: true });
  const { unknown_org_ids } = matchesOf(
    [of('d', '7'), of('c', '7'), of('b', '8'), of('a', '7'), of('0', '7')],
    since,
    now,
  );
  expect(unknown_org_ids.map(({ org_id, tickets }) => [org_id, tickets])).toEqual([
    ['7', ['d', 'c', 'a']],
    ['8', ['b']],
  ]);
});

test('who got tickets is held against what each was due of those that they could have got', () => {
  const turn = (agent: string, ...eligible: string[]) => ({ turn: { agent, eligible } });
  const { teams, tickets } = routingOf(
    [
      decided('a', turn('an', 'an', 'bình')),
      decided('b', turn('bình', 'an', 'bình')),
      // Bình was away, which makes An no favourite.
      decided('c', turn('an', 'an')),
      // The same turn again, kept by a repair.
      decided('a', { ...turn('an', 'an', 'bình'), isLatest: false }),
      decided('d', { team: 'Medium' }),
    ],
    { since, now, names: new Map([['an', 'Nguyễn Hoài An']]) },
  );
  expect(tickets).toBe(4);
  expect(teams).toEqual([
    {
      team: 'CS 60p',
      tickets: 3,
      spread: 0,
      agents: [
        { user: 'an', name: 'Nguyễn Hoài An', tickets: 2, due: 2 },
        { user: 'bình', name: null, tickets: 1, due: 1 },
      ],
    },
    { team: 'Medium', tickets: 1, spread: null, agents: [] },
  ]);
});

test('fallbacks are counted by ticket, with those that still stand; repairs and kept teams as well', () => {
  const { fallbacks, repairs, kept, rules } = routingOf(
    [
      decided('a', { cause: 'repair' }),
      decided('a', { isLatest: false, fallback: 'crm' }),
      decided('b', { fallback: 'crm' }),
      decided('c', { fallback: 'team_missing', team: null }),
      decided('d', { rule: 'group_kept' }),
      decided('e', { isOverruled: true }),
    ],
    { since, now, names: new Map() },
  );
  expect(fallbacks).toEqual([
    { fallback: 'crm', tickets: 2, open: 1 },
    { fallback: 'meta_json', tickets: 0, open: 0 },
    { fallback: 'team_missing', tickets: 1, open: 1 },
  ]);
  expect({ repairs, kept }).toEqual({ repairs: 1, kept: 2 });
  expect(rules.find(({ rule }) => rule === 'sme')).toEqual({ rule: 'sme', tickets: 4, claimed: 0 });
});

test('the claims of the day are as many by rule as they are in all', () => {
  const day = [
    decided('a', { trust: 'claimed', rule: 'medium_scale' }),
    decided('b', { trust: null, rule: 'claim_not_trusted' }),
    // The CRM has no such company: nothing is claimed of any.
    decided('c', { trust: 'claimed', isNotFound: true, rule: 'claim_not_trusted' }),
    decided('d', { trust: 'confirmed' }),
    decided('a', { trust: 'claimed', isLatest: false }),
  ];
  const { rules } = routingOf(day, { since, now, names: new Map() });
  const claimed = rules.reduce((sum, rule) => sum + rule.claimed, 0);
  expect(claimed).toBe(matchesOf(day, since, now).tickets.claimed);
  expect(rules.find(({ rule }) => rule === 'claim_not_trusted')).toMatchObject({ tickets: 2, claimed: 1 });
});

test('tickets that only the sweep found are counted by their first decision', () => {
  const day = [
    decided('a', { cause: 'repair', foundBy: null }),
    decided('a', { isLatest: false, cause: 'sweep', foundBy: 'sweep' }),
    decided('b', { cause: 'before_insert' }),
  ];
  expect(routingOf(day, { since, now, names: new Map() }).found).toEqual({ webhook: 1, sweep: 1 });
});
