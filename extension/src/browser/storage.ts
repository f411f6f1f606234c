import { type Browser, browser } from 'wxt/browser';
import * as z from 'zod/mini';

/** A value that outlasts the browser. */
export function lastingItem<T>(key: string, schema: z.ZodMiniType<T>) {
  const { local } = browser.storage;
  return {
    ...itemIn(local, key, schema),
    /** Calls back when the value has changed, in any context of the extension; what it returns ends that. */
    watch(changed: () => void) {
      const look: Parameters<typeof local.onChanged.addListener>[0] = ({ [key]: change }) => {
        // Firefox also tells of a value that was written again.
        if (change && JSON.stringify(change.newValue) !== JSON.stringify(change.oldValue)) changed();
      };
      local.onChanged.addListener(look);
      return () => local.onChanged.removeListener(look);
    },
  };
}

/** One that is in memory until the browser is closed, not accessible to content scripts. */
export function sessionItem<T>(key: string, schema: z.ZodMiniType<T>) {
  return itemIn(browser.storage.session, key, schema);
}

function itemIn<T>(area: Browser.storage.StorageArea, key: string, schema: z.ZodMiniType<T>) {
  /** Undefined if there is none, or another version's that is of no use. */
  const parse = (values: Record<string, unknown>): T | undefined => schema.safeParse(values[key]).data;
  return {
    key,
    parse,
    async read(): Promise<T | undefined> {
      return parse(await area.get(key));
    },
    /** Null removes the value. */
    async write(value: T | null) {
      if (value === null) await area.remove(key);
      else await area.set({ [key]: value });
    },
  };
}

/** Lets work that it is given begin once what was given before has ended, or failed. */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
}

/**
 * Does work that is due after the extension was installed, updated, reloaded or enabled, and after the browser was
 * started: all of these clear the session storage, but not all of them fire an event. What failed, or ended with the
 * background, is done again by the next one, so the work must be such that it can be repeated.
 * @throws what the work throws
 */
export async function oncePerStart(work: () => Promise<void>): Promise<void> {
  const started = sessionItem('started', z.boolean());
  if (await started.read()) return;
  await work();
  await started.write(true);
}

/** Makes the stored settings inaccessible to content scripts, where the browser supports it (Firefox does not). */
export async function protectLocalStorage(): Promise<void> {
  await browser.storage.local.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' }).catch(() => undefined);
}
