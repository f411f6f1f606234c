import { expect, test } from 'vitest';
import { createReadCache } from './read-cache.ts';

const { signal } = new AbortController();

test('one who gives up ends neither the reading nor the waiting of others', async () => {
  const answers: ((value: string) => void)[] = [];
  const get = createReadCache({
    read: () => new Promise<string>((answer) => answers.push(answer)),
    forMs: 1,
    clock: () => 0,
  });
  const giveUp = new AbortController();
  const [given, waiting] = [get('a', giveUp.signal), get('a', signal)];
  giveUp.abort(new Error('enough'));
  await expect(given).rejects.toThrow('enough');
  answers[0]?.('read');
  expect(await waiting).toBe('read');
  expect(answers).toHaveLength(1);
});

test('of more than a thousand keys the first ones are forgotten', async () => {
  const reads: string[] = [];
  const read = async (key: string) => {
    reads.push(key);
    return key;
  };
  const get = createReadCache({ read, forMs: 1, clock: () => 0 });
  for (let key = 0; key <= 1_000; key += 1) await get(String(key), signal);
  await get('1000', signal);
  await get('1', signal);
  expect(reads).toHaveLength(1_001);
  await get('0', signal);
  expect(reads).toHaveLength(1_002);
});
