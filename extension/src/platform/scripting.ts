import { browser } from 'wxt/browser';

/** A content script registered at run time. */
export interface Registration {
  id: string;
  js: string[];
  matches: string[];
}

/** The browser's API for content scripts; an interface, so that its users can be tested without a browser. */
export interface Scripting {
  registered(): Promise<Registration[]>;
  register(registration: Registration): Promise<void>;
  unregister(ids: string[]): Promise<void>;
  /** Runs a file of the extension in a tab's top frame. False if the tab is closed or not accessible. */
  inject(tabId: number, file: string): Promise<boolean>;
  openTabs(matches: string[]): Promise<number[]>;
  /** Adds rules to a tab's top frame. No trace of them is visible to its scripts. */
  addCss(tabId: number, css: string): Promise<void>;
}

export const scripting: Scripting = {
  async registered() {
    const scripts = await browser.scripting.getRegisteredContentScripts();
    return scripts.map(({ id, js = [], matches = [] }) => ({ id, js, matches }));
  },
  register: (registration) =>
    browser.scripting.registerContentScripts([{ ...registration, persistAcrossSessions: true, allFrames: false }]),
  unregister: (ids) => browser.scripting.unregisterContentScripts({ ids }),
  async inject(tabId, file) {
    // WXT types this as the list of built files, which only exists after a build.
    const files = [file] as never[];
    return browser.scripting.executeScript({ target: { tabId, frameIds: [0] }, files }).then(
      () => true,
      () => false,
    );
  },
  addCss: (tabId, css) => browser.scripting.insertCSS({ target: { tabId, frameIds: [0] }, css }),
  async openTabs(matches) {
    const tabs = await browser.tabs.query({ url: matches });
    return tabs.flatMap(({ id }) => (id === undefined ? [] : [id]));
  },
};
