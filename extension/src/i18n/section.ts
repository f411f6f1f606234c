import type { UiLanguage } from '#settings/schema.ts';

/** The texts of one part of the interface, in every language. */
type Section<T> = Record<UiLanguage, T>;

/** Declares a section. Does not compile if a language lacks a text or its text takes different arguments. */
export function section<T>(languages: Section<T>): Section<T> {
  return languages;
}
