import type { Language, UiLanguage } from '#messaging/settings.ts';

/**
 * The language to use: the agent's setting, else the one in which they use the helpdesk, else the browser's, else English.
 * @param helpdeskLanguage as the helpdesk has it, such as `vi` or `en-GB`; null if it is not known
 * @param browserLanguage a BCP 47 tag such as `vi-VN`
 */
export function resolveLanguage(
  setting: Language,
  helpdeskLanguage: string | null,
  browserLanguage: string,
): UiLanguage {
  if (setting !== 'auto') return setting;
  return supported(helpdeskLanguage) ?? supported(browserLanguage) ?? 'en';
}

function supported(tag: string | null): UiLanguage | null {
  const primary = tag?.trim().toLowerCase().split(/[-_]/)[0];
  return primary === 'en' || primary === 'vi' ? primary : null;
}
