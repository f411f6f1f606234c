import { browser } from 'wxt/browser';

const key = 'token';

/** The access token's place: in memory, gone with the browser, closed to content scripts. */
export const sessionStore = {
  async read(): Promise<unknown> {
    return (await browser.storage.session.get(key))[key];
  },
  async write(value: unknown): Promise<void> {
    if (value === null) await browser.storage.session.remove(key);
    else await browser.storage.session.set({ [key]: value });
  },
};

/**
 * True once after the extension was installed, updated, reloaded or enabled, or the browser was started: all of these
 * empty the session's storage, and not all of them fire an event.
 */
export async function isFirstStart(): Promise<boolean> {
  const { started } = await browser.storage.session.get('started');
  await browser.storage.session.set({ started: true });
  return !started;
}

/** Closes the stored settings to content scripts too, where the browser can (Firefox cannot). */
export async function protectLocalStorage(): Promise<void> {
  await browser.storage.local.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' }).catch(() => undefined);
}
