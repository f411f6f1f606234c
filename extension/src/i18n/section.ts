import type { UiLanguage } from '../platform/language.ts';

/** One part of the interface in every language that Deskside speaks. */
export type Section<T> = Record<UiLanguage, T>;

/** Declares a section. A text that is missing in one language, or takes other arguments there, does not compile. */
export function section<T>(languages: Section<T>): Section<T> {
  return languages;
}
