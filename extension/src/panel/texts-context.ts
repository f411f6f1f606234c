import { createContext, useContext } from 'react';
import { type Texts, textsFor } from './texts.ts';

/** The texts in the panel's language. */
export const TextsContext = createContext<Texts>(textsFor('en'));

export function useTexts(): Texts {
  return useContext(TextsContext);
}
