import { textsFor } from '@deskside/extension/texts';
import { createContext, useContext } from 'react';
import { customers } from './customers.ts';
import { frame } from './frame.ts';
import { proof } from './proof.ts';
import { routing } from './routing.ts';
import { ruleForms } from './rule-forms.ts';
import { settings } from './settings.ts';
import { today } from './today.ts';

export type Language = 'en' | 'vi';

/** All texts of the operator page in one language (docs/terms.md), and the panel's for what looks the same there. */
export function operatorTexts(language: Language) {
  return {
    language,
    frame: frame[language],
    today: today[language],
    proof: proof[language],
    routing: routing[language],
    customers: customers[language],
    settings: settings[language],
    ruleForms: ruleForms[language],
    panel: textsFor(language),
  };
}
export type Texts = ReturnType<typeof operatorTexts>;

export const TextsContext = createContext<Texts>(operatorTexts('en'));

export function useTexts(): Texts {
  return useContext(TextsContext);
}
