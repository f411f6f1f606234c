import type { FieldChange, TicketLinkResult } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { LookupTrust } from '@deskside/shared/profile';
import type { Context, Work } from '#context.ts';
import type { Lookup } from '#crm/lookup.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import {
  type CompanyData,
  type JudgedChanges,
  type JudgedData,
  type PlainFields,
  ticketFieldOf,
} from '#helpdesk/fields.ts';
import type { TicketAnswer } from '#helpdesk/tickets.ts';
import { orgIdOfCustomer } from '#intake/org-id.ts';
import { AppError, retryIfChanged } from '#runtime/app-error.ts';
import { reasonOf } from '#runtime/jobs.ts';
import { machine } from '#runtime/machine.ts';
import { companyIn, type JudgedCompany, onlyOf, openForWriting, type WritableCase, withoutCrm } from '#trust/case.ts';
import { type CompanyIds, isAbout, isHeld, isSameCompany } from '#trust/companies.ts';
import { isDoubtedSince, type TicketFacts } from '#trust/judge.ts';
import { checkFields, crmFailure, isCrmFailure } from './facts.ts';

/** What is to be written to a ticket because of a company. */
export interface CompanyWrite {
  /** What tells something of the company. */
  data: CompanyData;
  /** What tells nothing of it, and is written in any case. */
  plain?: PlainFields;
  /** What is written instead of the data where these may not be told. */
  otherwise?: PlainFields;
  /** What was written before: only what of it still stands is replaced, and cleared where there is nothing else for it. */
  over?: CompanyData;
  /** What of the company was written just before: it goes, too, where somebody else reads the ticket. */
  earlier?: CompanyData;
  /** The customer whose data they are, if that is not the company. */
  ofCustomer?: string | null;
  /** An agent says so of `company`: then it does not matter who vouches, nor which customer the ticket has. A rejection does. */
  isAgentsWord?: boolean;
  /** The company that the ticket showed before, where it is to show it again. */
  shownBefore?: ShownCompany | undefined;
}

/** A company that a ticket showed, what vouched for it then (null: nobody's word), and the Sync that may vouch for it now. */
export interface ShownCompany {
  company: CompanyIds;
  trust: LookupTrust | null;
  sync: (CompanyIds & { sender: string | null }) | null;
}

/** Why nothing of a company may stand on a ticket. */
type WriteRefusal = 'read_by_other' | 'rejected' | 'claim' | 'other_customer';

/** What a write changed, what the ticket has afterwards, and why nothing of the company was told; null: it was. */
export interface TicketWriteOutcome extends TicketAnswer {
  refused: WriteRefusal | null;
  /** Who else reads the ticket. */
  otherReader: string | null;
}

/**
 * Writes company data to a ticket, as far as they may stand there (decisions 9 and 11: claims, which customer): the
 * only way for them. The write carries the `modified` that was judged. By its answer the helpdesk tells whether it has
 * filled in a contact that very moment, which is then judged, too; where somebody else reads the ticket by it, what was
 * written is taken back. `changed_meanwhile`: the case is to be opened anew. Throws HelpdeskError.
 */
export async function writeCompanyData(
  ctx: Work,
  opened: WritableCase,
  company: JudgedCompany | null,
  write: CompanyWrite,
): Promise<TicketWriteOutcome | 'changed_meanwhile'> {
  const { data, plain = {}, otherwise = {}, over, earlier } = write;
  const { tickets } = ctx.helpdesk;
  const { ticket, otherReader } = opened;
  const refused = refusalOf(ctx, opened, company, write);
  if (refused !== null) {
    const instead = { ...plain, ...otherwise };
    const isRead = refused === 'read_by_other';
    const shown = isRead ? Object.entries({ ...data, ...earlier }).filter(([member]) => !(member in instead)) : [];
    const written = over ?? Object.fromEntries(shown);
    const clears = Object.keys(written).length > 0;
    const answer = await (clears
      ? tickets.clear(ticket, written, instead, ctx.signal)
      : tickets.write(ticket, instead, ctx.signal));
    if (answer === 'changed_meanwhile') return answer;
    // That a failure of the CRM is over takes nothing of a company off.
    const gone = answer.changes.filter(({ field, to }) => field !== ticketFieldOf.error && to === null);
    if (isRead && over === undefined && gone.length > 0) reportTakenBack(ctx, opened);
    return { ...answer, refused, otherReader };
  }
  const told = { ...plain, ...data } as JudgedData;
  const answer = await (over ? tickets.clear(ticket, over, told, ctx.signal) : tickets.write(ticket, told, ctx.signal));
  if (answer === 'changed_meanwhile') return answer;
  const link = answer.changes.find(({ field }) => field === 'customer');
  const instead = { ...otherwise, ...(link && { customer: link.from }) } as JudgedData;
  return judgeAnswer(ctx, { opened, company, write, answer }, (again) =>
    tickets.clear(again.ticket, { ...earlier, ...data }, instead, ctx.signal),
  );
}

/**
 * Gives a ticket back what was taken off it, its customer included, as far as it still shows what was put in its place. Nothing
 * where somebody else reads it, or where it is a claim of whoever is the sender by now. As `writeCompanyData` otherwise.
 */
export async function giveBackCompanyData(
  ctx: Work,
  opened: WritableCase,
  changes: readonly FieldChange[],
  shownBefore?: ShownCompany,
): Promise<TicketWriteOutcome | 'changed_meanwhile'> {
  const { customer, contact } = opened.file.ticket;
  const write = { data: {}, shownBefore };
  const refused = refusalOf(ctx, opened, null, write);
  if (refused !== null) return { changes: [], customer, contact, otherReader: opened.otherReader, refused };
  const answer = await ctx.helpdesk.tickets.takeBack(opened.ticket, changes as JudgedChanges, ctx.signal);
  if (answer === 'changed_meanwhile') return answer;
  return judgeAnswer(ctx, { opened, company: null, write, answer }, (again) =>
    ctx.helpdesk.tickets.takeBack(again.ticket, answer.changes as readonly FieldChange[] as JudgedChanges, ctx.signal),
  );
}

/** Why a company's data may not stand on a ticket; null: they may. */
function refusalOf(
  { routing }: Context,
  { otherReader, sender, file: { customer } }: WritableCase,
  company: JudgedCompany | null,
  { data, ofCustomer = null, isAgentsWord = false, shownBefore }: CompanyWrite,
): WriteRefusal | null {
  if (otherReader !== null) return 'read_by_other';
  if (shownBefore !== undefined && routing.claims === 'hold' && isNoMoreTheirs(shownBefore, sender)) return 'claim';
  if (company === null) return null;
  if (company.isRejected) return 'rejected';
  if (isAgentsWord) return null;
  if (isHeld({ org_id: { trust: company.trust } }, routing.claims)) return 'claim';
  if (customer === null || [ofCustomer, data.customer].includes(customer.name)) return null;
  return orgIdOfCustomer(customer) === company.candidate.orgId ? null : 'other_customer';
}

/** Whether what a ticket showed of a company is not for whoever is its sender by now: an agent's Sync for them outweighs a doubt. */
function isNoMoreTheirs({ company, trust, sync }: ShownCompany, sender: TicketFacts): boolean {
  const isVouched = sync !== null && isSameCompany(sync, company) && isAbout(sync, sender.sender);
  return !isVouched && isDoubtedSince(trust, sender);
}

/** A write that was made. */
interface TicketWrite {
  opened: WritableCase;
  company: JudgedCompany | null;
  write: CompanyWrite;
  answer: TicketAnswer;
}

/** Judges what the helpdesk has filled in while we wrote. What may not stand there by that is taken back. */
async function judgeAnswer(
  ctx: Work,
  { opened, company, write, answer }: TicketWrite,
  takeBack: (again: WritableCase) => Promise<TicketAnswer | 'changed_meanwhile'>,
): Promise<TicketWriteOutcome> {
  const { name, contact, customer } = opened.file.ticket;
  const told = { ...answer, refused: null, otherReader: null };
  const isLinked = answer.changes.some(({ field }) => field === 'customer');
  const isAsJudged = answer.contact === contact && (isLinked || answer.customer === customer);
  if (isAsJudged) return told;
  return retryIfChanged(async () => {
    const again = await openForWriting(ctx, name, company ? onlyOf(company) : withoutCrm);
    // Where it is about no company, the one that the ticket names is none of its matter.
    const refused = refusalOf(ctx, again, company && (again.companies[0] ?? company), write);
    if (refused === null) return told;
    const taken = await takeBack(again);
    if (taken === 'changed_meanwhile') return taken;
    if (taken.changes.length > 0) reportTakenBack(ctx, again);
    return { ...taken, refused, otherReader: again.otherReader };
  });
}

/** What has stood on a ticket stays in its versions, which whoever reads it gets (docs/helpdesk.md#permissions). */
function reportTakenBack({ logger }: Work, { file }: WritableCase): void {
  const fields = { fault: 'company_data_taken_back', ticket: file.ticket.name } as const;
  logger.error(
    fields,
    'Somebody else reads a ticket by what came while a company was written to it; that was taken back',
  );
}

/**
 * Links a ticket to the customer of an org id that its case has, as far as the door lets it, unless it has another one; by an
 * agent's word in its place, too. After a lost race it is judged anew. Throws `changed_since`, HelpdeskError, and
 * `ticket_read_by_other` where somebody else reads the ticket since the very moment at which it was linked.
 */
export async function linkTicket(
  ctx: Work,
  opened: WritableCase,
  orgId: OrgId,
  { customer, isAgentsWord }: { customer: string; isAgentsWord: boolean },
): Promise<TicketLinkResult> {
  const { name, customer: before } = opened.file.ticket;
  const company = companyIn(opened, orgId);
  if (company === null) return { name, linked: false, previous_customer: before };
  const done = await retryIfChanged(async (isFirst) => {
    const now = isFirst ? opened : await openForWriting(ctx, name, onlyOf(company));
    const present = now.file.ticket.customer;
    if (present === customer || (present !== null && !isAgentsWord))
      return { customer: present, refused: null, otherReader: null, isTheirs: true };
    return writeCompanyData(ctx, now, companyIn(now, orgId), { data: { customer }, isAgentsWord });
  });
  if (opened.otherReader === null && done.otherReader !== null) throw AppError.readByOther(name, done.otherReader);
  const linked = done.customer === customer;
  return { name, linked, previous_customer: linked && !('isTheirs' in done) ? before : done.customer };
}

/** For what is put right on a ticket after the answer, or although the caller has left. */
const afterwardsMs = 20_000;

/**
 * Writes to the ticket of an enrichment how the check went: that the CRM failed, as routing does, or else when it was asked,
 * which tells the sender whether the org id exists (decision 9: claims). Best effort: a failure of the helpdesk is logged, and so
 * is that others keep writing first.
 */
export async function noteCheck(
  lasting: Context,
  name: string,
  { company, lookup }: { company: JudgedCompany; lookup: Lookup },
): Promise<void> {
  const ctx = { ...lasting, signal: machine.timeout(afterwardsMs) };
  try {
    await retryIfChanged(async () => {
      const opened = await openForWriting(ctx, name, onlyOf(company));
      const mended = isCrmFailure(opened.ticket.profileError) ? ({ status: 'Complete', error: '' } as const) : {};
      const plain = lookup.status === 'error' ? crmFailure(lookup.error) : mended;
      return writeCompanyData(ctx, opened, opened.companies[0] ?? company, { plain, data: checkFields(lookup) });
    });
  } catch (error) {
    if (!(error instanceof HelpdeskError || error instanceof AppError)) throw error;
    ctx.logger.warn({ error: reasonOf(error) }, 'The time of a CRM check could not be written to the ticket');
  }
}
