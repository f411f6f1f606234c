import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#app/context.ts';
import { orderCandidates } from '#domain/intake/org-id-candidates.ts';
import { senderAddress } from '#domain/trust/sender.ts';
import {
  type InsertedTicket,
  mostVersions,
  type PipelineTicket,
  type TicketOriginal,
} from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { FirstState, InsertedFor } from '#store/decisions/ticket-history.ts';
import type { Store } from '#store/store.ts';
import { isAsInserted, setByPerson } from './set-by-person.ts';

export interface FirstStateNeeds {
  helpdesk: Pick<
    Context['helpdesk'],
    'isAgent' | 'isDesk' | 'systemAccount' | 'stampBefore' | 'findOriginals' | 'readPipelineTicket' | 'readVersions'
  >;
  decisions: Pick<
    Store['decisions'],
    'firstState' | 'keepFirstState' | 'preliminary' | 'inserted' | 'insertedFor' | 'list'
  >;
  /** An agent's entry is a later word than any rejection (docs/decisions.md 28). */
  rejections: Pick<Store['rejections'], 'lift'>;
  clock: Clock;
}

/** How far a split is followed to what it was split from. */
const mostSplits = 5;

/**
 * What a ticket was like when the service first saw it: recorded before we write anything, because afterwards it is no
 * longer possible to tell who wrote what. What came with the insert is what the signed webhook says, else what a reading
 * says before anybody wrote to the ticket again. Throws HelpdeskError.
 */
export async function recordFirstState(
  ctx: FirstStateNeeds,
  ticket: PipelineTicket,
  signal: AbortSignal,
): Promise<FirstState> {
  const { name, customer, agentGroup } = ticket.file.ticket;
  const known = await ctx.decisions.firstState(name, ticket.creation);
  if (known !== null) return known;
  const inserted = (await ctx.decisions.inserted(name, ticket.creation)) ?? (await insertedAsRead(ctx, ticket, signal));
  const made = inserted ?? (await insertedByLog(ctx, ticket, signal));
  const originals = await findOriginals(ctx, ticket, made, signal);
  const isBare = agentGroup === null && Object.keys(ticket.filled).length === 0;
  const byDesk = !isBare && (await setByPerson(ctx.helpdesk, ticket, signal));
  const firstState = {
    ticket: name,
    creation: ticket.creation,
    customer,
    entered: inserted && (await enteredByAgent(ctx, inserted, originals, signal)),
    groupSetBy: await groupSetBy(ctx, ticket, inserted, byDesk, signal),
    sender: await senderOf(ctx, made, originals, signal),
    filled: byDesk ? ticket.filled : {},
  };
  if (firstState.entered !== null) {
    const match = { ticket: name, sender: senderAddress(ticket.file.ticket.origin), crmCompanyId: null };
    await ctx.rejections.lift({ ...match, orgId: firstState.entered.orgId }, name, ctx.clock());
  }
  await ctx.decisions.keepFirstState(firstState, ctx.clock());
  return (await ctx.decisions.firstState(name, ticket.creation)) ?? firstState;
}

/** The ticket as it is, if only its creator has written to it, and only while inserting it. */
async function insertedAsRead(
  ctx: FirstStateNeeds,
  ticket: PipelineTicket,
  signal: AbortSignal,
): Promise<InsertedTicket | null> {
  const read = insertedOf(ticket);
  const { owner, raisedBy } = read;
  if (!isAsInserted(ctx.helpdesk, ticket) || ticket.modifiedBy !== owner) return null;
  if (isSame(owner, raisedBy) && !(await ctx.helpdesk.isDesk(owner, signal))) return read;
  // Its sender may have written to it before the desk did again.
  const versions = await ctx.helpdesk.readVersions(ticket.file.ticket.name, signal);
  return versions.length < mostVersions && versions.every(({ by }) => by === owner) ? read : null;
}

/**
 * As it was, as far as the helpdesk's log still tells: who it was for. Whose org id and group these are, it does not say.
 * A sender's own ticket needs no log.
 */
async function insertedByLog(
  ctx: FirstStateNeeds,
  ticket: PipelineTicket,
  signal: AbortSignal,
): Promise<InsertedTicket> {
  const read = insertedOf(ticket);
  return { ...read, raisedBy: await firstRaisedBy(ctx, { ...read, name: ticket.file.ticket.name }, signal) };
}

/** Who a ticket was made for, by the log; null where that no longer tells. */
async function firstRaisedBy(
  ctx: FirstStateNeeds,
  { name, owner, raisedBy }: Pick<TicketOriginal, 'name' | 'owner' | 'raisedBy'>,
  signal: AbortSignal,
): Promise<string | null> {
  if (isSame(owner, raisedBy)) return raisedBy;
  const versions = await ctx.helpdesk.readVersions(name, signal);
  if (versions.length >= mostVersions) return null;
  const first = versions.findLast((version) => version.raisedBy !== undefined);
  return first?.raisedBy ? first.raisedBy.from : raisedBy;
}

/**
 * What the desk may have copied the ticket from; null where somebody else may have changed the text by which that is told.
 * A sender's own ticket is nobody's copy.
 */
async function findOriginals(
  ctx: FirstStateNeeds,
  ticket: PipelineTicket,
  inserted: InsertedTicket,
  signal: AbortSignal,
): Promise<TicketOriginal[] | null> {
  const { owner, raisedBy, splitFrom, orgIdFields } = inserted;
  const [own] = orderCandidates(orgIdFields, null).candidates;
  const isNew = splitFrom === null && (owner === ctx.helpdesk.systemAccount || (!own && isSame(owner, raisedBy)));
  if (isNew || !(await ctx.helpdesk.isDesk(owner, signal))) return [];
  const { name } = ticket.file.ticket;
  return (await isRewritten(ctx, name, owner, signal)) ? null : ctx.helpdesk.findOriginals(ticket, inserted, signal);
}

/**
 * The agent who created the ticket with its org id (docs/decisions.md 9): who made the value, not who copied what a
 * sender had claimed.
 */
async function enteredByAgent(
  ctx: FirstStateNeeds,
  { owner, orgIdFields, splitFrom }: InsertedTicket,
  originals: TicketOriginal[] | null,
  signal: AbortSignal,
): Promise<FirstState['entered']> {
  const [own] = orderCandidates(orgIdFields, null).candidates;
  if (own === undefined || splitFrom !== null || originals === null) return null;
  if (!(await ctx.helpdesk.isAgent(owner, signal))) return null;
  for (const original of originals) if (await isClaimOn(ctx, original, own.orgId)) return null;
  return { agent: owner, orgId: own.orgId };
}

/**
 * Whether somebody else may have changed the text by which a copy is told. That the owner saved it last, however soon, says
 * nothing of who did before.
 */
async function isRewritten(ctx: FirstStateNeeds, ticket: string, owner: string, signal: AbortSignal): Promise<boolean> {
  const versions = await ctx.helpdesk.readVersions(ticket, signal);
  return versions.length >= mostVersions || versions.some(({ by, textChanged }) => textChanged && by !== owner);
}

async function isClaimOn(ctx: FirstStateNeeds, { name, orgIdFields }: TicketOriginal, orgId: OrgId): Promise<boolean> {
  const judged = (await ctx.decisions.list(name)).flatMap(({ inputs: { org_id } }) =>
    org_id?.value === orgId ? [org_id.trust?.level ?? 'claimed'] : [],
  );
  if (judged.length > 0) return !judged.includes('confirmed');
  return orderCandidates(orgIdFields, null).candidates.some((held) => held.orgId === orgId);
}

/**
 * Who the ticket was made for. A copy vouches for its sender no more than its original does. `splits`: how many were followed
 * to get to it.
 */
async function senderOf(
  ctx: FirstStateNeeds,
  { raisedBy, splitFrom }: InsertedTicket,
  originals: TicketOriginal[] | null,
  signal: AbortSignal,
  splits = 0,
): Promise<InsertedFor> {
  if (originals === null) return { raisedBy, isCopied: true };
  for (const original of originals) {
    const { name, owner } = original;
    if (name !== splitFrom && !isSame(original.raisedBy, raisedBy)) continue;
    const recorded = await ctx.decisions.insertedFor(name);
    const isSplit = name === splitFrom;
    const first = recorded ?? (await originalSender(ctx, original, signal, isSplit ? splits + 1 : null));
    const isVouched = !first.isCopied && (isSame(owner, first.raisedBy) || (await ctx.helpdesk.isDesk(owner, signal)));
    if (!isVouched || !isSame(first.raisedBy, raisedBy)) return { raisedBy, isCopied: true };
  }
  return { raisedBy, isCopied: false };
}

/**
 * The same of an original that was not seen before what was made of it. What the desk split may be a copy itself, which the
 * text of the new one does not tell. `splits`: null where it was not split.
 */
async function originalSender(
  ctx: FirstStateNeeds,
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
  return senderOf(ctx, made, await findOriginals(ctx, ticket, made, signal), signal, splits);
}

async function groupSetBy(
  ctx: FirstStateNeeds,
  { key, file }: PipelineTicket,
  inserted: InsertedTicket | null,
  byDesk: boolean,
  signal: AbortSignal,
): Promise<FirstState['groupSetBy']> {
  const { agentGroup } = file.ticket;
  if (agentGroup === null) return null;
  const preliminary = key === null ? null : await ctx.decisions.preliminary(key);
  if (preliminary !== null && preliminary.team === agentGroup) return 'deskside';
  // A later save by somebody else does not make it theirs.
  const isInserted = inserted?.agentGroup === agentGroup;
  return (isInserted ? await ctx.helpdesk.isDesk(inserted.owner, signal) : byDesk) ? 'person' : 'sender';
}

function isSame(a: string | null, b: string | null): boolean {
  return senderAddress({ raisedBy: a }) === senderAddress({ raisedBy: b });
}

function insertedOf({ file: { ticket }, creation, splitFrom }: PipelineTicket): InsertedTicket {
  const { origin, agentGroup, orgIdFields } = ticket;
  const ids = orgIdFields.map(({ field, value }) => ({ field, value: value ? String(value) : null }));
  return { creation, owner: origin.owner, raisedBy: origin.raisedBy, agentGroup, splitFrom, orgIdFields: ids };
}
