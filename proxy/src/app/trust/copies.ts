import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#app/context.ts';
import { orderCandidates } from '#domain/intake/org-id-candidates.ts';
import { isSameSender } from '#domain/trust/sender.ts';
import {
  type InsertedTicket,
  mostVersions,
  type PipelineTicket,
  type TicketOriginal,
} from '#ports/helpdesk/helpdesk-tickets.ts';
import type { InsertedFor } from '#store/decisions/ticket-history.ts';
import type { Store } from '#store/store.ts';
import { insertedOf, isOriginal } from './set-by-person.ts';

// What the desk makes of tickets: a split or a copy vouches for no more than its original does (docs/routing.md#trust).

export interface CopyNeeds {
  helpdesk: Pick<
    Context['helpdesk'],
    'isDesk' | 'systemAccount' | 'findOriginals' | 'readPipelineTicket' | 'readVersions'
  >;
  decisions: Pick<Store['decisions'], 'insertedFor' | 'list'>;
}

/** How far a split is followed to what it was split from. */
const mostSplits = 5;

/**
 * What the desk may have copied a ticket from that it made; null where somebody else may have changed the text by which that
 * is told. Throws HelpdeskError.
 */
export async function findOriginals(
  ctx: CopyNeeds,
  ticket: PipelineTicket,
  inserted: InsertedTicket,
  signal: AbortSignal,
): Promise<TicketOriginal[] | null> {
  const isUnknown = await isRewritten(ctx, ticket.file.ticket.name, inserted.owner, signal);
  return isUnknown ? null : ctx.helpdesk.findOriginals(ticket, inserted, signal);
}

/**
 * Whether somebody else may have changed the text by which a copy is told. That the owner saved it last, however soon, says
 * nothing of who did before.
 */
async function isRewritten(ctx: CopyNeeds, ticket: string, owner: string, signal: AbortSignal): Promise<boolean> {
  const versions = await ctx.helpdesk.readVersions(ticket, signal);
  return versions.length >= mostVersions || versions.some(({ by, textChanged }) => textChanged && by !== owner);
}

/** Whether an org id on a ticket is a claim, as far as was judged of it. */
export async function isClaimOn(ctx: CopyNeeds, { name, orgIdFields }: TicketOriginal, orgId: OrgId): Promise<boolean> {
  const judged = (await ctx.decisions.list(name)).flatMap(({ inputs: { org_id } }) =>
    org_id?.value === orgId ? [org_id.trust?.level ?? 'claimed'] : [],
  );
  if (judged.length > 0) return !judged.includes('confirmed');
  return orderCandidates(orgIdFields, null).candidates.some((held) => held.orgId === orgId);
}

/**
 * Who the ticket was made for. A copy vouches for its sender no more than its original does. Throws HelpdeskError.
 *
 * @param originals as `findOriginals` gives them
 * @param splits how many were followed to get to it
 */
export async function senderOf(
  ctx: CopyNeeds,
  { raisedBy, splitFrom }: InsertedTicket,
  originals: TicketOriginal[] | null,
  signal: AbortSignal,
  splits = 0,
): Promise<InsertedFor> {
  if (originals === null) return { raisedBy, isCopied: true };
  for (const original of originals) {
    const { name, owner } = original;
    if (name !== splitFrom && !isSameSender(original.raisedBy, raisedBy)) continue;
    const recorded = await ctx.decisions.insertedFor(name);
    const isSplit = name === splitFrom;
    const first = recorded ?? (await originalSender(ctx, original, signal, isSplit ? splits + 1 : null));
    const isVouched =
      !first.isCopied && (isSameSender(owner, first.raisedBy) || (await ctx.helpdesk.isDesk(owner, signal)));
    if (!isVouched || !isSameSender(first.raisedBy, raisedBy)) return { raisedBy, isCopied: true };
  }
  return { raisedBy, isCopied: false };
}

/**
 * The same of an original that was not seen before what was made of it. What the desk split may be a copy itself, which the
 * text of the new one does not tell. `splits`: null where it was not split.
 */
async function originalSender(
  ctx: CopyNeeds,
  original: TicketOriginal,
  signal: AbortSignal,
  splits: number | null,
): Promise<InsertedFor> {
  if (splits === null || !(await ctx.helpdesk.isDesk(original.owner, signal)))
    return { raisedBy: await firstRaisedBy(ctx, original, signal), isCopied: false };
  // Nobody splits so often, but a sender can write anything into the field, in a circle too.
  if (splits > mostSplits) return { raisedBy: null, isCopied: true };
  const ticket = await ctx.helpdesk.readPipelineTicket(original.name, signal);
  const made = await insertedByLog(ctx, ticket, signal);
  const originals = isOriginal(ctx.helpdesk, made) ? [] : await findOriginals(ctx, ticket, made, signal);
  return senderOf(ctx, made, originals, signal, splits);
}

/**
 * As it was, as far as the helpdesk's log still tells: who it was for. Whose org id and group these are, it does not say.
 * A sender's own ticket needs no log.
 */
export async function insertedByLog(
  ctx: CopyNeeds,
  ticket: PipelineTicket,
  signal: AbortSignal,
): Promise<InsertedTicket> {
  const read = insertedOf(ticket);
  return { ...read, raisedBy: await firstRaisedBy(ctx, { ...read, name: ticket.file.ticket.name }, signal) };
}

/** Who a ticket was made for, by the log; null where that no longer tells. */
async function firstRaisedBy(
  ctx: CopyNeeds,
  { name, owner, raisedBy }: Pick<TicketOriginal, 'name' | 'owner' | 'raisedBy'>,
  signal: AbortSignal,
): Promise<string | null> {
  if (isSameSender(owner, raisedBy)) return raisedBy;
  const versions = await ctx.helpdesk.readVersions(name, signal);
  if (versions.length >= mostVersions) return null;
  const first = versions.findLast((version) => version.raisedBy !== undefined);
  return first?.raisedBy ? first.raisedBy.from : raisedBy;
}
