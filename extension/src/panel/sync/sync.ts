import type { AdoptionCandidate, SyncAction, SyncData } from '@deskside/shared/enrichment';
import type { ProfileData } from '@deskside/shared/profile';
import { capitalized, labelFor, list } from '#i18n/format.ts';
import type { PanelError, Result, SyncTarget } from '#messaging/protocol.ts';
import { ask, failed } from '#panel/query/ask.ts';
import { crmAbsent, failureKinds } from '#panel/status/failure.ts';
import { siteTime } from '#panel/status/freshness.ts';
import type { Message } from '#panel/texts/status.ts';
import type { Texts } from '#panel/texts/texts.ts';
import type { ShownTrust } from '#status/status.ts';

/** The company of a profile that can be written; null without a company and for old data. */
export function syncTarget({ ticket, bitrix }: ProfileData): SyncTarget | null {
  const { company, status, outcome, stale, lookup_value } = bitrix;
  if (!company || stale || outcome !== 'matched' || (status !== 'matched' && status !== 'cached')) return null;
  return { ticket: ticket.name, company_id: lookup_value, bitrix_id: company.bitrix_id };
}

/**
 * The ticket's own customer, if somebody made it by hand, the agent may say that it is the company, and nobody outside the desk
 * holds it: else a new one is proposed first.
 */
export function ownByHand(candidates: readonly AdoptionCandidate[] = []): string | null {
  const ofTicket = candidates.find(({ of_ticket, may_adopt }) => of_ticket && may_adopt);
  return ofTicket?.outsiders.length === 0 ? ofTicket.name : null;
}

/**
 * Requests the preview of a sync, of adopting a customer made by hand if one is named; else of adopting the ticket's own if
 * that may be: there is to be no second customer beside it. Answers with the code `aborted` when the signal aborts. Never
 * throws.
 */
export async function previewSync(
  target: SyncTarget,
  adopt: string | null,
  signal: AbortSignal,
): Promise<Result<SyncData>> {
  const result = await ask('sync.preview', { ...target, adopt }, signal);
  if (signal.aborted) return failed('aborted');
  const byHand = adopt === null && result.ok ? ownByHand(result.data.adoptable) : null;
  return byHand === null ? of('preview', result) : previewSync(target, byHand, signal);
}

/** Applies what was previewed, if the ticket still has the customer shown there. Never throws. */
export async function applySync(target: SyncTarget, previewed: SyncData, reroute: boolean): Promise<Result<SyncData>> {
  // What the preview showed is what is agreed to, also where it was not known before which company that is.
  const bitrix_id = target.bitrix_id ?? previewed.company?.id ?? null;
  const how = { expected_customer: previewed.ticket.customer ?? '', adopt: adoptedIn(previewed), reroute };
  return of('apply', await ask('sync.apply', { ...target, bitrix_id, ...how }));
}

export async function undoSync(ticket: string, sync_id: string): Promise<Result<SyncData>> {
  return of('undo', await ask('sync.undo', { ticket, sync_id }));
}

/** Refuses an answer about another action (decision 16: checked names). */
function of(action: SyncAction, result: Result<SyncData>): Result<SyncData> {
  return result.ok && result.data.action !== action ? failed('bad_answer') : result;
}

/** The customer made by hand that would be the company. */
export function adoptedIn({ customer }: SyncData): string | null {
  return customer?.adopted ? customer.name : null;
}

/** What a preview would do, in one sentence; empty for nothing. Where the trust is not confirmed, the sync confirms it. */
export function previewSentence({ ticket, customer, changes }: SyncData, trust: ShownTrust, t: Texts): string {
  const { will } = t.sync;
  if (!customer) return '';
  const { name, created, adopted } = customer;
  const isLinked = ticket.previous_customer === name;
  const does: string[] = [];
  if (trust !== 'confirmed') does.push(will.confirm);
  if (created) does.push(will.create(name, changes.length));
  if (adopted) does.push(will.adopt(name));
  if (!isLinked) does.push(will.link(created || adopted ? null : name, ticket.previous_customer));
  if (!created && changes.length > 0) does.push(will.update(changes.length, isLinked && !adopted ? name : null));
  const sentence = list(t.language, does);
  return sentence && `${capitalized(t.language, sentence)}.`;
}

export function doneSentence({ ticket, team }: SyncData, { sync: { done } }: Texts): string {
  // Only what was asked for has an answer.
  const sent = team === undefined ? '' : team === null ? done.stayed : done.rerouted(team);
  return [done.linked(ticket.customer ?? ''), sent].filter(Boolean).join(' ');
}

/** The fields of the customer's record that a preview would write, with what they hold now. */
export function writtenFields(
  { changes }: SyncData,
  t: Texts,
): { label: string; from: string | null; to: string | null }[] {
  const order = Object.keys(t.sync.field);
  const placeOf = (field: string) => (order.includes(field) ? order.indexOf(field) : order.length);
  const shown = (field: string, value: string | null) => value && formatValue(field, value, t);
  return changes
    .toSorted((a, b) => placeOf(a.field) - placeOf(b.field))
    .map(({ field, from, to }) => ({
      label: labelFor(t.sync.field, field),
      from: shown(field, from),
      to: shown(field, to),
    }));
}

function formatValue(field: string, value: string, t: Texts): string {
  if (field === 'custom_crm_sync_status') return labelFor(t.sync.status, value);
  if (field === 'custom_crm_match_confidence') return `${value}%`;
  return siteTime(value, t) ?? value;
}

/** Why something was not done: an error, or a CRM look-up without a company. */
export interface SyncFailure {
  action: SyncAction;
  error: PanelError | null;
  status: SyncData['status'] | null;
}

/** The failure in a result, null if it succeeded. */
export function syncFailure(action: SyncAction, result: Result<SyncData>): SyncFailure | null {
  if (!result.ok) return { action, error: result.error, status: null };
  const { status } = result.data;
  return status === 'matched' || status === 'cached' ? null : { action, error: null, status };
}

export function syncFailureMessage({ action, error, status }: SyncFailure, t: Texts): Message {
  if (error === null) {
    const isUnknown = status === 'not_found' || status === 'missing_orgid';
    const why = crmAbsent(status, t) ?? (isUnknown ? t.crm.notLinked : t.crm.unknownError);
    return { title: t.sync.failed, body: `${why}.` };
  }
  return failureMessage(error, action !== 'preview', t);
}

/** An account, or whoever it stands for. */
export function readerName(account: string, { everyVisitor, everyAccount }: Texts['failures']): string {
  if (account === 'Guest') return everyVisitor;
  return account === 'everyone' ? everyAccount : account;
}

/** Why something was not read or, if `isWrite`, not written: that may have been done all the same. */
export function failureMessage(error: PanelError, isWrite: boolean, t: Texts): Message {
  const { title, body } = t.failures.code[error.code];
  const { code, found } = error.conflict ?? {};
  const why = code === 'read_by_other' ? t.failures.readBy : code === 'write_refused' ? t.failures.refused : null;
  const who = code === 'read_by_other' && found ? readerName(found, t.failures) : found;
  const mayBeDone = isWrite && failureKinds[error.code].isUnsure ? t.sync.unsure : null;
  return { title, body: [why && who ? why(who) : body, mayBeDone].filter(Boolean).join(' ') };
}

/** What the agent can do: refresh the profile, request the preview again, or nothing. */
export function syncRemedy({ action, error, status }: SyncFailure): 'refresh' | 'again' | null {
  if (error?.code === 'identity_conflict' || error?.code === 'changed_since' || status === 'not_found')
    return 'refresh';
  const { stays, forAdministrator } = error ? failureKinds[error.code] : {};
  if (action === 'undo' || stays || forAdministrator) return null;
  return error || status === 'error' ? 'again' : null;
}

/** Whether the sync can never be undone. */
export function endsUndo({ error }: SyncFailure): boolean {
  return error?.code === 'sync_not_found' || error?.code === 'changed_since';
}
