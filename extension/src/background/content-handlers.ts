import type { PageAnchor } from '@deskside/shared/contract';
import { presenceRule } from '#host-page/presence.ts';
import { launcherTexts } from '#i18n/launcher.ts';
import type { PanelError, ProfileResult } from '#messaging/protocol.ts';
import type { ContentHandlers } from '#messaging/server.ts';
import type { Scripting } from '#platform/scripting.ts';
import type { PanelLayout, UiLanguage } from '#settings/schema.ts';
import { compactStatus } from '#summary/compact-status.ts';
import type { LastProfiles } from './customers/last-profiles.ts';
import type { FindService } from './proxy/find-service.ts';
import type { ProfileRequest, ProfileService } from './proxy/profile-service.ts';
import type { SyncService } from './proxy/sync-service.ts';
import type { TicketReads } from './proxy/ticket-reads.ts';
import type { Session } from './session/session.ts';
import { facesRule, setDock } from './tabs/dock.ts';

/** Path of the built panel in the package. */
const panelFile = '/content-scripts/panel.js';

/** Maximum age of an answer for the button in the header, in milliseconds. */
const peekMaxAgeMs = 30_000;

interface ContentHandlerOptions {
  profiles: ProfileService;
  session: Pick<Session, 'signIn' | 'seen'>;
  lastProfiles: Pick<LastProfiles, 'of' | 'noting' | 'keepOnly'>;
  scripting: Pick<Scripting, 'inject' | 'addCss' | 'removeCss'>;
  syncs: SyncService;
  routing: Pick<TicketReads<'routingDecisions'>, 'get' | 'cancel'>;
  around: Pick<TicketReads<'aroundTicket'>, 'get' | 'cancel'>;
  /** Tells the operator that the helpdesk's page has changed. */
  tellMissing(anchor: PageAnchor, user: string): Promise<void>;
  finds: FindService;
  mayRefresh(tabId: number): boolean;
  maySync(tabId: number): boolean;
  mayFind(tabId: number): boolean;
  /** The language to use, as far as it is known. */
  language(): Promise<UiLanguage>;
  /** Finds out in which language this person uses the helpdesk. */
  learnLanguage(user: string): Promise<void>;
  shortcut(): Promise<string | null>;
  layouts: {
    read(user: string): Promise<PanelLayout>;
    change(user: string, change: Partial<PanelLayout>): Promise<void>;
  };
  openOptions(): Promise<void>;
}

/** Handlers for the verbs of content scripts, called after the message server's checks. */
export function contentHandlers(options: ContentHandlerOptions): ContentHandlers {
  const { profiles, session, scripting, syncs, routing, around, finds, lastProfiles, maySync } = options;

  /** The answer, noted as seen by whom the page shows. */
  async function noted(ask: (request: ProfileRequest) => Promise<ProfileResult>, request: ProfileRequest) {
    await lastProfiles.keepOnly(request.user);
    const noteProfile = lastProfiles.noting(request.user);
    const result = await ask(request);
    // The answer does not wait until a profile is stored.
    if (result.ok) void noteProfile(result);
    return result;
  }

  return {
    'profile.get': async (input, { tabId, user }) => {
      if (input.refresh && !options.mayRefresh(tabId)) return limited;
      void options.learnLanguage(user);
      return noted(profiles.get, { ...input, tabId, user });
    },
    'profile.peek': async ({ ticket }, { tabId, user }) => {
      void options.learnLanguage(user);
      const peek = { ticket, tabId, user, call: 'peek', refresh: false, maxAgeMs: peekMaxAgeMs };
      const result = await noted(profiles.getSettled, peek);
      return compactStatus(result, await options.language());
    },
    'profile.last': ({ ticket }, { user }) => lastProfiles.of(user, ticket),
    'profile.cancel': async ({ call }, { tabId }) => {
      profiles.cancel(tabId, call);
      return null;
    },
    'routing.get': async (input, { tabId, user }) => {
      const result = await routing.get({ ...input, tabId, user });
      return result.ok ? { ok: true, routing: result.data } : result;
    },
    'routing.cancel': async ({ call }, { tabId }) => {
      routing.cancel(tabId, call);
      return null;
    },
    'around.get': async (input, { tabId, user }) => {
      const result = await around.get({ ...input, tabId, user });
      return result.ok ? { ok: true, around: result.data } : result;
    },
    'around.cancel': async ({ call }, { tabId }) => {
      around.cancel(tabId, call);
      return null;
    },
    'find.search': async (input, { tabId, user }) =>
      options.mayFind(tabId) ? finds.search({ ...input, tabId, user }) : limited,
    'find.cancel': async ({ call }, { tabId }) => {
      finds.cancel(tabId, call);
      return null;
    },
    'sync.preview': async (input, { tabId, user }) =>
      maySync(tabId) ? syncs.preview({ ...input, tabId, user }) : limited,
    'sync.apply': async (input, { tabId, user }) => (maySync(tabId) ? syncs.apply({ ...input, user }) : limited),
    'sync.undo': async (input, { tabId, user }) => (maySync(tabId) ? syncs.undo({ ...input, user }) : limited),
    'company.reject': async (input, { tabId, user }) => (maySync(tabId) ? syncs.reject({ ...input, user }) : limited),
    'company.undoRejection': async (input, { tabId, user }) =>
      maySync(tabId) ? syncs.undoRejection({ ...input, user }) : limited,
    'sync.cancel': async ({ call }, { tabId }) => {
      syncs.cancel(tabId, call);
      return null;
    },
    'launcher.start': async (_, { tabId, user }) => {
      if (presenceRule) await scripting.addCss(tabId, presenceRule);
      // An agent who left the panel open has it open again, on this ticket or on the next one.
      const { open } = await options.layouts.read(user);
      if (open) void scripting.inject(tabId, panelFile);
      const [language, shortcut] = await Promise.all([options.language(), options.shortcut()]);
      return { language, texts: launcherTexts[language], shortcut };
    },
    'page.start': async (_, { tabId, user }) => {
      const { open, docked, width } = await options.layouts.read(user);
      if (!open || !docked) return null;
      await setDock(scripting, tabId, { width, was: null });
      return width;
    },
    'dock.set': async (change, { tabId }) => {
      await setDock(scripting, tabId, change);
      return null;
    },
    'panel.inject': (_, { tabId }) => scripting.inject(tabId, panelFile),
    'panel.start': async (_, { tabId, user }) => {
      await scripting.addCss(tabId, facesRule);
      const [language, layout, shortcut] = await Promise.all([
        options.language(),
        options.layouts.read(user),
        options.shortcut(),
      ]);
      return { language, layout, shortcut };
    },
    'layout.save': async ({ change }, { user }) => {
      await options.layouts.change(user, change);
      return null;
    },
    'page.anchorMissing': async ({ ticket, anchor }, { tabId, user }) => {
      const peek = { ticket, tabId, user, call: 'anchor', refresh: false, maxAgeMs: Number.POSITIVE_INFINITY };
      // A page that says that there is no such ticket, or that this person may not see it, has no header either.
      const { ok } = await profiles.get(peek);
      if (ok) await options.tellMissing(anchor, user);
      return null;
    },
    'session.seen': async (_, { user }) => {
      await Promise.all([session.seen(user), lastProfiles.keepOnly(user)]);
      return null;
    },
    'session.signIn': (_, { user }) => session.signIn(user),
    'options.open': async () => {
      await options.openOptions();
      return null;
    },
  };
}

const limited: { ok: false; error: PanelError } = { ok: false, error: { code: 'rate_limited', requestId: null } };
