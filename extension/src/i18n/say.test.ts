import { expect, test } from 'vitest';
import { phrase, say, spoken } from './say.ts';

test('a tree of texts is spoken in one language, however deep, and what makes texts stays a function', () => {
  const hello = say(
    (name: string) => `Hello ${name}`,
    (name) => `Xin chào ${name}`,
  );
  const tree = { save: say('Save', 'Lưu'), hello };
  const vi = spoken({ tree, levels: say(['low'], ['thấp']) }, 'vi');
  expect([vi.tree.save, vi.tree.hello('An'), vi.levels]).toEqual(['Lưu', 'Xin chào An', ['thấp']]);
  expect(spoken(tree, 'en').hello('An')).toBe('Hello An');
});

test('a text that takes other arguments in its other language does not compile', () => {
  const greet = (name: string) => name;
  // @ts-expect-error: a name is no number.
  say(greet, (name: number) => `${name + 1}`);
});

test('values stand where their names do, whatever they hold, in each language’s own order', () => {
  const { en, vi } = phrase('{who} took {what}', '{what} do {who} lấy');
  expect([en('An', '{who} $& $1'), vi('An', 'x')]).toEqual(['An took {who} $& $1', 'x do An lấy']);
  // @ts-expect-error: a value is missing.
  expect(en('An')).toBe('An took undefined');
});
