import { expect, test, vi } from 'vitest';
import type { KnownLanguage } from './helpdesk-language.ts';

await vi.hoisted(async () => {
  const fake = await import('wxt/testing/fake-browser');
  Object.assign(globalThis, { browser: fake.fakeBrowser });
});
const { createHelpdeskLanguage } = await import('./helpdesk-language.ts');

function setUp(answers: Record<string, string | null>, stored: KnownLanguage | null = null) {
  const ask = vi.fn(async (user: string) => {
    const answer = answers[user];
    if (answer === undefined) throw new Error('nobody answers');
    return answer;
  });
  const changed = vi.fn();
  const store = {
    read: async () => stored,
    write: async (next: KnownLanguage | null) => {
      stored = next;
    },
  };
  return { language: createHelpdeskLanguage({ store, ask, changed }), ask, changed, answers };
}

test('a person is asked about once, and only another answer is news', async () => {
  const { language, ask, changed } = setUp({ an: 'vi' });
  expect(await language.known()).toBeNull();
  await Promise.all([language.learn('an', '1'), language.learn('an', '1')]);
  await language.learn('an', '1');
  expect(await language.known()).toBe('vi');
  expect(ask).toHaveBeenCalledTimes(1);
  expect(changed).toHaveBeenCalledTimes(1);
});

test('at the next ticket a person is asked about again, and what they have changed is taken up', async () => {
  const { language, ask, changed, answers } = setUp({ an: 'vi' });
  await language.learn('an', '1');
  answers.an = 'en';
  await language.learn('an', '1');
  expect(await language.known()).toBe('vi');
  await language.learn('an', '2');
  expect(await language.known()).toBe('en');
  expect([ask.mock.calls.length, changed.mock.calls.length]).toEqual([2, 2]);
});

test('somebody else is asked about at once; who has no language of their own takes the former away', async () => {
  const { language, changed } = setUp({ an: 'vi', binh: 'vi', chi: null });
  await language.learn('an', '1');
  await language.learn('binh', '1');
  expect(await language.known()).toBe('vi');
  await language.learn('chi', '1');
  expect(await language.known()).toBeNull();
  // Learned, forgotten, learned, forgotten: no language is none either way.
  expect(changed).toHaveBeenCalledTimes(4);
});

test('after a failure the last answer about the same person stays, and the next occasion asks again', async () => {
  const { language, ask, changed, answers } = setUp({}, { user: 'an', language: 'vi' });
  await language.learn('an', '1');
  expect(await language.known()).toBe('vi');
  expect(changed).not.toHaveBeenCalled();
  answers.an = 'en';
  await language.learn('an', '1');
  expect(await language.known()).toBe('en');
  expect(ask).toHaveBeenCalledTimes(2);
});

test('somebody else does not get the former person’s language, not even while nobody can say which is theirs', async () => {
  const { language, changed, answers } = setUp({ an: 'vi' });
  await language.learn('an', '1');
  await language.learn('binh', '1');
  expect(await language.known()).toBeNull();
  expect(changed).toHaveBeenCalledTimes(2);
  await language.learn('binh', '1');
  expect(changed).toHaveBeenCalledTimes(2);
  answers.binh = 'en';
  await language.learn('binh', '1');
  expect(await language.known()).toBe('en');
});

test('an answer of which it was not kept whom it is about serves until there is a new one', async () => {
  const { language, answers } = setUp({}, { user: null, language: 'vi' });
  await language.learn('an', '1');
  expect(await language.known()).toBe('vi');
  answers.an = 'vi';
  await language.learn('an', '1');
  await language.learn('binh', '1');
  expect(await language.known()).toBeNull();
});

test('a page that nobody is signed in to asks about nobody, and who comes back is asked about again', async () => {
  const { language, ask, answers } = setUp({ an: 'en' });
  await language.learn('an', '1');
  await language.learn('', '1');
  expect(ask).toHaveBeenCalledTimes(1);
  expect(await language.known()).toBe('en');
  answers.an = 'vi';
  await language.learn('an', '1');
  expect(await language.known()).toBe('vi');
});

test('an answer that comes after somebody else was asked about is dropped', async () => {
  const { language, ask } = setUp({ binh: 'en' });
  let late: (answer: string) => void = () => {};
  ask.mockImplementationOnce(() => new Promise((resolve) => (late = resolve)));
  const first = language.learn('an', '1');
  await language.learn('binh', '1');
  late('vi');
  await first;
  expect(await language.known()).toBe('en');
});
