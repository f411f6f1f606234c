import type { OrgId } from '@deskside/shared/orgid';
import type { LookupTrust } from '@deskside/shared/profile';
import type { RoutingInputs } from '@deskside/shared/routing';
import type { Work } from '#context.ts';
import { type Lookup, searchCompany } from '#crm/lookup.ts';
import type { PipelineTicket } from '#helpdesk/tickets.ts';
import { type Intake, intakeTicket } from '#intake/intake-ticket.ts';
import type { Candidate } from '#intake/org-id.ts';
import * as syncs from '#store/syncs.ts';
import * as tickets from '#store/tickets.ts';
import { chosenFirst, decidingOf, isRejected } from '#trust/companies.ts';
import { candidatesOf, earlierChoices, judgeMatch, ticketFacts } from '#trust/evidence.ts';

/** What is known about a ticket before anything is written. */
export interface Facts {
  /** As it was read. */
  ticket: PipelineTicket;
  /** The company by which the ticket is decided; null if it names none. */
  company: NamedCompany | null;
  orgId: RoutingInputs['org_id'];
  /** Whether it was intake that found the org id. */
  isFromIntake: boolean;
  intake: Intake;
  /** The domain that intake found, unless it is another shop's. */
  platformDomain: string | null;
  /** Org ids that agents have rejected for this ticket or its sender. */
  rejected: OrgId[];
}

/** A company that a ticket names. `looked`: what the CRM has for the org id; null if no CRM is asked. */
export interface NamedCompany {
  candidate: Candidate;
  looked: Lookup | null;
  trust: LookupTrust;
  isRejected: boolean;
}

/**
 * Finds the company of a ticket: by the org ids that ticket, customer and text name, what the CRM has for them, and who
 * vouches for them. Writes nothing but our own record of what the sender claims. Throws HelpdeskError; whatever the CRM or a
 * shop's address does is among the facts.
 */
export async function gatherFacts(ctx: Work, ticket: PipelineTicket): Promise<Facts> {
  const { candidates, intake, fromIntake, domainOwner, rejected } = await candidatesWithIntake(ctx, ticket);
  await noteClaims(ctx, ticket, candidates);
  const companies = await judgeCompanies(ctx, ticket, candidates);
  const company = decidingOf(companies) ?? null;
  const isFromIntake = company !== null && company.candidate === fromIntake;
  const finding = intake.findings.find(({ kind }) => kind === 'org_id');
  // A rejection by the CRM's id shows only once the company is known.
  const alsoRejected = companies.flatMap(({ candidate, isRejected }) => (isRejected ? [candidate.orgId] : []));
  const isOwnDomain = domainOwner === null || company?.candidate === domainOwner;
  return {
    ticket,
    company,
    orgId: company && {
      value: company.candidate.orgId,
      source: isFromIntake ? (finding?.source ?? 'text') : company.candidate.source,
      field: company.candidate.field,
      trust: company.trust,
    },
    isFromIntake,
    intake,
    platformDomain: isOwnDomain ? intake.platformDomain : null,
    rejected: [...new Set([...rejected, ...alsoRejected])],
  };
}

/** For the record of what a sender has claimed (docs/decisions.md 7). */
async function noteClaims(ctx: Work, { file: { ticket } }: PipelineTicket, candidates: readonly Candidate[]) {
  const synced = await syncs.latest(ctx.db, ticket);
  const isSenders = ({ source, orgId }: Candidate) =>
    source === 'ticket' && !synced?.changes.some(({ to }) => to === orgId);
  const orgIds = candidates.filter(isSenders).map(({ orgId }) => orgId);
  const { name, creation, origin } = ticket;
  return tickets.noteCarried(ctx.db, { name, creation, raisedBy: origin.raisedBy, orgIds }, ctx.clock());
}

/** In the order of the candidates, up to the first below which none can lead any more. */
async function judgeCompanies(
  ctx: Work,
  { file: { ticket } }: PipelineTicket,
  candidates: readonly Candidate[],
): Promise<NamedCompany[]> {
  const facts = await ticketFacts(ctx, ticket);
  const isAsked = ctx.crmEnabled && ctx.crm !== null;
  const judged: NamedCompany[] = [];
  for (const candidate of candidates) {
    const looked = isAsked ? await searchCompany(ctx, candidate.orgId, { refresh: false, lane: 'open' }) : null;
    const { trust, isRejected } = await judgeMatch(ctx, { ticket, candidate, looked, facts });
    judged.push({ candidate, looked, trust, isRejected });
    if (trust.level === 'confirmed' && looked?.companies[0] !== undefined) break;
  }
  return judged;
}

/** The org ids that a ticket names, in its fields, its customer or its text. */
interface NamedCandidates {
  /** In the order in which to try them, without those that agents have rejected. */
  candidates: Candidate[];
  /** What intake found, without a rejected company. */
  intake: Intake;
  /** The candidate that intake found; null if it found none, or a rejected one. */
  fromIntake: Candidate | null;
  /** The candidate whose shop has the domain that intake found; null if that is not known. */
  domainOwner: Candidate | null;
  /** Those that agents have rejected. */
  rejected: OrgId[];
}

const nothingFound: Intake = { orgId: null, platformDomain: null, findings: [], metaFailures: [], failed: false };

/**
 * The candidates for a decision: those that `candidatesOf` has, and the one that intake finds for a ticket that carries
 * none. Throws HelpdeskError; whatever a shop's address does is part of the result.
 */
async function candidatesWithIntake(ctx: Work, ticket: PipelineTicket): Promise<NamedCandidates> {
  const { file } = ticket;
  const { candidates: carried, rejections, rejected } = await candidatesOf(ctx, file);
  // A ticket without an org id may still name a shop, and not the one of its customer.
  const ofTicket = carried.find(({ source }) => source === 'ticket') ?? null;
  const intake =
    ofTicket === null
      ? await intakeTicket(ctx, ticket, { forDecision: true }, ctx.signal)
      : await domainBeside(ctx, ofTicket, ticket);
  const read = candidateOf(intake);
  if (read === null) return { candidates: carried, intake, fromIntake: null, domainOwner: ofTicket, rejected };
  if (isRejected({ ...read, crmCompanyId: null }, rejections)) {
    const { metaFailures } = intake;
    const nothing = { intake: { ...nothingFound, metaFailures }, fromIntake: null, domainOwner: null };
    return { candidates: carried, ...nothing, rejected: [...rejected, read.orgId] };
  }
  const choices = carried.length > 0 ? await earlierChoices(ctx, file.ticket) : [];
  const candidates = chosenFirst([read, ...carried], choices);
  return { candidates, intake, fromIntake: read, domainOwner: read, rejected };
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
