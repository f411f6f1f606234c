import { type Browser, browser } from 'wxt/browser';
import * as z from 'zod/mini';
import { type PageInput, type PageOutput, type PageVerb, pageVerbs } from '#messaging/page-protocol.ts';
import { type ContentVerb, contentVerbs, type VerbOutput } from '#messaging/protocol.ts';
import type { WireAnswer } from '#messaging/send.ts';

type ParsedInput<V extends ContentVerb> = z.output<(typeof contentVerbs)[V]['input']>;

/**
 * Who asks: a tab, and the helpdesk user that its page shows, empty if nobody is signed in there. `signal`: nobody waits for
 * the answer any more, or may be given it.
 */
export interface ContentCaller extends SendingTab {
  user: string;
  signal: AbortSignal;
}

/** One function per verb. The input has been checked, and a ticket in it is the one that the sender's tab shows. */
export type ContentHandlers = {
  [V in ContentVerb]: (input: ParsedInput<V>, caller: ContentCaller) => Promise<VerbOutput<V>>;
};
export type PageHandlers = { [V in PageVerb]: (input: PageInput<V>) => Promise<PageOutput<V>> };

interface ServerOptions {
  content: ContentHandlers;
  page: PageHandlers;
  own(): Promise<ExtensionInfo>;
  /** What a page of the helpdesk is answered while the browser withholds access to it: nothing of anybody's. */
  withheld(verb: ContentVerb): Promise<unknown>;
  /** Whom the helpdesk's pages showed last, empty for nobody: a page of the extension's own shows nobody. */
  lastUser(): Promise<string>;
  showsTicket(caller: SendingTab, ticket: string): Promise<boolean>;
}

const Wire = z.object({
  deskside: z.string(),
  input: z.unknown(),
  user: z.optional(z.string().check(z.maxLength(500))),
});

/**
 * The only entrance to the background. Each message has to pass these checks, in this order, or is dropped without an
 * answer: shape, known verb, sender, input, and for a verb about a ticket, that the sender's tab shows this ticket.
 * Answers are checked against the verb's schema as well, so only what the protocol names leaves the background.
 */
export function createServer(options: ServerOptions) {
  return async (message: unknown, sender: MessageSender, signal: AbortSignal): Promise<WireAnswer> => {
    const wire = Wire.safeParse(message);
    if (!wire.success) return undefined;
    const { deskside: verb, input, user } = wire.data;
    const info = await options.own();
    if (isVerb(contentVerbs, verb)) {
      const ownTicket = ticketOfOwnPage(sender, info);
      const tab =
        ownTicket === null ? checkContentScript(sender, info) : { tabId: sender.tab?.id ?? 0, tabUrl: sender.url };
      if (!tab) {
        const isWithheld = checkContentScript(sender, { ...info, helpdesk: info.withheld }) !== null;
        return isWithheld ? answer(contentVerbs[verb].output, await options.withheld(verb)) : undefined;
      }
      const parsed = contentVerbs[verb].input.safeParse(input);
      if (!parsed.success) return undefined;
      if ('ticket' in parsed.data) {
        const { ticket } = parsed.data;
        if (!(ownTicket === null ? await options.showsTicket(tab, ticket) : ownTicket === ticket)) return undefined;
      }
      const handler = options.content[verb] as (input: unknown, caller: ContentCaller) => Promise<unknown>;
      const caller: ContentCaller = {
        ...tab,
        user: ownTicket === null ? userOf(user) : await options.lastUser(),
        signal,
      };
      return answer(contentVerbs[verb].output, await handler(parsed.data, caller));
    }
    if (!isVerb(pageVerbs, verb) || !checkPage(sender, info)) return undefined;
    const parsed = pageVerbs[verb].input.safeParse(input);
    const handler = options.page[verb] as (input: unknown) => Promise<unknown>;
    return parsed.success ? answer(pageVerbs[verb].output, await handler(parsed.data)) : undefined;
  };
}

/** The user that a cookie `user_id` names, empty for nobody: a guest, no cookie, or one that cannot be decoded. */
function userOf(cookie: string | undefined): string {
  try {
    const user = decodeURIComponent(cookie ?? '');
    return user === 'Guest' ? '' : user;
  } catch {
    return '';
  }
}

function answer(schema: z.ZodMiniType, output: unknown): WireAnswer {
  const parsed = schema.safeParse(output);
  return parsed.success ? { output: parsed.data } : undefined;
}

function isVerb<T extends object>(verbs: T, verb: string): verb is keyof T & string {
  return Object.hasOwn(verbs, verb);
}

/** Chromium ends a background that did nothing for 30 seconds, and waiting for an answer is nothing. Milliseconds. */
const awakeMs = 20_000;

/** Answers what comes over a port, until its page closes it or goes away. `valid` ends what may no longer be answered. */
export function servePort(
  port: Browser.runtime.Port,
  answer: (message: unknown, sender: MessageSender, signal: AbortSignal) => Promise<WireAnswer>,
  valid: AbortSignal,
): void {
  const left = new AbortController();
  const signal = AbortSignal.any([left.signal, valid]);
  port.onDisconnect.addListener(() => left.abort());
  port.onMessage.addListener(async (message: unknown) => {
    const awake = setInterval(browser.runtime.getPlatformInfo, awakeMs);
    const answered = await answer(message, port.sender ?? {}, signal).catch(() => null);
    clearInterval(awake);
    if (signal.aborted) port.disconnect();
    else port.postMessage(answered ?? null);
  });
}

/** What the browser reports about the sender of a message. Nothing of it is taken from the message itself. */
export interface MessageSender {
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
interface ExtensionInfo {
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

/** The tab of a sender that may use the verbs of content scripts (ARCHITECTURE.md#the-extension); null: it may not. */
function checkContentScript(sender: MessageSender, info: ExtensionInfo): SendingTab | null {
  if (sender.id !== info.id || sender.tab?.id === undefined) return null;
  // Not a frame inside of the page.
  if (sender.frameId !== 0) return null;
  // If the browser gives no origin, the address of the sending document contains it.
  if (!info.helpdesk || (sender.origin ?? originOf(sender.url)) !== info.helpdesk) return null;
  return { tabId: sender.tab.id, tabUrl: sender.tab.url };
}

/** Whether this sender may use the verbs of the extension's own pages. A content script never may. */
function checkPage(sender: MessageSender, info: ExtensionInfo): boolean {
  if (sender.id !== info.id || !sender.url?.startsWith(info.pages)) return false;
  return sender.origin === undefined || `${sender.origin}/` === info.pages;
}

/** The ticket that the extension's own page of a customer is about; null: the sender is no such page. */
function ticketOfOwnPage(sender: MessageSender, info: ExtensionInfo): string | null {
  const url = checkPage(sender, info) && sender.url ? new URL(sender.url) : null;
  return url && url.pathname === '/customer.html' ? url.searchParams.get('ticket') : null;
}

function originOf(url: string | undefined): string | null {
  return url && URL.canParse(url) ? new URL(url).origin : null;
}
