import { launcherTexts } from '#i18n/launcher.ts';
import type { PanelError } from '#messaging/protocol.ts';
import type { ContentHandlers } from '#messaging/server.ts';
import type { Scripting } from '#platform/scripting.ts';
import type { UiLanguage } from '#settings/schema.ts';
import type { Settings } from '#settings/settings.ts';
import { compactStatus } from '#summary/compact-status.ts';
import type { ProfileService } from './proxy/profile-service.ts';
import type { RoutingService } from './proxy/routing-service.ts';
import type { SyncService } from './proxy/sync-service.ts';
import type { Session } from './session/session.ts';

/** Path of the built panel in the package. */
const panelFile = '/content-scripts/panel.js';

/** Maximum age of an answer for the button in the header, in milliseconds. */
const peekMaxAgeMs = 30_000;

interface ContentHandlerOptions {
  profiles: ProfileService;
  session: Pick<Session, 'signIn'>;
  scripting: Pick<Scripting, 'inject'>;
  syncs: SyncService;
  routing: RoutingService;
  mayRefresh(tabId: number): boolean;
  maySync(tabId: number): boolean;
  settings(): Promise<Pick<Settings, 'language'>>;
  /** The language to use on a page with the given `<html lang>`. */
  language(pageLanguage: string): Promise<UiLanguage>;
  shortcut(): Promise<string | null>;
  openOptions(): Promise<void>;
}

/** Handlers for the verbs of content scripts, called after the message server's checks. */
export function contentHandlers(options: ContentHandlerOptions): ContentHandlers {
  const { profiles, session, scripting, syncs, routing, maySync } = options;
  return {
    'profile.get': async (input, { tabId, user }) => {
      if (input.refresh && !options.mayRefresh(tabId)) return limited;
      return profiles.get({ ...input, tabId, user });
    },
    'profile.peek': async ({ language, ticket }, { tabId, user }) => {
      const peek = { ticket, tabId, user, call: 'peek', refresh: false, maxAgeMs: peekMaxAgeMs };
      const result = await profiles.getSettled(peek);
      return compactStatus(result, language);
    },
    'profile.cancel': async ({ call }, { tabId }) => {
      profiles.cancel(tabId, call);
      return null;
    },
    'routing.get': (input, { tabId, user }) => routing.get({ ...input, tabId, user }),
    'routing.cancel': async ({ call }, { tabId }) => {
      routing.cancel(tabId, call);
      return null;
    },
    'sync.preview': async (input, { tabId, user }) =>
      maySync(tabId) ? syncs.preview({ ...input, tabId, user }) : limited,
    'sync.apply': async (input, { tabId, user }) => (maySync(tabId) ? syncs.apply({ ...input, user }) : limited),
    'sync.undo': async (input, { tabId, user }) => (maySync(tabId) ? syncs.undo({ ...input, user }) : limited),
    'sync.cancel': async ({ call }, { tabId }) => {
      syncs.cancel(tabId, call);
      return null;
    },
    'launcher.start': async ({ pageLanguage }) => {
      const language = await options.language(pageLanguage);
      return { language, texts: launcherTexts[language] };
    },
    'panel.inject': (_, { tabId }) => scripting.inject(tabId, panelFile),
    'panel.settings': async () => {
      const [{ language }, shortcut] = await Promise.all([options.settings(), options.shortcut()]);
      return { language, shortcut };
    },
    'session.signIn': (_, { user }) => session.signIn(user),
    'options.open': async () => {
      await options.openOptions();
      return null;
    },
  };
}

const limited: { ok: false; error: PanelError } = { ok: false, error: { code: 'rate_limited', requestId: null } };
