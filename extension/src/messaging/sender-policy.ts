/** What the browser reports about the sender of a message. Nothing of it is taken from the message itself. */
export interface Sender {
  id?: string | undefined;
  url?: string | undefined;
  origin?: string | undefined;
  frameId?: number | undefined;
  tab?: { id?: number | undefined; url?: string | undefined } | undefined;
}

/** This extension. `pages`: prefix of the addresses of its own pages. `helpdesk`: configured and granted, or null. */
export interface ExtensionInfo {
  id: string;
  pages: string;
  helpdesk: string | null;
}

type SenderCheck<C> = { allowed: true; caller: C } | { allowed: false; reason: string };

/** A content script in the top frame of a helpdesk page. `tabUrl`: the tab's address. */
export interface SendingTab {
  tabId: number;
  tabUrl: string | undefined;
}

/** Whether this sender may use the verbs of content scripts (ARCHITECTURE.md#messages). */
export function checkContentScript(sender: Sender, own: ExtensionInfo): SenderCheck<SendingTab> {
  if (sender.id !== own.id) return denied('another extension');
  if (sender.tab?.id === undefined) return denied('no tab');
  if (sender.frameId !== 0) return denied('a frame inside of the page');
  if (!own.helpdesk) return denied('no helpdesk is set up and granted');
  // If the browser gives no origin, the address of the sending document contains it.
  if ((sender.origin ?? originOf(sender.url)) !== own.helpdesk) return denied('not the helpdesk');
  return { allowed: true, caller: { tabId: sender.tab.id, tabUrl: sender.tab.url } };
}

/** Whether this sender may use the verbs of the extension's own pages. A content script never may. */
export function checkPage(sender: Sender, own: ExtensionInfo): SenderCheck<null> {
  if (sender.id !== own.id) return denied('another extension');
  if (!sender.url?.startsWith(own.pages)) return denied('not a page of the extension');
  if (sender.origin !== undefined && `${sender.origin}/` !== own.pages) return denied('another origin');
  return { allowed: true, caller: null };
}

function denied(reason: string): { allowed: false; reason: string } {
  return { allowed: false, reason };
}

function originOf(url: string | undefined): string | null {
  return url && URL.canParse(url) ? new URL(url).origin : null;
}
