import { expect, test } from 'vitest';
import { bannedWords, wrongWords } from '#testing/terms.ts';
import { accessMissing, launcherTexts, statusTexts } from './launcher.ts';
import { optionsTexts } from './pages/options.ts';
import { popupTexts } from './pages/popup.ts';
import { welcomeTexts } from './pages/welcome.ts';
import { textsFor } from './texts.ts';

test('the table of terms is read', () => {
  expect(bannedWords('en')).toContain('company ID');
  expect(bannedWords('vi')).toContain('mã công ty');
});

test('other words than the terms, other tone marks and other apostrophes are found', () => {
  expect(wrongWords('en', [{ a: 'the company ID', b: "don't", c: 'the Org ID don’t' }])).toHaveLength(2);
  expect(wrongWords('vi', [{ a: 'mã công ty', b: 'khoá', c: 'khóa' }])).toHaveLength(2);
});

test.each(['en', 'vi'] as const)('every text is said in the words of docs/terms.md: %s', (language) => {
  const pages = [launcherTexts, statusTexts, accessMissing, optionsTexts, popupTexts, welcomeTexts];
  expect(wrongWords(language, [textsFor(language), ...pages.map((page) => page[language])])).toEqual([]);
});
