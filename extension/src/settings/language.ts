import type { Language, UiLanguage } from './schema.ts';

/**
 * The language to use: the agent's setting, else the helpdesk page's, else the browser's, else English.
 * @param pageLanguage value of the helpdesk's `<html lang>`, null if it has none
 * @param browserLanguage a BCP 47 tag such as `vi-VN`
 */
export function resolveLanguage(setting: Language, pageLanguage: string | null, browserLanguage: string): UiLanguage {
  if (setting !== 'auto') return setting;
  return supported(pageLanguage) ?? supported(browserLanguage) ?? 'en';
}

function supported(tag: string | null): UiLanguage | null {
  const primary = tag?.trim().toLowerCase().split(/[-_]/)[0];
  return primary === 'en' || primary === 'vi' ? primary : null;
}
