import { TicketName } from '@deskside/shared/contract';
import { SyncData } from '@deskside/shared/enrichment';
import { Conflict } from '@deskside/shared/envelope';
import { OrgId } from '@deskside/shared/orgid';
import { ProfileData } from '@deskside/shared/profile';
import { RoutingDecisions } from '@deskside/shared/routing';
import { errorCodes } from '@deskside/shared/status';
import * as z from 'zod/mini';

/**
 * The closed list of what a content script may ask of the background. It names intents; the background alone decides
 * addresses, methods and headers, and takes the helpdesk's address from the sender, never from a payload.
 */

/** Everything that can keep an answer from the panel, each with a designed view. */
export const panelErrorCodes = [
  ...errorCodes,
  'signed_out',
  'not_configured',
  'offline',
  'unreachable',
  'timeout',
  'aborted',
  'bad_answer',
  'extension_updated',
] as const;
export const PanelErrorCode = z.enum(panelErrorCodes);
export type PanelErrorCode = z.infer<typeof PanelErrorCode>;

/** `conflict`: the two records that stand against each other, where the error is about such. */
export const PanelError = z.object({
  code: PanelErrorCode,
  requestId: z.nullable(z.string()),
  conflict: z.optional(Conflict),
});
export type PanelError = z.infer<typeof PanelError>;

/** `receivedAt`: epoch milliseconds at which the background got the answer. */
export const ProfileResult = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), profile: ProfileData, receivedAt: z.number() }),
  z.object({ ok: z.literal(false), error: PanelError }),
]);
export type ProfileResult = z.infer<typeof ProfileResult>;

export const SyncResult = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), sync: SyncData }),
  z.object({ ok: z.literal(false), error: PanelError }),
]);
export type SyncResult = z.infer<typeof SyncResult>;

export const RoutingResult = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), routing: RoutingDecisions }),
  z.object({ ok: z.literal(false), error: PanelError }),
]);
export type RoutingResult = z.infer<typeof RoutingResult>;

export const Language = z.enum(['auto', 'en', 'vi']);
export type Language = z.infer<typeof Language>;

/** A language that Deskside speaks. */
export const UiLanguage = z.enum(['en', 'vi']);
export type UiLanguage = z.infer<typeof UiLanguage>;

/** The launcher's words. They come from the background, because the launcher itself loads on every page. */
export const LauncherTexts = z.object({
  open: z.string(),
  actions: z.string(),
  refresh: z.string(),
  sync: z.string(),
  reload: z.string(),
});
export type LauncherTexts = z.infer<typeof LauncherTexts>;

/** Short form of a profile's state for the launcher's button, already worded in the agent's language. */
export const CompactStatus = z.object({
  tone: z.enum(['ok', 'warn', 'bad', 'neutral']),
  label: z.string().check(z.maxLength(40)),
});
export type CompactStatus = z.infer<typeof CompactStatus>;

/** Names one request of one content script, so that it can be cancelled. */
const CallId = z.string().check(z.minLength(1), z.maxLength(64));

/** What is to be synced: the company on screen, by the CRM's id and by the org id that it was found with. */
export const SyncTarget = z.object({
  ticket: TicketName,
  companyId: z.nullable(OrgId),
  bitrixId: z.string().check(z.minLength(1), z.maxLength(64), z.regex(/^\P{Cc}*$/u)),
});
export type SyncTarget = z.infer<typeof SyncTarget>;

/** The ticket's customer as the preview showed it, null for none: if another one is there by then, nothing is done. */
const CustomerName = z.nullable(z.string().check(z.maxLength(140)));

export const contentVerbs = {
  /** The profile of the ticket in the sender tab's own address. `maxAgeMs` lets a recent answer serve again. */
  'profile.get': {
    input: z.object({ ticket: TicketName, refresh: z.boolean(), call: CallId, maxAgeMs: z.number() }),
    output: ProfileResult,
  },
  /**
   * The same request as `profile.get` without refresh, answered in the few words that the launcher's button has room
   * for. `language` is the one that the page resolved: the background does not know the helpdesk's own.
   */
  'profile.peek': {
    input: z.object({ ticket: TicketName, call: CallId, language: UiLanguage }),
    output: CompactStatus,
  },
  /** The ticket was left: the request must not stay alive. */
  'profile.cancel': { input: z.object({ call: CallId }), output: z.null() },
  /** Why the ticket in the sender tab's own address went to its team. */
  'routing.get': { input: z.object({ ticket: TicketName, call: CallId }), output: RoutingResult },
  /** The explanation is not waited for any more. */
  'routing.cancel': { input: z.object({ call: CallId }), output: z.null() },
  /** What Sync customer would change. Writes nothing. */
  'sync.preview': { input: z.extend(SyncTarget, { call: CallId }), output: SyncResult },
  /** Syncs the ticket's customer with the company on screen. Only ever from the agent's own click. */
  'sync.apply': { input: z.extend(SyncTarget, { expectedCustomer: CustomerName }), output: SyncResult },
  /** Takes a sync back. Only ever from the agent's own click. */
  'sync.undo': {
    input: z.object({ ticket: TicketName, syncId: z.string().check(z.minLength(1), z.maxLength(64)) }),
    output: SyncResult,
  },
  /** The preview is not waited for any more. */
  'sync.cancel': { input: z.object({ call: CallId }), output: z.null() },
  /** What the launcher has to know, once per page. `pageLanguage`: the `<html lang>` of the helpdesk, empty without one. */
  'launcher.start': {
    input: z.object({ pageLanguage: z.string().check(z.maxLength(64)) }),
    output: z.object({ language: UiLanguage, texts: LauncherTexts }),
  },
  /** Injects the panel's script into the sender's tab. */
  'panel.inject': { input: z.object({}), output: z.boolean() },
  /** Interactive sign-in, from a click in the panel. True: signed in. */
  'session.signIn': { input: z.object({}), output: z.boolean() },
  'options.open': { input: z.object({}), output: z.null() },
  /** What the panel has to know of the settings: no address, no secret. */
  'panel.settings': { input: z.object({}), output: z.object({ language: Language, shortcut: z.nullable(z.string()) }) },
} as const;

export type ContentVerb = keyof typeof contentVerbs;
export type VerbInput<V extends ContentVerb> = z.input<(typeof contentVerbs)[V]['input']>;
export type VerbOutput<V extends ContentVerb> = z.output<(typeof contentVerbs)[V]['output']>;

/** What the background may tell a tab: the keyboard shortcut or the toolbar button was used. */
export const TabMessage = z.object({ deskside: z.literal('panel.toggle') });
export type TabMessage = z.infer<typeof TabMessage>;
