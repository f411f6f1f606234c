import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { flattenTexts } from '#testing/flatten-texts.ts';
import { accessMissing, launcherTexts, statusTexts } from './launcher.ts';
import { optionsTexts } from './options.ts';
import { popupTexts } from './popup.ts';
import { textsFor } from './texts.ts';
import { welcomeTexts } from './welcome.ts';

const table = readFileSync(new URL('../../../docs/terms.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|') && !line.includes('---'))
  .map((line) => line.split('|').map((cell) => cell.trim()));
/** Words that docs/terms.md says are not used, by the column that lists them. */
const banned = (column: number) =>
  table.flatMap((cells) => (cells[column] ?? '').split(/[,;]\s*/)).filter((word) => word !== '' && word !== 'not');

function everyText(language: 'en' | 'vi'): [string, string][] {
  const pages = [launcherTexts, statusTexts, accessMissing, optionsTexts, popupTexts, welcomeTexts];
  return flattenTexts([textsFor(language), ...pages.map((page) => page[language])]);
}

function found(language: 'en' | 'vi', words: string[]): string[] {
  // A word of its own: neither part of another one nor of a name in code such as `meta.json`.
  const patterns = words.map((word) => new RegExp(`(?<![\\p{L}_])${word}(?![\\p{L}_])`, 'iu'));
  return everyText(language).flatMap(([path, text]) =>
    patterns
      .filter((pattern) => pattern.test(text.normalize('NFC')))
      .map(({ source }) => `${path}: ${text} (${source})`),
  );
}

test('the table of terms is read', () => {
  expect(banned(3)).toContain('company ID');
  expect(banned(5)).toContain('mã công ty');
});

test('no text uses another word for a thing that has its term', () => {
  expect(found('en', banned(3))).toEqual([]);
  expect(found('vi', banned(5))).toEqual([]);
});

test('Vietnamese tone marks are in one place', () => {
  const modern = /(?<!q)(oá|oà|oả|oã|oạ|oé|oè|oẻ|oẽ|oẹ|uý|uỳ|uỷ|uỹ|uỵ)(?!\p{L})/iu;
  expect(everyText('vi').filter(([, text]) => modern.test(text.normalize('NFC')))).toEqual([]);
});

test('English has one apostrophe', () => {
  expect(everyText('en').filter(([, text]) => /\p{L}'\p{L}/u.test(text))).toEqual([]);
});
