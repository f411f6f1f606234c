import type { OrgId } from '@deskside/shared/orgid';
import { carriedOrgIds } from '#app/customer/carried-org-ids.ts';
import type { SenderMemory } from '#app/trust/sender-memory.ts';
import type { Candidate } from '#domain/customer/org-id-candidates.ts';
import { chosenFirst, isRejected } from '#domain/trust/agents-word.ts';
import type { PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Decisions } from '#ports/routing/decisions.ts';
import type { Intake, IntakeTicket } from './intake-ticket.ts';

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

export type NameCandidates = (ticket: PipelineTicket, signal: AbortSignal) => Promise<NamedCandidates>;

const nothingFound: Intake = { orgId: null, platformDomain: null, findings: [], metaFailures: [], failed: false };

/** Throws HelpdeskError; whatever a shop's address does is part of the result. */
export function createNameCandidates(deps: {
  intake: IntakeTicket;
  senderMemory: SenderMemory;
  decisions: Pick<Decisions, 'list'>;
}): NameCandidates {
  return async (ticket, signal) => {
    const { file } = ticket;
    const rejections = await deps.senderMemory.rejections(file.ticket);
    const isOut = (candidate: Candidate) => isRejected(idsOf(candidate), rejections);
    const carried = (await carriedOrgIds(deps.decisions, file)).candidates;
    const kept = carried.filter((candidate) => !isOut(candidate));
    // A ticket without an org id may still name a shop, and not the one of its customer.
    const own = kept[0]?.source === 'ticket' ? kept[0] : null;
    const read = own === null ? await deps.intake(ticket, signal) : await domainBeside(own, ticket, signal);
    const inText = candidateOf(read);
    const fromIntake = inText !== null && isOut(inText) ? null : inText;
    const all = fromIntake === null ? kept : [fromIntake, ...kept];
    const choices = all.length > 1 ? await deps.senderMemory.choices(file.ticket) : [];
    return {
      candidates: chosenFirst(all, choices, idsOf),
      found: inText === fromIntake ? read : { ...nothingFound, metaFailures: read.metaFailures },
      fromIntake,
      domainOf: own ?? fromIntake,
      rejected: [...carried, ...(inText ? [inText] : [])].filter(isOut).map(({ orgId }) => orgId),
    };
  };

  /** A ticket that has an org id wants no more than its shop's domain, as the store address has it. */
  async function domainBeside({ orgId }: Candidate, ticket: PipelineTicket, signal: AbortSignal): Promise<Intake> {
    if (ticket.platformDomain !== null) return nothingFound;
    const { findings, ...said } = await deps.intake(ticket, signal, { storesOnly: true });
    if (said.orgId !== null && said.orgId !== orgId) return nothingFound;
    const { platformDomain } = said;
    return { ...nothingFound, platformDomain, findings: findings.filter(({ value }) => value === platformDomain) };
  }
}

function idsOf({ orgId }: Candidate) {
  return { orgId, crmCompanyId: null };
}

function candidateOf({ orgId, findings }: Intake): Candidate | null {
  if (orgId === null) return null;
  const finding = findings.find(({ kind, value }) => kind === 'org_id' && value === orgId);
  return { orgId, source: 'ticket', field: finding?.field ?? 'text' };
}
