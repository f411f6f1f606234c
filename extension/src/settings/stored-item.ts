import { browser } from 'wxt/browser';

/** One value of the extension's own storage, which outlasts the browser; undefined if there is none. */
export interface StoredItem {
  read(): Promise<unknown>;
  /** Null removes the value. */
  write(value: unknown): Promise<void>;
  /**
   * Calls back when the value has changed, in this or any other context of the extension.
   * @returns ends the watching
   */
  watch(changed: () => void): () => void;
}

export function storedItem(key: string): StoredItem {
  const { local } = browser.storage;
  return {
    async read() {
      return (await local.get(key))[key];
    },
    async write(value) {
      if (value === null) await local.remove(key);
      else await local.set({ [key]: value });
    },
    watch(changed) {
      const look: Parameters<typeof local.onChanged.addListener>[0] = ({ [key]: change }) => {
        // Firefox also tells of a value that was written again.
        if (change && JSON.stringify(change.newValue) !== JSON.stringify(change.oldValue)) changed();
      };
      local.onChanged.addListener(look);
      return () => local.onChanged.removeListener(look);
    },
  };
}
