import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eligibleAgents, type Member } from './round-robin.ts';

const member = (user: string, change: Partial<Member> = {}): Member => ({
  user,
  state: 'ready',
  availability: 'active',
  ...change,
});

test.each<[string, Member[], string[]]>([
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
    fc.property(members, (team: Member[]) => {
      const judged = eligibleAgents(team);
      expect(judged.candidates.map(({ user }) => user)).toEqual(judged.members);
      expect(new Set(judged.members).size).toBe(judged.members.length);
      const open = judged.candidates.filter(({ reason }) => reason === 'not_their_turn').map(({ user }) => user);
      expect(judged.eligible).toEqual(open);
    }),
  );
});
