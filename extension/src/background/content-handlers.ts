import type { Input } from '@deskside/shared/contract';
import { browser } from 'wxt/browser';
import * as z from 'zod/mini';
import { addCss, inject, readShortcut } from '#browser/browser.ts';
import { createQueue, lastingItem } from '#browser/storage.ts';
import { presenceRule } from '#host-page/presence.ts';
import { frontMs } from '#messaging/again.ts';
import type { Result, Speech } from '#messaging/protocol.ts';
import { PanelLayout, type UiLanguage } from '#messaging/settings.ts';
import { compactStatus } from '#status/status.ts';
import { type PageAnchorStore, tellMissing } from './page-anchors.ts';
import type { Profiles } from './profiles.ts';
import type { ProxyCaller } from './proxy-caller.ts';
import type { ContentCaller, ContentHandlers } from './server.ts';
import type { Session } from './session.ts';
import { createRateLimit, facesRule, tellLaunchers } from './tabs.ts';

const panelFile = '/panel.js';

/** Maximum age of an answer for the button in the header, in milliseconds. */
const peekMaxAgeMs = 30_000;

/** Limits per tab: forced CRM checks and searches, which use up the company's CRM quota, and syncs. */
const maxRefreshes = 6;
const maxSyncs = 12;
const maxFinds = 10;

interface ContentHandlerOptions {
  call: ProxyCaller;
  profiles: Profiles;
  session: Session;
  anchors: PageAnchorStore;
  /** The language to use, as far as it is known, and the launcher's texts in it. */
  language(): Promise<UiLanguage>;
  speech(): Promise<Speech>;
  /** Finds out what there is to know of this person, who looks at a ticket. */
  learnPerson(user: string, ticket: string): Promise<void>;
}

export function contentHandlers(options: ContentHandlerOptions): ContentHandlers {
  const { call, profiles, session, anchors } = options;
  const mayRefresh = createRateLimit(maxRefreshes);
  const maySync = createRateLimit(maxSyncs);
  const mayFind = createRateLimit(maxFinds);

  /**
   * A write on a ticket. It always runs to its end, because the effect of an aborted one would be unknown. Whatever the
   * result, what was answered about the ticket before is outdated, in all tabs.
   */
  const write = async <E extends 'syncTicketCustomer' | 'rejectCompany'>(
    endpoint: E,
    input: Input<E> & { ticket: string },
    { user, tabId }: Pick<ContentCaller, 'user' | 'tabId'>,
  ) => {
    if (!maySync(tabId)) return limited;
    return call(endpoint, input, new AbortController().signal, user).finally(async () => {
      await profiles.forget(input.ticket);
      void tellLaunchers({ deskside: 'written', ticket: input.ticket }, tabId);
    });
  };

  return {
    'profile.get': async (input, { tabId, user, signal }) => {
      if (input.refresh && !mayRefresh(tabId)) return limited;
      void options.learnPerson(user, input.ticket);
      return profiles.get({ ...input, user }, signal);
    },
    'profile.peek': async ({ ticket, isAgain }, { user, signal }) => {
      void options.learnPerson(user, ticket);
      const maxAgeMs = isAgain ? frontMs : peekMaxAgeMs;
      const peek = { ticket, user, refresh: false, maxAgeMs };
      return compactStatus(await profiles.getSettled(peek, signal), await options.language());
    },
    'profile.known': ({ ticket }, { user, signal }) => call('customerProfile', { ticket, known: true }, signal, user),
    'profile.last': ({ ticket }, { user }) => profiles.last(user, ticket),
    'routing.get': (input, { user, signal }) => call('routingDecisions', input, signal, user),
    'around.get': (input, { user, signal }) => call('aroundTicket', input, signal, user),
    'find.search': async ({ ticket, query }, { tabId, user, signal }) => {
      // By the sender it is asked once a ticket, and the proxy remembers what it was.
      if (query === null) return call('findCompanies', { ticket }, signal, user);
      return mayFind(tabId) ? call('findCompanies', { ticket, query }, signal, user) : limited;
    },
    'sync.preview': async (input, { tabId, user, signal }) =>
      maySync(tabId) ? call('syncTicketCustomer', { ...input, action: 'preview' }, signal, user) : limited,
    'sync.apply': (input, caller) => write('syncTicketCustomer', { ...input, action: 'apply' }, caller),
    'sync.undo': (input, caller) => write('syncTicketCustomer', { ...input, action: 'undo' }, caller),
    'company.reject': (input, caller) => write('rejectCompany', { ...input, action: 'reject' }, caller),
    'company.undoRejection': (input, caller) => write('rejectCompany', { ...input, action: 'undo' }, caller),
    'launcher.start': async (_, { tabId, user }) => {
      if (presenceRule) await addCss(tabId, presenceRule);
      // An agent who left the panel open has it open again, on this ticket or on the next one.
      const { open } = await readLayout(user);
      if (open) void inject(tabId, panelFile);
      const [speech, shortcut, known] = await Promise.all([options.speech(), readShortcut(), anchors.known()]);
      return { ...speech, shortcut, anchors: known };
    },
    'panel.inject': (_, { tabId }) => inject(tabId, panelFile),
    'panel.start': async (_, { tabId, user }) => {
      await addCss(tabId, facesRule);
      const [language, layout, shortcut] = await Promise.all([options.language(), readLayout(user), readShortcut()]);
      return { language, layout, shortcut };
    },
    'layout.save': ({ change }, { user }) => changeLayout(user, change).then(() => null),
    'page.anchorMissing': async ({ ticket, anchor }, { user, signal }) => {
      const peek = { ticket, user, refresh: false, maxAgeMs: Number.POSITIVE_INFINITY };
      // A page that says that there is no such ticket, or that this person may not see it, has no header either.
      const { ok } = await profiles.get(peek, signal);
      if (ok) await Promise.all([tellMissing(call, anchor, user), anchors.ask()]);
      return null;
    },
    'session.seen': (_, { user }) => Promise.all([session.seen(user), profiles.keepOnly(user)]).then(() => null),
    'session.signIn': (_, { user }) => session.signIn(user),
    // The server has let it through, so nothing is withheld.
    'access.ask': async () => false,
    'team.open': () => openTab('/team.html'),
    'customer.open': ({ ticket }) => openTab(`/customer.html?${new URLSearchParams({ ticket })}`),
    'options.open': () => browser.runtime.openOptionsPage().then(() => null),
  };
}

const openTab = (url: string) => browser.tabs.create({ url }).then(() => null);

const limited: Result<never> = { ok: false, error: { code: 'rate_limited' } };

/** Agents whose layout is kept, those who changed theirs last. */
const maxAgents = 20;

const defaultLayout: PanelLayout = { open: false };

/** By helpdesk user, latest change last. An invalid entry counts as none, so that it does not cost the others. */
const Layouts = z.record(z.string(), z.catch(z.nullable(PanelLayout), null));
const layouts = lastingItem('panelLayouts', Layouts);
const inTurn = createQueue();

/** How this helpdesk user has arranged the panel; nobody's and a newcomer's is the default. */
export async function readLayout(user: string): Promise<PanelLayout> {
  return (await layouts.read())?.[user] ?? defaultLayout;
}

/** Keeps a change of a user's layout. Changes are made one after another; nobody's are not kept. */
export function changeLayout(user: string, change: Partial<PanelLayout>): Promise<void> {
  return inTurn(async () => {
    if (user === '') return;
    const { [user]: layout, ...others } = (await layouts.read()) ?? {};
    const after = { ...(layout ?? defaultLayout), ...change };
    await layouts.write(Object.fromEntries([...Object.entries(others), [user, after]].slice(-maxAgents)));
  });
}
