import type { UiLanguage } from '#messaging/settings.ts';

/** A text in every language, or what makes it of values. */
export type Translated<T> = Readonly<Record<UiLanguage, T>>;

/** A tree of such texts, in one language. */
type Translation<T> = T extends Translated<infer S> ? S : { [K in keyof T]: Translation<T[K]> };

/** A value for each name in braces, in their order. */
type Values<T extends string> = T extends `${string}{${string}}${infer Rest}` ? [string | number, ...Values<Rest>] : [];

/** One text in English and Vietnamese. Does not compile if the two take different arguments. */
export function say<T>(en: T, vi: NoInfer<T>): Translated<T> {
  return { en, vi };
}

/** One text with values in it, `Copy {what}`: called with these in their English order. A value stays as it is. */
export function phrase<E extends string>(en: E, vi: string): Translated<(...values: Values<E>) => string> {
  const names = [...en.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const filled = (text: string, values: readonly (string | number)[]) =>
    text.replace(/\{(\w+)\}/g, (_, name) => String(values[names.indexOf(name)]));
  return { en: (...values) => filled(en, values), vi: (...values) => filled(vi, values) };
}

/** The texts of a tree in one language. */
export function spoken<T extends object>(tree: T, language: UiLanguage): Translation<T> {
  const entries = Object.entries(tree).map(([key, value]) => [
    key,
    isSaid(value) ? value[language] : spoken(value, language),
  ]);
  return Object.fromEntries(entries);
}

function isSaid(value: object): value is Translated<unknown> {
  return 'en' in value && 'vi' in value;
}
