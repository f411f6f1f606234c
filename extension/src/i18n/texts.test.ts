import { expect, test } from 'vitest';
import { statusTexts } from './launcher.ts';
import { textsFor } from './texts.ts';

/** Every text of a catalogue by its path; functions are called with plausible arguments. */
function flatten(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    const made = value(...Array.from({ length: value.length }, () => 2));
    return flatten(made, path);
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, `${path}.${key}`));
}

const en = flatten(textsFor('en'));
const vi = flatten(textsFor('vi'));
const same = new Set(['.shell.fromCrm', '.fields.hsi', '.trust.field.custom_orgid', '.trust.field.custom_org_id']);

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
  const labels = [...flatten(statusTexts.en), ...flatten(statusTexts.vi)];
  expect(labels.filter(([, text]) => text.length > 24)).toEqual([]);
});
