import { expect, test } from 'vitest';
import { withAgentInTurn } from './change-decision.ts';

test('the agent in turn is marked among the candidates, the others keep their reasons', () => {
  const candidates = [
    { user: 'a', reason: 'unavailable' as const },
    { user: 'b', reason: 'not_their_turn' as const },
    { user: 'c', reason: 'not_their_turn' as const },
  ];
  const [a, , c] = candidates;
  expect(withAgentInTurn({ state: 'planned', candidates }, 'b')).toEqual({
    state: 'planned',
    agent: 'b',
    candidates: [a, { user: 'b', reason: 'next_in_turn' }, c],
  });
  expect(candidates[1]?.reason).toBe('not_their_turn');
});
