import { browser } from 'wxt/browser';
import type { UiLanguage } from '../platform/language.ts';

const titles: Record<UiLanguage, string> = {
  en: 'Deskside is not allowed on the helpdesk yet. Click to allow it.',
  vi: 'Deskside chưa được phép trên helpdesk. Bấm để cho phép.',
};

/** Marks the toolbar's button while an address that is set up lacks the agent's permission. */
export async function showBadge(missing: boolean, language: UiLanguage): Promise<void> {
  await browser.action.setBadgeBackgroundColor({ color: '#b35309' });
  await browser.action.setBadgeText({ text: missing ? '!' : '' });
  await browser.action.setTitle({ title: missing ? titles[language] : 'Deskside' });
}
