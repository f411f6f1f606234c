import type { RoutingInputs } from '@deskside/shared/routing';
import type { Work } from '#context.ts';
import type { PipelineTicket } from '#helpdesk/ticket-file.ts';
import { type Candidate, unreadOrgId } from '#intake/org-id.ts';
import * as tickets from '#store/tickets.ts';
import { type JudgedCompany, openForWriting, type TicketCase, type WritableCase } from '#trust/case.ts';
import { type Intake, intakeTicket } from './intake-ticket.ts';

/** A ticket's case with what intake found on it: what a decision goes by. */
export interface RoutingCase extends WritableCase {
  /** Without a company that agents have rejected. */
  intake: Intake;
}

/**
 * Opens the case of a ticket that is to be routed: with the org ids that ticket, customer and text name. Writes nothing but
 * our own record of what the sender claims. Throws HelpdeskError; whatever the CRM or a shop's address does is part of it.
 */
export async function openRoutingCase(ctx: Work, ticket: PipelineTicket): Promise<RoutingCase> {
  const found: { intake: Intake; ofTicket: Candidate | null; ofText: Candidate | null } = {
    intake: nothingFound,
    ofTicket: null,
    ofText: null,
  };
  async function readText(carried: readonly Candidate[]): Promise<Candidate | null> {
    // A ticket without an org id may still name a shop, and not the one of its customer.
    found.ofTicket = carried.find(({ source }) => source === 'ticket') ?? null;
    found.intake =
      found.ofTicket === null
        ? await intakeTicket(ctx, ticket, { forDecision: true }, ctx.signal)
        : await domainBeside(ctx, found.ofTicket, ticket);
    found.ofText = candidateOf(found.intake);
    return found.ofText;
  }
  const opened = await openForWriting(ctx, ticket, { lane: 'open', readText });
  await noteClaims(ctx, opened);
  const { ofText, ofTicket, intake } = found;
  const leading = opened.leading?.candidate;
  const isRejected = opened.companies.some((company) => company.candidate === ofText && company.isRejected);
  // The domain is that of the ticket's own org id.
  const isOthers = ofTicket !== null && leading !== ofTicket;
  const isOut = isRejected || isOthers;
  return { ...opened, intake: isOut ? { ...nothingFound, metaFailures: intake.metaFailures } : intake };
}

/** The org id that leads, as a decision records it. */
export function orgIdInput({ candidate, trust }: JudgedCompany, { findings }: Intake): RoutingInputs['org_id'] {
  const { orgId: value, source, field } = candidate;
  // What intake found stands in none of the ticket's fields for it.
  const finding = source === 'ticket' ? findings.find(({ kind }) => kind === 'org_id') : undefined;
  return { value, source: finding?.source ?? source, field, trust };
}

/** What stands on a ticket without org id in its place. */
export function unreadInput({ file }: PipelineTicket): Pick<RoutingInputs, 'unread_org_id'> {
  const [unread] = file.ticket.orgIdFields.flatMap(({ value }) => unreadOrgId(value) ?? []);
  return unread === undefined ? {} : { unread_org_id: unread };
}

/** For the record of what a sender has claimed (decision 7: who vouches). */
async function noteClaims(ctx: Work, { file: { ticket }, companies, synced }: TicketCase): Promise<void> {
  const isSenders = ({ source, orgId }: Candidate) =>
    source === 'ticket' && !synced?.changes.some(({ to }) => to === orgId);
  const orgIds = companies.flatMap(({ candidate }) => (isSenders(candidate) ? [candidate.orgId] : []));
  const { name, creation, origin } = ticket;
  return tickets.noteCarried(ctx.db, { name, creation, raisedBy: origin.raisedBy, orgIds }, ctx.clock());
}

const nothingFound: Intake = { orgId: null, platformDomain: null, findings: [], metaFailures: [], failed: false };

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
  const finding = findings.find(({ kind }) => kind === 'org_id');
  return { orgId, source: 'ticket', field: finding?.field ?? 'text' };
}
