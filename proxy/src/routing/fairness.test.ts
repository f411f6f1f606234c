import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spreadOf, type Turn } from './explain.ts';
import { nextInTurn } from './round-robin.ts';

const turn = (ticket: number, agent: string, eligible: string[], team = 'CS 60p'): Turn => ({
  ticket: `T${ticket}`,
  team,
  agent,
  eligible,
});

test('who gets every ticket although others could have had it is ahead by as many', () => {
  const turns = Array.from({ length: 9 }, (_, i) => turn(i, 'an', ['an', 'binh', 'chi']));
  expect(spreadOf(turns).get('CS 60p')).toBeCloseTo(9);
});

test('who is away owes nothing and is owed nothing', () => {
  const together = Array.from({ length: 10 }, (_, i) => turn(i, i % 2 ? 'an' : 'binh', ['an', 'binh']));
  const alone = Array.from({ length: 50 }, (_, i) => turn(100 + i, 'an', ['an']));
  expect(spreadOf([...together, ...alone]).get('CS 60p')).toBeCloseTo(0);
});

test('teams count for themselves, and a turn that a repair keeps counts once', () => {
  const twice = [turn(1, 'an', ['an', 'binh']), turn(1, 'an', ['an', 'binh'])];
  expect(spreadOf([...twice, turn(1, 'chi', ['chi'], 'Medium')])).toEqual(
    new Map([
      ['CS 60p', 1],
      ['Medium', 0],
    ]),
  );
});

test('the round-robin adds at most one ticket each time that somebody comes or goes', () => {
  const members = ['an', 'binh', 'chi', 'dung', 'em'];
  fc.assert(
    fc.property(
      fc.array(fc.nat(4), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 40 }),
      (away, length) => {
        const turns: Turn[] = [];
        for (const absent of away) {
          const eligible = members.filter((_, i) => i !== absent);
          for (let i = 0; i < length; i += 1) {
            const agent = nextInTurn(members, eligible, turns.at(-1)?.agent ?? null) ?? '';
            turns.push(turn(turns.length, agent, eligible));
          }
        }
        expect(spreadOf(turns).get('CS 60p')).toBeLessThanOrEqual(away.length + 1e-9);
      },
    ),
  );
});
