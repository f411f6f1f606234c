import { expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { createPerson } from './person.ts';

function setUp(answers: Record<string, string | null>) {
  const leads = new Set<string>();
  const ask = vi.fn(async (user: string) => {
    const language = answers[user];
    if (language === undefined) throw new Error('nobody answers');
    return { language, isLead: leads.has(user) };
  });
  const changed = vi.fn();
  const person = createPerson({ ask, changed });
  const known = async () => (await person.known())?.language ?? null;
  const times = () => [ask.mock.calls.length, changed.mock.calls.length];
  return { known, learn: person.learn, ask, times, answers, leads, person };
}

test('a person is asked about once per ticket, and what they have changed by the next is taken up', async () => {
  const { known, learn, times, answers } = setUp({ an: 'vi' });
  expect(await known()).toBeNull();
  await Promise.all([learn('an', '1'), learn('an', '1')]);
  answers.an = 'en';
  await learn('an', '1');
  expect([await known(), times()]).toEqual(['vi', [1, 1]]);
  await learn('an', '2');
  expect([await known(), times()]).toEqual(['en', [2, 2]]);
  await learn('an', '3');
  expect(times()).toEqual([3, 2]);
});

test('nothing is told of a person of whom there is nothing to tell', async () => {
  const { learn, times } = setUp({ an: null });
  await learn('an', '1');
  expect(times()).toEqual([1, 0]);
});

test('who leads by now, or no longer, is told of though they speak as before', async () => {
  const { learn, times, leads, person } = setUp({ an: null });
  leads.add('an');
  await learn('an', '1');
  expect([await person.known(), times()]).toEqual([{ user: 'an', language: null, isLead: true }, [1, 1]]);
  leads.clear();
  await learn('an', '2');
  expect([await person.known(), times()]).toEqual([{ user: 'an', language: null, isLead: false }, [2, 2]]);
});

test('somebody else is asked about at once, and does not get the former person’s language while nobody answers', async () => {
  const { known, learn, times, answers } = setUp({ an: 'vi', chi: null });
  await learn('an', '1');
  await learn('binh', '1');
  expect([await known(), times()]).toEqual([null, [2, 2]]);
  answers.binh = 'en';
  await learn('binh', '1');
  expect(await known()).toBe('en');
  // Who has none of their own takes the former away.
  await learn('chi', '1');
  expect(await known()).toBeNull();
});

test('after a failure the last answer about the same person stays, and the next occasion asks again', async () => {
  await fakeBrowser.storage.local.set({ person: { user: 'an', language: 'vi', isLead: false } });
  const { known, learn, times, answers } = setUp({});
  await learn('an', '1');
  expect([await known(), times()]).toEqual(['vi', [1, 0]]);
  answers.an = 'en';
  await learn('an', '1');
  expect([await known(), times()]).toEqual(['en', [2, 1]]);
});

test('a page that nobody is signed in to asks about nobody, and who comes back is asked about again', async () => {
  const { known, learn, times, answers } = setUp({ an: 'en' });
  await learn('an', '1');
  await learn('', '1');
  expect([await known(), times()]).toEqual(['en', [1, 1]]);
  answers.an = 'vi';
  await learn('an', '1');
  expect(await known()).toBe('vi');
});

type LateAnswer = PromiseWithResolvers<{ language: string; isLead: boolean }>;
test.each<[string, (late: LateAnswer) => void]>([
  ['an answer', (late) => late.resolve({ language: 'vi', isLead: false })],
  ['a failure', (late) => late.reject(new Error('nobody answers'))],
])('%s that comes after somebody else was asked about is dropped', async (_, end) => {
  const { known, learn, ask } = setUp({ binh: 'en' });
  const late: LateAnswer = Promise.withResolvers();
  ask.mockReturnValueOnce(late.promise);
  const first = learn('an', '1');
  await learn('binh', '1');
  end(late);
  await first;
  await learn('binh', '1');
  expect([await known(), ask.mock.calls]).toEqual(['en', [['an'], ['binh']]]);
});
