import type { OrgId } from '@deskside/shared/orgid';
import type { LookupTrust } from '@deskside/shared/profile';
import type { RoutingDecision } from '@deskside/shared/routing';
import type { Work } from '#context.ts';
import type { Lane } from '#crm/limits.ts';
import { type Lookup, lookupCompany, searchCompany } from '#crm/lookup.ts';
import type { PipelineTicket, TicketFile } from '#helpdesk/ticket-file.ts';
import { type Candidate, orderCandidates } from '#intake/org-id.ts';
import { AppError } from '#runtime/app-error.ts';
import { withDeadline } from '#runtime/concurrency.ts';
import { machine } from '#runtime/machine.ts';
import type { Rejection } from '#store/rejections.ts';
import type { SyncEntry } from '#store/syncs.ts';
import { chosenFirst, decidingOf, isRejected } from './companies.ts';
import {
  carriedOrgIds,
  earlierChoices,
  idsOf,
  judgeCompany,
  recordsOf,
  senderAddress,
  sharedWithOther,
  type TicketRecords,
  ticketFacts,
} from './evidence.ts';
import { otherReader, type TicketFacts } from './judge.ts';

/** An org id of a ticket: where it stands, what the CRM has for it, and who vouches for it. */
export interface JudgedCompany {
  candidate: Candidate;
  /** What the CRM has for it; null: it was not asked. */
  lookup: Lookup | null;
  /** Null: not judged in time, for a panel. */
  trust: LookupTrust | null;
  /** Whether an agent has said that this is not the sender's company (decision 13: wrong customer): it never leads. */
  isRejected: boolean;
}

/** A ticket with all by which its company is judged. It is found out once, and every verb goes by it. */
export interface TicketCase {
  /** Ticket, customer and contact as they were read. */
  file: TicketFile;
  /** What is known of ticket and sender; null: not in time, for a panel. */
  sender: TicketFacts | null;
  /** Who reads the ticket as well, besides sender and desk (`otherReader` in judge.ts); null: none does, or `sender` is not known. */
  otherReader: string | null;
  /** In the order of the candidates: what agents chose for the sender comes first. */
  companies: JudgedCompany[];
  /** The one that panel, Sync and routing go by (decision 10: who leads); null: the ticket names none that may. */
  leading: JudgedCompany | null;
  /** Those that stand for ticket or sender, whether or not the ticket names their companies. */
  rejections: Rejection[];
  /** The Sync of the ticket that stands, and its latest decision. */
  synced: SyncEntry | null;
  latest: RoutingDecision | null;
  /** Fields that hold something other than an org id. */
  unusable: string[];
}

/** What a case has for an org id; null: nothing. */
export function companyIn({ companies }: TicketCase, orgId: OrgId | null | undefined): JudgedCompany | null {
  return companies.find(({ candidate }) => candidate.orgId === orgId) ?? null;
}

/** How a case is opened. */
export interface CaseInput {
  /** Whether an agent waits on screen (`click`), a workflow asks (`open`), or nobody waits (`bulk`). */
  lane: Lane;
  /** Asks the CRM even if there is a fresh answer. */
  refresh?: boolean;
  /** Leaves the CRM alone. */
  leavesCrm?: boolean;
  /**
   * For who waits at a panel: how many milliseconds are left. The CRM's answer may be a little old, what cannot be judged in
   * time, or at all, has no trust, and the ticket's people are looked for among the company's contacts. Absent: it takes as
   * long as it takes, and what fails throws.
   */
  left?: () => number;
  /** The longest that the CRM may take, in milliseconds, where its answer may be a little old, too. */
  crmWithinMs?: number;
  /** Asks whom the ticket is shared with although nobody outside can have shared it: the desk may have, where a person presses Sync. */
  asksShares?: boolean;
  /** Judges this org id alone, whatever the ticket names, and also if it was rejected. */
  only?: OrgId;
  /** What the CRM has said of it just now: it is not asked again. */
  lookup?: Lookup | null;
  /** What the ticket's text names beside these candidates. Throws HelpdeskError. */
  readText?: (carried: readonly Candidate[]) => Promise<Candidate | null>;
}

/** How long a judgement goes on that came too late for its own answer: the next one has it. */
const judgeWithinMs = 20_000;

/**
 * Opens a ticket's case (decisions 7 and 10: who vouches, who leads). What depends on the ticket alone is read once,
 * side by side with the CRM. Throws HelpdeskError, but for a panel.
 */
export async function openCase(caller: Work, file: TicketFile, input: CaseInput): Promise<TicketCase> {
  const { left, asksShares = false } = input;
  const ctx = left === undefined ? caller : { ...caller, signal: machine.timeout(judgeWithinMs) };
  const { ticket } = file;
  const records = await orUnknown(recordsOf(ctx, ticket), left);
  const facts =
    records === null ? null : orUnknown(ticketFacts(ctx, ticket, { insert: records.insert, asksShares }), left);
  facts?.catch(() => {});
  const { candidates, unusable } = await candidatesOf(ctx, file, records, input);
  const lookups = await Promise.all(candidates.map((candidate) => lookUp(ctx, file, candidate, records, input)));
  const sender = await facts;
  const companies = await Promise.all(
    candidates.map(async (candidate, at): Promise<JudgedCompany> => {
      const lookup = lookups[at] ?? null;
      const known = sender && records && { facts: sender, records };
      const trust = known && (await orUnknown(judgeCompany(ctx, ticket, known, { candidate, lookup }), left));
      return { candidate, lookup, trust, isRejected: isOut(candidate, lookup, records) };
    }),
  );
  return {
    file,
    sender,
    otherReader: sender && otherReader(sender),
    companies,
    leading: decidingOf(companies) ?? null,
    rejections: records?.rejections ?? [],
    synced: records?.synced ?? null,
    latest: records?.latest ?? null,
    unusable,
  };
}

/** Where somebody waits at a panel: null for what fails, or takes longer than they may wait. */
async function orUnknown<T>(work: Promise<T>, left: CaseInput['left']): Promise<T | null> {
  if (left === undefined) return work;
  const known = await withDeadline(
    work.catch(() => null),
    left(),
  );
  return known === 'timeout' ? null : (known as T | null);
}

function isOut(candidate: Candidate, lookup: Lookup | null, records: TicketRecords | null): boolean {
  return isRejected(idsOf(candidate, lookup), records?.rejections ?? []);
}

/** The org ids to look up: those that ticket and customer carry, and what its text names; what agents chose first. */
async function candidatesOf(
  ctx: Work,
  file: TicketFile,
  records: TicketRecords | null,
  { only, left, readText }: CaseInput,
): Promise<{ candidates: Candidate[]; unusable: string[] }> {
  // Without our own records a panel still shows what the ticket says.
  const inOrder = () => orderCandidates(file.ticket.orgIdFields, file.customer);
  const carrying = carriedOrgIds(ctx, file);
  const { candidates, unusable } = await (left === undefined ? carrying : carrying.catch(inOrder));
  if (only !== undefined) {
    const named = candidates.find(({ orgId }) => orgId === only);
    return { candidates: [named ?? { orgId: only, source: 'ticket', field: '' }], unusable };
  }
  const standing = candidates.filter((candidate) => !isOut(candidate, null, records));
  const text = (await readText?.(standing)) ?? null;
  const all = text === null ? candidates : [text, ...candidates];
  const choices = all.length > 1 && records !== null ? await earlierChoices(ctx, file.ticket) : [];
  return { candidates: chosenFirst(all, choices), unusable };
}

/** Null where the CRM is not asked: a rejected company is only looked up where somebody names it. */
async function lookUp(
  ctx: Work,
  file: TicketFile,
  candidate: Candidate,
  records: TicketRecords | null,
  { lane, refresh = false, leavesCrm = false, left, crmWithinMs, only, lookup }: CaseInput,
): Promise<Lookup | null> {
  const { crm, crmEnabled, crmTimeoutMs } = ctx;
  if (!crmEnabled || crm === null || leavesCrm) return null;
  const { orgId } = candidate;
  if (lookup?.value === orgId) return lookup;
  if (orgId !== only && isOut(candidate, null, records)) return null;
  const withinMs = left?.() ?? crmWithinMs;
  if (withinMs === undefined) return searchCompany(ctx, orgId, { refresh, lane });
  const deadlineMs = Math.min(withinMs, crmTimeoutMs);
  const senders = left === undefined ? [] : emailsOf(file);
  return lookupCompany(crm, { orgId, refresh, lane, senders, acceptsStale: true, deadlineMs });
}

/** Addresses of the ticket's people: its contact's, and who raised it. */
export function emailsOf({ ticket, contact }: TicketFile): string[] {
  return [contact?.email_id, ticket.origin.raisedBy].flatMap((email) => email || []);
}

/** A case that may be written by: with the ticket as the service reads it, and everything known. */
export interface WritableCase extends TicketCase {
  sender: TicketFacts;
  /** With the `modified` that every write carries. */
  ticket: PipelineTicket;
}

/** How a case is opened for a company that has just been looked up. */
export const onlyOf = ({ candidate, lookup }: Pick<JudgedCompany, 'candidate' | 'lookup'>) =>
  ({ lane: 'open', only: candidate.orgId, lookup }) as const;
/** How it is opened where no company is to be judged. */
export const withoutCrm = { lane: 'open', leavesCrm: true } as const;

/**
 * Opens the case of a ticket that is to be written, by its name or as it has just been read. What will be read is judged before
 * anything is written (decision 11: which customer): a contact that the helpdesk would fill in on our write is there by then.
 * `leavesContact`: none is looked for, as for a preview, which writes nothing. Throws HelpdeskError.
 */
export async function openForWriting(
  ctx: Work,
  named: string | PipelineTicket,
  { leavesContact = false, ...input }: Omit<CaseInput, 'left'> & { leavesContact?: boolean },
): Promise<WritableCase> {
  const read = typeof named === 'string' ? await ctx.helpdesk.tickets.read(named, ctx.signal) : named;
  const ticket = leavesContact ? read : await fillInContact(ctx, read);
  const { sender, ...opened } = await openCase(ctx, ticket.file, input);
  if (sender === null) throw new TypeError('A case without deadline was opened without its sender.');
  return { ...opened, sender, ticket };
}

/**
 * The ticket with the contact that the helpdesk fills in on every save, for a ticket without one: any Contact with the sender's
 * primary address (docs/helpdesk.md#contacts). Where there is none, nothing is saved.
 */
async function fillInContact(ctx: Work, ticket: PipelineTicket): Promise<PipelineTicket> {
  const { helpdesk, signal } = ctx;
  const { name, contact, origin } = ticket.file.ticket;
  const address = senderAddress(origin);
  if (contact !== null || address === null || !(await helpdesk.people.hasContact(address, signal))) return ticket;
  await helpdesk.tickets.save(ticket, signal);
  const filled = await helpdesk.tickets.read(name, signal);
  const isOurs = filled.modifiedBy === (await helpdesk.people.serviceUser(signal));
  // Who wrote last is who did so before us.
  return isOurs ? { ...filled, modifiedBy: ticket.modifiedBy } : filled;
}

/**
 * Before an agent says which customer a ticket's is: throws AppError where somebody outside the desk, not the sender, reads the
 * ticket, or would by that customer. A share of a customer goes over every right (docs/helpdesk.md#permissions).
 */
export async function requireNoOtherReader(
  ctx: Work,
  { file, sender, otherReader: reader }: WritableCase,
  customer: string,
): Promise<void> {
  const other = reader ?? (await sharedWithOther(ctx, 'HD Customer', customer, sender.sender));
  if (other !== null) throw AppError.readByOther(file.ticket.name, other);
}
