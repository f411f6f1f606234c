import { expect, test } from 'vitest';
import { retryIfChanged } from './app-error.ts';

test('who was not first tries once more, on what stands there by then, and never a third time', async () => {
  const tries: boolean[] = [];
  const wins = (at: number) =>
    retryIfChanged(async (isFirst) => (tries.push(isFirst) < at ? ('changed_meanwhile' as const) : 'written'));
  await expect(wins(2)).resolves.toBe('written');
  expect(tries.splice(0)).toEqual([true, false]);
  await expect(wins(3)).rejects.toMatchObject({ code: 'changed_since' });
  expect(tries).toEqual([true, false]);
});
