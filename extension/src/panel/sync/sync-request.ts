import type { AdoptionCandidate, SyncAction, SyncData } from '@deskside/shared/enrichment';
import type { ProfileData } from '@deskside/shared/profile';
import type { Result, SyncTarget } from '#messaging/protocol.ts';
import { ask, failed } from '#panel/query/ask.ts';

/** The company of a profile that can be synced; null without a company and for old data. */
export function syncTarget({ ticket, bitrix }: ProfileData): SyncTarget | null {
  const { company, status, outcome, stale, lookup_value } = bitrix;
  if (!company || stale || outcome !== 'matched' || (status !== 'matched' && status !== 'cached')) return null;
  return { ticket: ticket.name, companyId: lookup_value, bitrixId: company.bitrix_id };
}

/** The ticket's own customer, if somebody made it by hand and the agent may say that it is the company. */
export function ownByHand(candidates: readonly AdoptionCandidate[] = []): string | null {
  return candidates.find(({ of_ticket, may_adopt }) => of_ticket && may_adopt)?.name ?? null;
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
  const own = adopt === null && result.ok ? ownByHand(result.data.adoptable) : null;
  return own === null ? of('preview', result) : previewSync(target, own, signal);
}

/** Applies a sync, if the ticket still has the customer shown in the preview. Never throws. */
export async function applySync(
  target: SyncTarget,
  how: { adopt: string | null; expectedCustomer: string | null; reroute: boolean },
): Promise<Result<SyncData>> {
  return of('apply', await ask('sync.apply', { ...target, ...how }));
}

/** Undoes a sync. Never throws. */
export async function undoSync(ticket: string, syncId: string): Promise<Result<SyncData>> {
  return of('undo', await ask('sync.undo', { ticket, syncId }));
}

/** Refuses an answer about another action (docs/decisions.md 13). */
function of(action: SyncAction, result: Result<SyncData>): Result<SyncData> {
  return result.ok && result.data.action !== action ? failed('bad_answer') : result;
}
