import type { Language, UiLanguage } from '../messaging/protocol.ts';

export type { UiLanguage };

/**
 * The language to speak: the agent's setting, else the helpdesk page's, else the browser's, else English.
 * @param hostLang value of the helpdesk's `<html lang>`, null where there is none
 * @param browserLang a BCP 47 tag such as `vi-VN`
 */
export function resolveLanguage(setting: Language, hostLang: string | null, browserLang: string): UiLanguage {
  if (setting !== 'auto') return setting;
  return spoken(hostLang) ?? spoken(browserLang) ?? 'en';
}

function spoken(tag: string | null): UiLanguage | null {
  const primary = tag?.trim().toLowerCase().split(/[-_]/)[0];
  return primary === 'en' || primary === 'vi' ? primary : null;
}
