import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TeamMember } from '#helpdesk/people.ts';
import { nextInTurn } from '#store/turn.ts';
import { eligibleAgents } from './round-robin.ts';

test.each([
  ['the first row begins', ['a', 'b', 'c'], ['a', 'b', 'c'], null, 'a'],
  ['the row after the last', ['a', 'b', 'c'], ['a', 'b', 'c'], 'a', 'b'],
  ['wrapping', ['a', 'b', 'c'], ['a', 'b', 'c'], 'c', 'a'],
  ['past those who may not', ['a', 'b', 'c'], ['a', 'c'], 'a', 'c'],
  ['from the place of somebody who may not', ['a', 'b', 'c'], ['a', 'c'], 'b', 'c'],
  ['again the same where nobody else may', ['a', 'b', 'c'], ['b'], 'b', 'b'],
  ['the first row where the last has left', ['a', 'b', 'c'], ['b', 'c'], 'gone', 'b'],
  ['in row order, whatever the order of those who may', ['a', 'b', 'c'], ['c', 'b'], 'a', 'b'],
  ['past the second row of one who stands twice', ['a', 'b', 'a', 'c'], ['a', 'b', 'c'], 'b', 'c'],
  ['only members', ['a'], ['a', 'stranger'], 'a', 'a'],
  ['nobody where nobody may', ['a', 'b'], [], 'a', null],
  ['nobody of nobody', [], ['a'], null, null],
])('%s', (_, members, eligible, last, next) => expect(nextInTurn(members, eligible, last)).toBe(next));

const names = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const team = fc
  .tuple(fc.array(names, { minLength: 1, maxLength: 10 }), fc.integer({ min: 1, max: 6 }))
  .chain(([members, most]) =>
    fc.record({
      members: fc.constant(members),
      eligible: fc.uniqueArray(fc.constantFrom(...members), { minLength: 1, maxLength: most }),
      last: fc.option(names),
    }),
  );

test('as long as the same may, nobody gets more than one ticket more than another, at any moment', () => {
  fc.assert(
    fc.property(team, fc.integer({ min: 1, max: 50 }), ({ members, eligible, last }, tickets) => {
      const counts = new Map<string, number>(eligible.map((member) => [member, 0]));
      let cursor: string | null = last;
      for (let i = 0; i < tickets; i += 1) {
        cursor = nextInTurn(members, eligible, cursor);
        expect(eligible).toContain(cursor);
        counts.set(String(cursor), (counts.get(String(cursor)) ?? 0) + 1);
        expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test('whoever comes back is reached within one lap, whoever else comes and goes', () => {
  const eligibles = fc.array(fc.subarray(['a', 'b', 'c', 'd', 'e', 'f']), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(names, fc.option(names), eligibles, (returned, last, others) => {
      const members = ['a', 'b', 'c', 'd', 'e', 'f'];
      let cursor: string | null = last;
      const reached = others.map((eligible) => {
        cursor = nextInTurn(members, [...eligible, returned], cursor);
        return cursor;
      });
      expect(reached).toContain(returned);
    }),
  );
});

const member = (user: string, change: Partial<TeamMember> = {}): TeamMember => ({
  user,
  state: 'ready',
  availability: 'active',
  ...change,
});

test.each<[string, TeamMember[], string[]]>([
  ['all in row order', [member('chi'), member('an')], ['chi', 'an']],
  ['disabled users never', [member('an', { state: 'user_disabled' }), member('chi')], ['chi']],
  ['users without an agent record never', [member('an', { state: 'no_agent_record' }), member('chi')], ['chi']],
  ['inactive agents never', [member('an', { state: 'agent_inactive' }), member('chi')], ['chi']],
  ['nobody who is away while others are active', [member('an', { availability: 'away' }), member('chi')], ['chi']],
  ['who is away where nobody is active', [member('an', { availability: 'away' })], ['an']],
  ['never who is unavailable', [member('an', { availability: 'unavailable' })], []],
  [
    'away ones do not stand back for an active one who gets nothing',
    [member('an', { availability: 'away' }), member('chi', { state: 'agent_inactive' })],
    ['an'],
  ],
  ['each once', [member('an'), member('chi'), member('an')], ['an', 'chi']],
  ['nobody in an empty team', [], []],
])('%s', (_, team, eligible) => {
  expect(eligibleAgents(team).eligible).toEqual(eligible);
});

test('says of every member why they may or may not', () => {
  const { candidates } = eligibleAgents([
    member('an'),
    member('binh', { availability: 'away' }),
    member('chi', { availability: 'unavailable' }),
    member('dung', { state: 'agent_inactive', availability: 'away' }),
  ]);
  expect(candidates).toEqual([
    { user: 'an', reason: 'not_their_turn' },
    { user: 'binh', reason: 'away_while_others_are_active' },
    { user: 'chi', reason: 'unavailable' },
    { user: 'dung', reason: 'agent_inactive' },
  ]);
});

test('whoever the team: the eligible are members who may, and everybody is told of once', () => {
  const members = fc.array(
    fc.record({
      user: fc.constantFrom('an', 'binh', 'chi', 'dung'),
      state: fc.constantFrom('ready', 'user_disabled', 'no_agent_record', 'agent_inactive'),
      availability: fc.constantFrom('active', 'away', 'unavailable'),
    }),
  );
  fc.assert(
    fc.property(members, (team: TeamMember[]) => {
      const judged = eligibleAgents(team);
      expect(judged.candidates.map(({ user }) => user)).toEqual(judged.members);
      expect(new Set(judged.members).size).toBe(judged.members.length);
      const open = judged.candidates.filter(({ reason }) => reason === 'not_their_turn').map(({ user }) => user);
      expect(judged.eligible).toEqual(open);
    }),
  );
});
