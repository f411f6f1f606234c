import { createContext, useContext } from 'react';
import { type Texts, textsFor } from '../i18n/texts.ts';

/** The texts of the panel's language, for every component in it. */
export const TextsContext = createContext<Texts>(textsFor('en'));

export function useTexts(): Texts {
  return useContext(TextsContext);
}
