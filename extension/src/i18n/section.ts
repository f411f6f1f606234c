import type { UiLanguage } from '#settings/schema.ts';

/**
 * Declares the texts of one part of the interface, in every language. Does not compile if a language lacks a text that English
 * has, has one more, or its text takes different arguments.
 */
export function section<T>(languages: { en: T; vi: NoInfer<T> }): Record<UiLanguage, T> {
  return languages;
}
