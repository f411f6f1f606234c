import { browser } from 'wxt/browser';

/** Puts a badge on the toolbar button, or takes it away, and sets the button's tooltip. */
export async function markToolbar(isMarked: boolean, title: string): Promise<void> {
  await browser.action.setBadgeBackgroundColor({ color: '#b35309' });
  await browser.action.setBadgeText({ text: isMarked ? '!' : '' });
  await browser.action.setTitle({ title });
}
