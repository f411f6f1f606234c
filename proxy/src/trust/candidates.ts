import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { Context, Work } from '#context.ts';
import type { PipelineTicket, TicketFile } from '#helpdesk/tickets.ts';
import { type Intake, intakeTicket } from '#intake/intake-ticket.ts';
import { type Candidate, type Candidates, orderCandidates } from '#intake/org-id.ts';
import * as decisions from '#store/decisions.ts';
import { type Rejection, standing } from '#store/rejections.ts';
import { hasGiven } from './claims.ts';
import { chosenFirst, isRejected } from './companies.ts';
import { earlierChoices, senderAddress } from './evidence.ts';

/**
 * The org ids that a ticket and its customer carry, in order. What stands in one of the ticket's former fields because we
 * copied it there is none of its own: it goes by what the current field says by now (docs/decisions.md 5).
 */
export async function carriedOrgIds({ db }: Context, { ticket, customer }: TicketFile): Promise<Candidates> {
  const { orgIdFields } = ticket;
  const current = orgIdFields.find(({ kind }) => kind === 'current');
  if (current === undefined) return orderCandidates(orgIdFields, customer);
  const now = parseOrgId(current.value);
  const differs = orgIdFields.some(({ value }) => (parseOrgId(value) ?? now) !== now);
  const decided = differs ? await decisions.list(db, ticket) : [];
  const isCopy = (value: OrgId | null) =>
    value !== null && (value === now || decided.some((decision) => hasGiven(decision, value)));
  const own = orgIdFields.filter(({ kind, value }) => kind === 'current' || !isCopy(parseOrgId(value)));
  return orderCandidates(own, customer);
}

/** The org ids that a ticket and its customer carry, what agents chose first, without what they have rejected. */
export async function candidatesOf(
  ctx: Context,
  file: TicketFile,
): Promise<Candidates & { rejections: Rejection[]; rejected: OrgId[] }> {
  const { candidates, unusable } = await carriedOrgIds(ctx, file);
  const [rejections, choices] = await Promise.all([
    standing(ctx.db, file.ticket, senderAddress(file.ticket.origin)),
    candidates.length > 1 ? earlierChoices(ctx, file.ticket) : [],
  ]);
  const [kept, out] = parted(candidates, rejections);
  return { candidates: chosenFirst(kept, choices, idsOf), unusable, rejections, rejected: out };
}

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

const nothingFound: Intake = { orgId: null, platformDomain: null, findings: [], metaFailures: [], failed: false };

/**
 * The candidates for a decision: those that `candidatesOf` has, and the one that intake finds for a ticket that carries
 * none. Throws HelpdeskError; whatever a shop's address does is part of the result.
 */
export async function candidatesWithIntake(ctx: Work, ticket: PipelineTicket): Promise<NamedCandidates> {
  const { file } = ticket;
  const { candidates: kept, rejections, rejected } = await candidatesOf(ctx, file);
  // A ticket without an org id may still name a shop, and not the one of its customer.
  const own = kept.find(({ source }) => source === 'ticket') ?? null;
  const read =
    own === null
      ? await intakeTicket(ctx, ticket, { forDecision: true }, ctx.signal)
      : await domainBeside(ctx, own, ticket);
  const inText = candidateOf(read);
  const [fromIntake = null] = parted(inText ? [inText] : [], rejections)[0];
  const choices = fromIntake !== null && kept.length > 0 ? await earlierChoices(ctx, file.ticket) : [];
  return {
    candidates: fromIntake === null ? kept : chosenFirst([fromIntake, ...kept], choices, idsOf),
    found: inText === fromIntake ? read : { ...nothingFound, metaFailures: read.metaFailures },
    fromIntake,
    domainOf: own ?? fromIntake,
    rejected: inText === fromIntake ? rejected : [...rejected, ...(inText ? [inText.orgId] : [])],
  };
}

/** A ticket that has an org id wants no more than its shop's domain, as the store address has it. */
async function domainBeside(ctx: Work, { orgId }: Candidate, ticket: PipelineTicket): Promise<Intake> {
  if (ticket.platformDomain !== null) return nothingFound;
  const { findings, ...said } = await intakeTicket(ctx, ticket, { storesOnly: true }, ctx.signal);
  if (said.orgId !== null && said.orgId !== orgId) return nothingFound;
  const { platformDomain } = said;
  return { ...nothingFound, platformDomain, findings: findings.filter(({ value }) => value === platformDomain) };
}

function candidateOf({ orgId, findings }: Intake): Candidate | null {
  if (orgId === null) return null;
  const finding = findings.find(({ kind, value }) => kind === 'org_id' && value === orgId);
  return { orgId, source: 'ticket', field: finding?.field ?? 'text' };
}

/** Those that stand, and the org ids of those that agents have rejected. */
function parted(candidates: readonly Candidate[], rejections: readonly Rejection[]): [Candidate[], OrgId[]] {
  const isOut = (one: Candidate) => isRejected(idsOf(one), rejections);
  return [candidates.filter((one) => !isOut(one)), candidates.filter(isOut).map(({ orgId }) => orgId)];
}

function idsOf({ orgId }: Candidate) {
  return { orgId, crmCompanyId: null };
}
