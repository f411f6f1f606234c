import { TicketName } from '@deskside/shared/contract';
import { SyncData } from '@deskside/shared/enrichment';
import { Conflict } from '@deskside/shared/envelope';
import { OrgId } from '@deskside/shared/orgid';
import { ProfileData } from '@deskside/shared/profile';
import { RoutingDecisions } from '@deskside/shared/routing';
import { errorCodes } from '@deskside/shared/status';
import * as z from 'zod/mini';
import { Language, UiLanguage } from '#settings/schema.ts';

/**
 * The closed list of requests that a content script may send to the background. They name intents; the background alone
 * decides on addresses, methods and headers, and takes the helpdesk's address from the sender, never from a payload.
 */

/** Every reason why the panel may get no answer; it has a text for each. */
export const panelErrorCodes = [
  ...errorCodes,
  'signed_out',
  'not_configured',
  'offline',
  'unreachable',
  'timeout',
  'other_user',
  'aborted',
  'bad_answer',
  'extension_updated',
] as const;
export const PanelErrorCode = z.enum(panelErrorCodes);
export type PanelErrorCode = z.infer<typeof PanelErrorCode>;

/** `conflict`: the two conflicting records, if the error is about a conflict. */
export const PanelError = z.object({
  code: PanelErrorCode,
  requestId: z.nullable(z.string()),
  conflict: z.optional(Conflict),
});
export type PanelError = z.infer<typeof PanelError>;

/** `receivedAt`: when the background received the answer, in epoch milliseconds. */
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

/** The launcher's texts. The background sends them, to keep the launcher small: it loads on every page. */
export const LauncherTexts = z.object({
  open: z.string(),
  actions: z.string(),
  refresh: z.string(),
  sync: z.string(),
  reload: z.string(),
});
export type LauncherTexts = z.infer<typeof LauncherTexts>;

/** Short form of a profile's status for the launcher's button, in the agent's language. */
export const CompactStatus = z.object({
  tone: z.enum(['ok', 'warn', 'bad', 'neutral']),
  label: z.string().check(z.maxLength(40)),
});
export type CompactStatus = z.infer<typeof CompactStatus>;

/** Identifies a request of a content script, so that it can be cancelled. */
const CallId = z.string().check(z.minLength(1), z.maxLength(64));

/** What to sync: the company on screen, identified by its CRM id and by the org id that it was found with. */
export const SyncTarget = z.object({
  ticket: TicketName,
  companyId: z.nullable(OrgId),
  bitrixId: z.string().check(z.minLength(1), z.maxLength(64), z.regex(/^\P{Cc}*$/u)),
});
export type SyncTarget = z.infer<typeof SyncTarget>;

/** A customer's name, null for none. */
const CustomerName = z.nullable(z.string().check(z.maxLength(140)));

export const contentVerbs = {
  /** The profile of the ticket that the sender's tab shows. `maxAgeMs`: how old a cached answer may be. */
  'profile.get': {
    input: z.object({ ticket: TicketName, refresh: z.boolean(), call: CallId, maxAgeMs: z.number() }),
    output: ProfileResult,
  },
  /**
   * Like `profile.get` without refresh, but answers only with the short status for the launcher's button. `language`: as
   * resolved for the page; the background does not know the helpdesk's language.
   */
  'profile.peek': {
    input: z.object({ ticket: TicketName, language: UiLanguage }),
    output: CompactStatus,
  },
  /** Cancels a `profile.get`. */
  'profile.cancel': { input: z.object({ call: CallId }), output: z.null() },
  /** The routing decisions on the ticket that the sender's tab shows. */
  'routing.get': { input: z.object({ ticket: TicketName, call: CallId }), output: RoutingResult },
  /** Cancels a `routing.get`. */
  'routing.cancel': { input: z.object({ call: CallId }), output: z.null() },
  /** What Sync customer would change. Writes nothing. `adopt`: the customer made by hand that is the company. */
  'sync.preview': { input: z.extend(SyncTarget, { call: CallId, adopt: CustomerName }), output: SyncResult },
  /**
   * Syncs the ticket's customer with the company on screen. Sent only for the agent's own click. `expectedCustomer`: the
   * ticket's customer as shown in the preview; if it has changed since, nothing is done.
   */
  'sync.apply': {
    input: z.extend(SyncTarget, { expectedCustomer: CustomerName, adopt: CustomerName }),
    output: SyncResult,
  },
  /** Undoes a sync. Sent only for the agent's own click. */
  'sync.undo': {
    input: z.object({ ticket: TicketName, syncId: z.string().check(z.minLength(1), z.maxLength(64)) }),
    output: SyncResult,
  },
  /** Cancels a `sync.preview`. */
  'sync.cancel': { input: z.object({ call: CallId }), output: z.null() },
  /** What the launcher needs, once per page. `pageLanguage`: the helpdesk's `<html lang>`, empty if it has none. */
  'launcher.start': {
    input: z.object({ pageLanguage: z.string().check(z.maxLength(64)) }),
    output: z.object({ language: UiLanguage, texts: LauncherTexts }),
  },
  /** Injects the panel's script into the sender's tab. */
  'panel.inject': { input: z.object({}), output: z.boolean() },
  /** Interactive sign-in, from a click in the panel. Null: signed in. */
  'session.signIn': { input: z.object({}), output: z.nullable(PanelErrorCode) },
  'options.open': { input: z.object({}), output: z.null() },
  /** The settings that the panel needs: no address, no secret. */
  'panel.settings': { input: z.object({}), output: z.object({ language: Language, shortcut: z.nullable(z.string()) }) },
} as const;

export type ContentVerb = keyof typeof contentVerbs;
export type VerbInput<V extends ContentVerb> = z.input<(typeof contentVerbs)[V]['input']>;
export type VerbOutput<V extends ContentVerb> = z.output<(typeof contentVerbs)[V]['output']>;

/** A message from the background to a tab: the keyboard shortcut or the toolbar button was used. */
export const TabMessage = z.object({ deskside: z.literal('panel.toggle') });
export type TabMessage = z.infer<typeof TabMessage>;
