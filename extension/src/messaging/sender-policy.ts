/** What the browser reports about the sender of a message. Nothing of it is taken from the message itself. */
export interface Sender {
  id?: string | undefined;
  url?: string | undefined;
  origin?: string | undefined;
  frameId?: number | undefined;
  tab?: { id?: number | undefined; url?: string | undefined } | undefined;
}

/**
 * This extension. `pages`: prefix of the addresses of its own pages. `helpdesk`: configured and granted, or null. `withheld`:
 * configured, but the browser withholds access to it; or null.
 */
export interface ExtensionInfo {
  id: string;
  pages: string;
  helpdesk: string | null;
  withheld: string | null;
}

/** A content script in the top frame of a helpdesk page. `tabUrl`: the tab's address. */
export interface SendingTab {
  tabId: number;
  tabUrl: string | undefined;
}

/** The tab of a sender that may use the verbs of content scripts (ARCHITECTURE.md#messages); null: it may not. */
export function checkContentScript(sender: Sender, own: ExtensionInfo): SendingTab | null {
  if (sender.id !== own.id || sender.tab?.id === undefined) return null;
  // Not a frame inside of the page.
  if (sender.frameId !== 0) return null;
  // If the browser gives no origin, the address of the sending document contains it.
  if (!own.helpdesk || (sender.origin ?? originOf(sender.url)) !== own.helpdesk) return null;
  return { tabId: sender.tab.id, tabUrl: sender.tab.url };
}

/** Whether this sender may use the verbs of the extension's own pages. A content script never may. */
export function checkPage(sender: Sender, own: ExtensionInfo): boolean {
  if (sender.id !== own.id || !sender.url?.startsWith(own.pages)) return false;
  return sender.origin === undefined || `${sender.origin}/` === own.pages;
}

function originOf(url: string | undefined): string | null {
  return url && URL.canParse(url) ? new URL(url).origin : null;
}
