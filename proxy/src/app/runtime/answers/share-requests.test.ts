import { expect, test } from 'vitest';
import { shareRequests } from './share-requests.ts';

const never = new AbortController().signal;

function setUp() {
  const share = shareRequests<string>();
  const sent: { key: string; signal: AbortSignal; answer: PromiseWithResolvers<string> }[] = [];
  const ask = (key: string, signal = never) =>
    share(key, signal, (own) => {
      const answer = Promise.withResolvers<string>();
      own.addEventListener('abort', () => answer.reject(own.reason));
      sent.push({ key, signal: own, answer });
      return answer.promise;
    });
  return { ask, sent };
}

test('equal requests at the same moment are one, other ones are not', async () => {
  const { ask, sent } = setUp();
  const all = [...Array.from({ length: 32 }, () => ask('a')), ask('b')];
  expect(sent.map(({ key }) => key)).toEqual(['a', 'b']);
  for (const { key, answer } of sent) answer.resolve(key);
  expect(new Set(await Promise.all(all))).toEqual(new Set(['a', 'b']));
});

test('what was answered, or has failed, is asked again', async () => {
  const { ask, sent } = setUp();
  const first = ask('a');
  sent[0]?.answer.reject(new Error('down'));
  await expect(first).rejects.toThrow('down');
  const second = ask('a');
  sent[1]?.answer.resolve('up');
  expect([await second, sent.length]).toEqual(['up', 2]);
});

test('a caller who leaves ends the request only for that caller; the last one ends it for good', async () => {
  const { ask, sent } = setUp();
  const [one, other] = [new AbortController(), new AbortController()];
  const [first, second] = [ask('a', one.signal), ask('a', other.signal)];
  one.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  expect(sent[0]?.signal.aborted).toBe(false);
  other.abort(new Error('gone too'));
  await expect(second).rejects.toThrow('gone too');
  expect(sent[0]?.signal.aborted).toBe(true);
  const third = ask('a');
  sent[1]?.answer.resolve('new');
  expect(await third).toBe('new');
});
