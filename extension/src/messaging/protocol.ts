import { AroundTicket } from '@deskside/shared/around';
import { PageAnchor, PageAnchors } from '@deskside/shared/contract';
import { SyncData } from '@deskside/shared/enrichment';
import { Conflict } from '@deskside/shared/envelope';
import { FindData } from '@deskside/shared/find';
import { TicketName } from '@deskside/shared/input';
import { maxQueryLength, maxRejectionNote } from '@deskside/shared/limits';
import { OrgId } from '@deskside/shared/orgid';
import { ProfileData, RejectionReasonCode } from '@deskside/shared/profile';
import { RejectionData } from '@deskside/shared/reject-customer';
import { RoutingDecisions } from '@deskside/shared/routing';
import { ErrorCode } from '@deskside/shared/status';
import * as z from 'zod/mini';
import { PanelLayout, UiLanguage } from './settings.ts';

/**
 * The closed list of requests that a content script may send to the background. They name intents; the background alone
 * decides on addresses, methods and headers, and takes the helpdesk's address from the sender, never from a payload.
 */

/** Every reason why the panel may get no answer; it has a text for each. */
export const panelErrorCodes = [
  ...ErrorCode.options,
  'signed_out',
  'not_configured',
  'offline',
  'unreachable',
  'timeout',
  'other_user',
  'aborted',
  'bad_answer',
  'extension_updated',
  'access_withheld',
] as const;
export const PanelErrorCode = z.enum(panelErrorCodes);
export type PanelErrorCode = z.infer<typeof PanelErrorCode>;

/** `conflict`: the two conflicting records, if the error is about a conflict. */
export const PanelError = z.object({ code: PanelErrorCode, conflict: z.optional(Conflict) });
export type PanelError = z.infer<typeof PanelError>;

export type Result<T> = { ok: true; data: T } | { ok: false; error: PanelError };
export const resultOf = <T extends z.ZodMiniType>(data: T) =>
  z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), data }),
    z.object({ ok: z.literal(false), error: PanelError }),
  ]);

/** The launcher's texts. The background sends them, to keep the launcher small: it loads on every page. */
export const LauncherTexts = z.object({
  open: z.string(),
  actions: z.string(),
  refresh: z.string(),
  sync: z.string(),
  reload: z.string(),
  /** Empty for whoever may not see the Team page. */
  team: z.string(),
});
export type LauncherTexts = z.infer<typeof LauncherTexts>;

export const Speech = z.object({ language: UiLanguage, texts: LauncherTexts });
export type Speech = z.infer<typeof Speech>;

/** Short form of a profile's status for the launcher's button, in the agent's language. */
export const CompactStatus = z.object({
  tone: z.enum(['ok', 'warn', 'bad', 'neutral']),
  label: z.string().check(z.maxLength(40)),
  /** It tells of a failure, which may pass. */
  isFailure: z.optional(z.literal(true)),
});
export type CompactStatus = z.infer<typeof CompactStatus>;

/**
 * What to sync, in the words of the proxy's contract, as in all that goes on to it: the company on screen, identified by its CRM id and by the org id that it was found with. One that was
 * found in the helpdesk alone has no CRM id yet; the preview names it.
 */
export const SyncTarget = z.object({
  ticket: TicketName,
  company_id: z.nullable(OrgId),
  bitrix_id: z.nullable(z.string().check(z.minLength(1), z.maxLength(64), z.regex(/^\P{Cc}*$/u))),
});
export type SyncTarget = z.infer<typeof SyncTarget>;

const ExpectedCustomer = z.string().check(z.maxLength(140));
const AdoptedName = z.nullable(ExpectedCustomer);

export const contentVerbs = {
  /** The profile of the ticket that the sender's tab shows. `maxAgeMs`: how old a cached answer may be. */
  'profile.get': {
    input: z.object({ ticket: TicketName, refresh: z.boolean(), maxAgeMs: z.number() }),
    output: resultOf(ProfileData),
  },
  /**
   * Like `profile.get` without refresh, but answers only with the short status for the launcher's button. `isAgain`: for a
   * page that had one before, and that a kept answer serves only if it is of this moment.
   */
  'profile.peek': {
    input: z.object({ ticket: TicketName, isAgain: z.optional(z.boolean()) }),
    output: CompactStatus,
  },
  /** The ticket's profile without what the CRM says, while `profile.get` waits for that. */
  'profile.known': { input: z.object({ ticket: TicketName }), output: resultOf(ProfileData) },
  /** What the agent last saw of the ticket in this browser session, to be shown while `profile.get` is on its way. */
  'profile.last': {
    input: z.object({ ticket: TicketName }),
    // `receivedAt`: when the background received it, in epoch milliseconds.
    output: z.nullable(z.object({ profile: ProfileData, receivedAt: z.number() })),
  },
  'routing.get': { input: z.object({ ticket: TicketName }), output: resultOf(RoutingDecisions) },
  /** The other tickets of the customer of the ticket that the sender's tab shows. */
  'around.get': { input: z.object({ ticket: TicketName }), output: resultOf(AroundTicket) },
  /** Searches the companies that an agent may mean, for the ticket that the sender's tab shows; null: by its sender. */
  'find.search': {
    input: z.object({ ticket: TicketName, query: z.nullable(z.string().check(z.maxLength(maxQueryLength))) }),
    output: resultOf(FindData),
  },
  /** What Sync customer would change. Writes nothing. `adopt`: the customer made by hand that is the company. */
  'sync.preview': { input: z.extend(SyncTarget, { adopt: AdoptedName }), output: resultOf(SyncData) },
  /**
   * Syncs the ticket's customer with the company on screen. Sent only for the agent's own click. `expected_customer`: the
   * ticket's customer as shown in the preview, empty for none; if it has changed since, nothing is done. `reroute`: the ticket's team is decided
   * again.
   */
  'sync.apply': {
    input: z.extend(SyncTarget, { expected_customer: ExpectedCustomer, adopt: AdoptedName, reroute: z.boolean() }),
    output: resultOf(SyncData),
  },
  /** Undoes a sync. Sent only for the agent's own click. */
  'sync.undo': {
    input: z.object({ ticket: TicketName, sync_id: z.string().check(z.minLength(1), z.maxLength(64)) }),
    output: resultOf(SyncData),
  },
  /**
   * Says that the company on screen is not the ticket's customer. Sent only for the agent's own click, as is the undo.
   * `expected_customer`: the ticket's customer as shown, empty for none; if it has changed since, nothing is done.
   */
  'company.reject': {
    input: z.extend(SyncTarget, {
      expected_customer: ExpectedCustomer,
      reason: RejectionReasonCode,
      note: z.string().check(z.maxLength(maxRejectionNote)),
    }),
    output: resultOf(RejectionData),
  },
  'company.undoRejection': {
    input: z.object({ ticket: TicketName, rejection_id: z.string().check(z.minLength(1), z.maxLength(64)) }),
    output: resultOf(RejectionData),
  },
  /** What the launcher needs, once per page. */
  'launcher.start': {
    input: z.object({}),
    output: z.extend(Speech, { shortcut: z.nullable(z.string()), anchors: PageAnchors }),
  },
  'panel.inject': { input: z.object({}), output: z.boolean() },
  /** Interactive sign-in, from a click in the panel. Null: signed in. */
  'session.signIn': { input: z.object({}), output: z.nullable(PanelErrorCode) },
  /** The page of the ticket lacks what launcher or panel look for, and does not look as if it were still loading. */
  'page.anchorMissing': { input: z.object({ ticket: TicketName, anchor: PageAnchor }), output: z.null() },
  /** The page shows no ticket. Whom it shows still counts: nothing of somebody else is kept. */
  'session.seen': { input: z.object({}), output: z.null() },
  /**
   * Opens the page with the button that lets the browser ask for access to the helpdesk, where it withholds that. Sent only
   * for the agent's own click. False: it does not.
   */
  'access.ask': { input: z.object({}), output: z.boolean() },
  'team.open': { input: z.object({}), output: z.null() },
  /** Opens the ticket's customer on the extension's own page, from a click in the panel. */
  'customer.open': { input: z.object({ ticket: TicketName }), output: z.null() },
  'options.open': { input: z.object({}), output: z.null() },
  /** What the panel needs to know, no address and no secret. `layout`: the agent's own. */
  'panel.start': {
    input: z.object({}),
    output: z.object({ language: UiLanguage, layout: PanelLayout, shortcut: z.nullable(z.string()) }),
  },
  'layout.save': { input: z.object({ change: z.partial(PanelLayout) }), output: z.null() },
} as const;

export type ContentVerb = keyof typeof contentVerbs;
export type VerbInput<V extends ContentVerb> = z.input<(typeof contentVerbs)[V]['input']>;
export type VerbOutput<V extends ContentVerb> = z.output<(typeof contentVerbs)[V]['output']>;

/**
 * A message from the background to a tab: the keyboard shortcut or the toolbar button was used, the language or the operator's
 * selectors are now others, or another tab has written to a ticket.
 */
export type TabMessage =
  | { deskside: 'panel.toggle' }
  | ({ deskside: 'language' } & Speech)
  | { deskside: 'anchors'; anchors: PageAnchors }
  | { deskside: 'written'; ticket: string };
