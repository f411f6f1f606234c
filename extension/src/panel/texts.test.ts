import { expect, test } from 'vitest';
import { statusTexts } from '#launcher/texts.ts';
import { flattenTexts } from '#testing/terms.ts';
import { textsFor } from './texts.ts';

const en = flattenTexts(textsFor('en'));
const vi = flattenTexts(textsFor('vi'));
const same = new Set(['.find.kind.email']);

test('both languages have the same texts, none of them empty', () => {
  expect(vi.map(([path]) => path)).toEqual(en.map(([path]) => path));
  expect([...en, ...vi].filter(([, text]) => text.trim() === '')).toEqual([]);
});

test('nothing was left in English, and Vietnamese is written with its diacritics', () => {
  const english = new Map(en);
  const left = vi.filter(([path, text]) => path !== '.language' && !same.has(path) && english.get(path) === text);
  expect(left.filter(([, text]) => /[a-z]{3}/i.test(text.replace(/ticket|CRM/g, '')))).toEqual([]);
  const plain = vi.filter(
    ([, text]) => text.split(' ').length > 3 && !/[àáảãạăâđèéẻẽẹêìíỉĩịòóỏõọôơùúủũụưỳýỷỹỵ]/i.test(text.normalize('NFC')),
  );
  expect(plain).toEqual([]);
});

test('the launcher has room for every short label', () => {
  const labels = [...flattenTexts(statusTexts.en), ...flattenTexts(statusTexts.vi)];
  expect(labels.filter(([, text]) => text.length > 24)).toEqual([]);
});
