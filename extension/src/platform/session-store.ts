import { browser } from 'wxt/browser';

/** One value of the session storage: in memory until the browser is closed, not accessible to content scripts. */
export interface SessionStore {
  read(): Promise<unknown>;
  /** Null removes the value. */
  write(value: unknown): Promise<void>;
}

export function sessionStore(key: string): SessionStore {
  return {
    async read() {
      return (await browser.storage.session.get(key))[key];
    },
    async write(value) {
      if (value === null) await browser.storage.session.remove(key);
      else await browser.storage.session.set({ [key]: value });
    },
  };
}

/**
 * Does work that is due after the extension was installed, updated, reloaded or enabled, and after the browser was
 * started: all of these clear the session storage, but not all of them fire an event. What failed, or ended with the
 * background, is done again by the next one, so the work must be such that it can be repeated.
 * @throws what the work throws
 */
export async function oncePerStart(work: () => Promise<void>): Promise<void> {
  const { started } = await browser.storage.session.get('started');
  if (started) return;
  await work();
  await browser.storage.session.set({ started: true });
}

/** Makes the stored settings inaccessible to content scripts, where the browser supports it (Firefox does not). */
export async function protectLocalStorage(): Promise<void> {
  await browser.storage.local.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' }).catch(() => undefined);
}
