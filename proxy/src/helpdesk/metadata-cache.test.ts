import { expect, test } from 'vitest';
import { silent } from '#testing/quiet.ts';
import { createMetadataCache } from './metadata-cache.ts';

const { signal } = new AbortController();

test('one who gives up ends neither the reading nor the waiting of others', async () => {
  const answers: ((value: string) => void)[] = [];
  const { get } = createMetadataCache({
    subject: 'It',
    read: () => new Promise<string>((answer) => answers.push(answer)),
    logger: silent,
    clock: () => 0,
  });
  const giveUp = new AbortController();
  const [given, waiting] = [get(giveUp.signal), get(signal)];
  giveUp.abort(new Error('enough'));
  await expect(given).rejects.toThrow('enough');
  answers[0]?.('read');
  expect(await waiting).toBe('read');
  expect(answers).toHaveLength(1);
});
