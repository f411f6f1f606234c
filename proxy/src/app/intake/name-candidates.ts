import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#app/context.ts';
import { carriedOrgIds } from '#app/customer/carried-org-ids.ts';
import { earlierChoices, standingRejections } from '#app/trust/sender-memory.ts';
import type { Candidate } from '#domain/intake/org-id-candidates.ts';
import { chosenFirst, isRejected } from '#domain/trust/agents-word.ts';
import type { HelpdeskTickets, PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import { type Intake, intakeTicket } from './intake-ticket.ts';

/** The org ids that a ticket names, in its fields, its customer or its text. */
interface NamedCandidates {
  /** In the order in which to try them, without those that agents have rejected. */
  candidates: Candidate[];
  /** What intake found; nothing where it was not asked, or found a rejected company. */
  found: Intake;
  /** The one that intake found, which is among the candidates; null if it is none of them. */
  fromIntake: Candidate | null;
  /** Whose the domain is that intake found, as far as that is known. */
  domainOf: Candidate | null;
  /** Those that agents have rejected. */
  rejected: OrgId[];
}

export type NameNeeds = Pick<Context, 'metaQueue' | 'hosts' | 'decisions' | 'rejections' | 'syncLog'> & {
  helpdesk: Pick<HelpdeskTickets, 'readFirstMessage'>;
};

/** How long a decision waits for all addresses that its ticket names, in milliseconds. */
const patienceMs = 2_000;

const nothingFound: Intake = { orgId: null, platformDomain: null, findings: [], metaFailures: [], failed: false };

/** Throws HelpdeskError; whatever a shop's address does is part of the result. */
export async function nameCandidates(
  ctx: NameNeeds,
  ticket: PipelineTicket,
  signal: AbortSignal,
): Promise<NamedCandidates> {
  const { file } = ticket;
  const rejections = await standingRejections(ctx, file.ticket);
  const isOut = (candidate: Candidate) => isRejected(idsOf(candidate), rejections);
  const carried = (await carriedOrgIds(ctx.decisions, file)).candidates;
  const kept = carried.filter((candidate) => !isOut(candidate));
  // A ticket without an org id may still name a shop, and not the one of its customer.
  const own = kept[0]?.source === 'ticket' ? kept[0] : null;
  const read =
    own === null ? await intakeInTime(ctx, ticket, {}, signal) : await domainBeside(ctx, own, ticket, signal);
  const inText = candidateOf(read);
  const fromIntake = inText !== null && isOut(inText) ? null : inText;
  const all = fromIntake === null ? kept : [fromIntake, ...kept];
  const choices = all.length > 1 ? await earlierChoices(ctx, file.ticket) : [];
  return {
    candidates: chosenFirst(all, choices, idsOf),
    found: inText === fromIntake ? read : { ...nothingFound, metaFailures: read.metaFailures },
    fromIntake,
    domainOf: own ?? fromIntake,
    rejected: [...carried, ...(inText ? [inText] : [])].filter(isOut).map(({ orgId }) => orgId),
  };
}

/** A ticket that has an org id wants no more than its shop's domain, as the store address has it. */
async function domainBeside(
  ctx: NameNeeds,
  { orgId }: Candidate,
  ticket: PipelineTicket,
  signal: AbortSignal,
): Promise<Intake> {
  if (ticket.platformDomain !== null) return nothingFound;
  const { findings, ...said } = await intakeInTime(ctx, ticket, { storesOnly: true }, signal);
  if (said.orgId !== null && said.orgId !== orgId) return nothingFound;
  const { platformDomain } = said;
  return { ...nothingFound, platformDomain, findings: findings.filter(({ value }) => value === platformDomain) };
}

/**
 * A decision that was made without an address's answer is made again as soon as that has come
 * (docs/routing.md#repair).
 */
function intakeInTime(
  ctx: NameNeeds,
  ticket: PipelineTicket,
  options: { storesOnly?: boolean },
  signal: AbortSignal,
): Promise<Intake> {
  const storeMeta = ctx.metaQueue.of(ticket.file.ticket.name);
  return intakeTicket({ ...ctx, storeMeta }, ticket, { ...options, withinMs: patienceMs }, signal);
}

function idsOf({ orgId }: Candidate) {
  return { orgId, crmCompanyId: null };
}

function candidateOf({ orgId, findings }: Intake): Candidate | null {
  if (orgId === null) return null;
  const finding = findings.find(({ kind, value }) => kind === 'org_id' && value === orgId);
  return { orgId, source: 'ticket', field: finding?.field ?? 'text' };
}
