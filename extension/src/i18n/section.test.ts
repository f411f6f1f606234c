import { expect, test } from 'vitest';
import { section } from './section.ts';

test('a language that lacks a text, has one more, or whose text takes other arguments does not compile', () => {
  const texts = section({
    en: { save: 'Save', hello: (name: string) => `Hello ${name}` },
    vi: { save: 'Lưu', hello: (name) => `Xin chào ${name}` },
  });
  expect(texts.vi.hello('An')).toBe('Xin chào An');

  // @ts-expect-error: `cancel` is missing.
  section({ en: { save: 'Save', cancel: 'Cancel' }, vi: { save: 'Lưu' } });
  // @ts-expect-error: likewise within a part.
  section({ en: { page: { save: 'Save', cancel: 'Cancel' } }, vi: { page: { save: 'Lưu' } } });
  // @ts-expect-error: English has no `cancel`.
  section({ en: { save: 'Save' }, vi: { save: 'Lưu', cancel: 'Hủy' } });
  // @ts-expect-error: a name is no number.
  section({ en: { hello: (name: string) => name }, vi: { hello: (name: number) => `${name + 1}` } });
});
