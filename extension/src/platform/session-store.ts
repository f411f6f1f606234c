import { browser } from 'wxt/browser';

const key = 'token';

/** Storage of the access token: in memory until the browser is closed, not accessible to content scripts. */
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
 * True once after the extension is installed, updated, reloaded or enabled, and after the browser is started: all of
 * these clear the session storage, but not all of them fire an event.
 */
export async function isFirstStart(): Promise<boolean> {
  const { started } = await browser.storage.session.get('started');
  await browser.storage.session.set({ started: true });
  return !started;
}

/** Makes the stored settings inaccessible to content scripts, where the browser supports it (Firefox does not). */
export async function protectLocalStorage(): Promise<void> {
  await browser.storage.local.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' }).catch(() => undefined);
}
