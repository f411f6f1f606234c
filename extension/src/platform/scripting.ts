import { browser } from 'wxt/browser';

/** One run-time registration of a content script, as far as it matters here. */
export interface Registration {
  id: string;
  js: string[];
  matches: string[];
}

/** What the browser offers for content scripts. An interface, so that the rules above it can be tried without a browser. */
export interface Scripting {
  registered(): Promise<Registration[]>;
  register(registration: Registration): Promise<void>;
  unregister(ids: string[]): Promise<void>;
  /** Runs a file of the extension in a tab's top frame. False where the tab is gone or not ours. */
  inject(tabId: number, file: string): Promise<boolean>;
  openTabs(matches: string[]): Promise<number[]>;
}

export const scripting: Scripting = {
  async registered() {
    const scripts = await browser.scripting.getRegisteredContentScripts();
    return scripts.map(({ id, js = [], matches = [] }) => ({ id, js, matches }));
  },
  register: (registration) =>
    browser.scripting.registerContentScripts([
      { ...registration, runAt: 'document_idle', persistAcrossSessions: true, allFrames: false },
    ]),
  unregister: (ids) => browser.scripting.unregisterContentScripts({ ids }),
  async inject(tabId, file) {
    // Typed by WXT as the list of built files, which exists only after a build.
    const files = [file] as never[];
    return browser.scripting.executeScript({ target: { tabId, frameIds: [0] }, files }).then(
      () => true,
      () => false,
    );
  },
  async openTabs(matches) {
    const tabs = await browser.tabs.query({ url: matches });
    return tabs.flatMap(({ id }) => (id === undefined ? [] : [id]));
  },
};
