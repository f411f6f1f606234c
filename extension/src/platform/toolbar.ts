import { browser } from 'wxt/browser';

/** The toolbar button's popup, in the built package; the manifest names it for every tab. */
const popupFile = 'popup.html';

/** Whether a click on the toolbar button opens the popup in a tab; without it the background is told of the click. */
export async function setPopup(tabId: number, isShown: boolean): Promise<void> {
  // The tab may be closed by now.
  await browser.action.setPopup({ tabId, popup: isShown ? popupFile : '' }).catch(() => undefined);
}

/** Puts a badge on the toolbar button, or takes it away, and sets the button's tooltip. */
export async function markToolbar(isMarked: boolean, title: string): Promise<void> {
  await browser.action.setBadgeBackgroundColor({ color: '#b35309' });
  await browser.action.setBadgeText({ text: isMarked ? '!' : '' });
  await browser.action.setTitle({ title });
}
