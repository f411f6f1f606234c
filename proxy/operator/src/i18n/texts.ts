import { createContext, useContext } from 'react';
import { frame } from './frame.ts';

export type Language = 'en' | 'vi';

/** All texts of the operator page in one language (docs/terms.md). */
export function operatorTexts(language: Language) {
  return { language, frame: frame[language] };
}
export type Texts = ReturnType<typeof operatorTexts>;

export const TextsContext = createContext<Texts>(operatorTexts('en'));

export function useTexts(): Texts {
  return useContext(TextsContext);
}
