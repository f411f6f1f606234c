import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { UiLanguage } from '#messaging/settings.ts';
import { optionsTexts } from '#pages/texts.ts';
import { textsFor } from '#panel/texts/texts.ts';
import { accessMissing, launcherTexts, statusTexts } from '#status/texts.ts';
import { decisionTexts } from '#team/decisions.tsx';
import { figureTexts } from '#team/figures.tsx';
import { planTexts, waitingTexts } from '#team/lists.tsx';
import { shareTexts } from '#team/shares.tsx';
import { pageTexts, systemTexts } from '#team/team-page.tsx';
import { spoken } from './say.ts';

const languages = ['en', 'vi'] as const;
const team = { decisionTexts, figureTexts, planTexts, waitingTexts, shareTexts, systemTexts, pageTexts };

/** Everything that Deskside says in a language, by its path. */
function textsIn(language: UiLanguage): [path: string, text: string][] {
  const { language: _, ...panel } = textsFor(language);
  const launcher = { menu: launcherTexts[language], status: statusTexts[language], access: accessMissing[language] };
  return flattened({ panel, launcher, ...spoken({ options: optionsTexts, team }, language) });
}

/** Every text of a catalogue by its path; functions are called with plausible values. */
function flattened(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return flattened(value(2, 2, 2, 2), path);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => flattened(inner, `${path}.${key}`));
}

const table = readFileSync(new URL('../../../docs/terms.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|') && !line.includes('---'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** Words that docs/terms.md says are not used in a language. */
function bannedWords(language: UiLanguage): string[] {
  const column = language === 'en' ? 2 : 4;
  return table
    .flatMap((cells) => (cells[column] ?? '').split(/[,;]\s*/))
    .filter((word) => word !== '' && word !== 'not');
}

/** Where texts use another word for a thing that has its term, or write what docs/terms.md writes otherwise. */
function wrongWords(language: UiLanguage, texts: readonly [path: string, text: string][]): string[] {
  // A word of its own: neither part of another one nor of a name in code such as `meta.json`.
  const patterns = bannedWords(language).map((word) => new RegExp(`(?<![\\p{L}_])${word}(?![\\p{L}_])`, 'iu'));
  // Colours: who does not see them would not know what is meant (WCAG 1.3.3).
  const patternsOf =
    language === 'en'
      ? [/\p{L}'\p{L}/u, /\b(grey|gray|red|green|blue|yellow|orange)\b/i]
      : // The tone mark is on the first vowel.
        [/(?<!q)(oá|oà|oả|oã|oạ|oé|oè|oẻ|oẽ|oẹ|uý|uỳ|uỷ|uỹ|uỵ)(?!\p{L})/iu, /(?<!\p{L})màu(?!\p{L})/iu];
  return texts.flatMap(([path, text]) =>
    [...patterns, ...patternsOf]
      .filter((pattern) => pattern.test(text.normalize('NFC')))
      .map(({ source }) => `${path}: ${text} (${source})`),
  );
}

test('the table of terms is read', () => {
  expect(bannedWords('en')).toContain('company ID');
  expect(bannedWords('vi')).toContain('mã công ty');
});

test('other words than the terms, other tone marks, other apostrophes and names of colours are found', () => {
  const english = { a: 'the company ID', b: "don't", c: 'the Org ID don’t', d: 'those in grey' };
  expect(wrongWords('en', flattened(english))).toHaveLength(3);
  expect(wrongWords('vi', flattened({ a: 'mã công ty', b: 'khoá', c: 'khóa', d: 'màu xám' }))).toHaveLength(3);
});

test.each(languages)('every text is said in the words of docs/terms.md: %s', (language) => {
  // The launcher's menu and a tooltip keep the specification's names for it.
  const named = ['.launcher.menu.sync', '.panel.fields.ownerIs', '.panel.fields.companyIdIs'];
  const texts = textsIn(language).filter(([path]) => !named.includes(path));
  expect(wrongWords(language, texts)).toEqual([]);
});

test.each(languages)('no text is empty, and each takes up the values that it is given: %s', (language) => {
  const wrong = textsIn(language).filter(([, text]) => text.trim() === '' || /undefined|NaN|\[object/.test(text));
  expect(wrong).toEqual([]);
});

test('nothing was left in English, and Vietnamese is written with its diacritics', () => {
  const english = new Map(textsIn('en'));
  const texts = textsIn('vi');
  expect(texts.map(([path]) => path)).toEqual([...english.keys()]);
  const left = texts.filter(([path, text]) => english.get(path) === text);
  const words = left.map(([, text]) => text.replace(/ticket|CRM/g, '')).filter((text) => /[a-z]{3}/i.test(text));
  expect(words).toEqual(['email', 'deskside.example.com', 'Helpdesk']);
  const plain = texts.filter(
    ([, text]) => text.split(' ').length > 3 && !/[\u0300-\u036f]|đ/i.test(text.normalize('NFD')),
  );
  expect(plain).toEqual([]);
});

test('the launcher has room for every short label', () => {
  const labels = languages.flatMap((language) => flattened(statusTexts[language]));
  expect(labels.filter(([, text]) => text.length > 24)).toEqual([]);
});
