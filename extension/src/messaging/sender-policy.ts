/** What the browser says of the sender of a message. The payload is no part of it: it could say anything. */
export interface SenderFacts {
  id?: string | undefined;
  url?: string | undefined;
  origin?: string | undefined;
  frameId?: number | undefined;
  tab?: { id?: number | undefined; url?: string | undefined } | undefined;
}

/** What the background knows of itself. `pages` starts every address of its own pages; `helpdesk` is granted, or null. */
export interface OwnFacts {
  id: string;
  pages: string;
  helpdesk: string | null;
}

export type Verdict<C> = { allowed: true; caller: C } | { allowed: false; reason: string };

/** A content script in the top frame of a helpdesk page. `tabUrl`: the address that the tab shows. */
export interface ContentCaller {
  tabId: number;
  tabUrl: string | undefined;
}

/** May this sender use the verbs of content scripts? Order and rules: design.md section 8, facts/extension.md 3.2. */
export function judgeContentScript(sender: SenderFacts, own: OwnFacts): Verdict<ContentCaller> {
  if (sender.id !== own.id) return denied('another extension');
  if (sender.tab?.id === undefined) return denied('no tab');
  if (sender.frameId !== 0) return denied('a frame inside of the page');
  if (!own.helpdesk) return denied('no helpdesk is set up and granted');
  // Where the browser gives no origin, the address of the sending document has it.
  if ((sender.origin ?? originOf(sender.url)) !== own.helpdesk) return denied('not the helpdesk');
  return { allowed: true, caller: { tabId: sender.tab.id, tabUrl: sender.tab.url } };
}

/** May this sender use the verbs of the extension's own pages? A content script never may. */
export function judgePage(sender: SenderFacts, own: OwnFacts): Verdict<null> {
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
