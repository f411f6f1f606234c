import { expect, test } from 'vitest';
import { isOver } from './session-life.ts';

const minute = 60_000;

test.each([
  ['just begun', 0, 0, false],
  ['used a moment ago, in its eighth hour', 479, 478, false],
  ['eight hours old, although in use', 480, 479, true],
  ['not used for an hour', 60, 0, true],
  ['not used for 59 minutes', 59, 0, false],
])('a session %s', (_, now, used, over) => {
  expect(isOver({ signedInAt: 0, usedAt: used * minute }, now * minute)).toBe(over);
});
