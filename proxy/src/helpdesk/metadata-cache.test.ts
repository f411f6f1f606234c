import { expect, test } from 'vitest';
import { silent } from '#testing/quiet.ts';
import { Metadata } from './site.ts';

const { signal } = new AbortController();

test('one who gives up ends neither the reading nor the waiting of others', async () => {
  const answers: ((value: string) => void)[] = [];
  const read = () => new Promise<string>((answer) => answers.push(answer));
  const it = new Metadata('It', read, silent, () => 0);
  const giveUp = new AbortController();
  const [given, waiting] = [it.get(giveUp.signal), it.get(signal)];
  giveUp.abort(new Error('enough'));
  await expect(given).rejects.toThrow('enough');
  answers[0]?.('read');
  expect(await waiting).toBe('read');
  expect(answers).toHaveLength(1);
});
