import type { Context } from '#app/context.ts';
import { orderCandidates } from '#domain/intake/org-id-candidates.ts';
import { isSameSender, senderAddress } from '#domain/trust/sender.ts';
import {
  type InsertedTicket,
  mostVersions,
  type PipelineTicket,
  type TicketOriginal,
} from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { FirstState } from '#store/decisions/ticket-history.ts';
import type { Store } from '#store/store.ts';
import { type CopyNeeds, findOriginals, insertedByLog, isClaimOn, senderOf } from './copies.ts';
import { insertedOf, isAsInserted, isOriginal, setByPerson } from './set-by-person.ts';

export interface FirstStateNeeds extends CopyNeeds {
  helpdesk: CopyNeeds['helpdesk'] & Pick<Context['helpdesk'], 'isAgent' | 'stampBefore'>;
  decisions: CopyNeeds['decisions'] &
    Pick<Store['decisions'], 'firstState' | 'keepFirstState' | 'preliminary' | 'inserted'>;
  /** An agent's entry is a later word than any rejection (docs/decisions.md 28). */
  rejections: Pick<Store['rejections'], 'lift'>;
  clock: Clock;
}

/** The log of each ticket is read once, whatever asks for it. */
function withLogsOnce(ctx: FirstStateNeeds): FirstStateNeeds {
  const logs = new Map<string, ReturnType<typeof ctx.helpdesk.readVersions>>();
  const readVersions: typeof ctx.helpdesk.readVersions = (ticket, signal) => {
    const log = logs.get(ticket) ?? ctx.helpdesk.readVersions(ticket, signal);
    logs.set(ticket, log);
    return log;
  };
  return { ...ctx, helpdesk: { ...ctx.helpdesk, readVersions } };
}

/**
 * What a ticket was like when the service first saw it: recorded before we write anything, because afterwards it is no
 * longer possible to tell who wrote what. What came with the insert is what the signed webhook says, else what a reading
 * says before anybody wrote to the ticket again. Throws HelpdeskError.
 */
export async function recordFirstState(
  given: FirstStateNeeds,
  ticket: PipelineTicket,
  signal: AbortSignal,
): Promise<FirstState> {
  const { name, customer, agentGroup } = ticket.file.ticket;
  const known = await given.decisions.firstState(name, ticket.creation);
  if (known !== null) return known;
  const ctx = withLogsOnce(given);
  const inserted = (await ctx.decisions.inserted(name, ticket.creation)) ?? (await insertedAsRead(ctx, ticket, signal));
  const made = inserted ?? (await insertedByLog(ctx, ticket, signal));
  const mayBeCopy = !isOriginal(ctx.helpdesk, made) && (await ctx.helpdesk.isDesk(made.owner, signal));
  const originals = mayBeCopy ? await findOriginals(ctx, ticket, made, signal) : [];
  const isBare = agentGroup === null && Object.keys(ticket.filled).length === 0;
  const byDesk = !isBare && (await setByPerson(ctx.helpdesk, ticket, signal));
  const firstState = {
    ticket: name,
    creation: ticket.creation,
    customer,
    entered: inserted && (await enteredByAgent(ctx, inserted, originals, signal)),
    groupSetBy: await groupSetBy(ctx, ticket, inserted, byDesk, signal),
    sender:
      originals?.length === 0
        ? { raisedBy: made.raisedBy, isCopied: false }
        : await senderOf(ctx, made, originals, signal),
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
  if (isSameSender(owner, raisedBy) && !(await ctx.helpdesk.isDesk(owner, signal))) return read;
  // Its sender may have written to it before the desk did again.
  const versions = await ctx.helpdesk.readVersions(ticket.file.ticket.name, signal);
  return versions.length < mostVersions && versions.every(({ by }) => by === owner) ? read : null;
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
