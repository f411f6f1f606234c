import { wrongWords } from '@deskside/extension/testing/terms';
import { expect, test } from 'vitest';
import { operatorTexts } from './texts.ts';

test.each(['en', 'vi'] as const)(
  'every text of the operator page is said in the words of docs/terms.md: %s',
  (language) => {
    expect(wrongWords(language, [operatorTexts(language)])).toEqual([]);
  },
);
