import { expect, test } from 'vitest';
import { accessMissing, launcherTexts, statusTexts } from '#launcher/texts.ts';
import { optionsTexts } from '#pages/texts.ts';
import { textsFor } from '#panel/texts.ts';
import { decisionTexts } from '#team/decisions.tsx';
import { figureTexts } from '#team/figures.tsx';
import { planTexts, waitingTexts } from '#team/lists.tsx';
import { shareTexts } from '#team/shares.tsx';
import { pageTexts, systemTexts } from '#team/team-page.tsx';
import { bannedWords, wrongWords } from '#testing/terms.ts';
import { spoken } from './say.ts';

test('the table of terms is read', () => {
  expect(bannedWords('en')).toContain('company ID');
  expect(bannedWords('vi')).toContain('mã công ty');
});

test('other words than the terms, other tone marks, other apostrophes and names of colours are found', () => {
  expect(
    wrongWords('en', [{ a: 'the company ID', b: "don't", c: 'the Org ID don’t', d: 'those in grey' }]),
  ).toHaveLength(3);
  expect(wrongWords('vi', [{ a: 'mã công ty', b: 'khoá', c: 'khóa', d: 'màu xám' }])).toHaveLength(3);
});

test.each(['en', 'vi'] as const)('every text is said in the words of docs/terms.md: %s', (language) => {
  // The launcher's menu keeps the specification's name for it.
  const { sync: _, ...launcher } = launcherTexts[language];
  const pages = [statusTexts, accessMissing];
  const team = {
    optionsTexts,
    decisionTexts,
    figureTexts,
    planTexts,
    waitingTexts,
    shareTexts,
    systemTexts,
    pageTexts,
  };
  const own = [launcher, textsFor(language), spoken(team, language)];
  expect(wrongWords(language, [...own, ...pages.map((page) => page[language])])).toEqual([]);
});
