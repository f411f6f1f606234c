import type { OrgId } from '@deskside/shared/orgid';
import type { AccountLink, Responsible } from '@deskside/shared/profile';
import type { Context, Work } from '#context.ts';
import { type Lookup, searchCompany } from '#crm/lookup.ts';
import { enrichRecords } from '#customers/enrich.ts';
import { isLaterCheck } from '#customers/facts.ts';
import { fitFor } from '#customers/find-customer.ts';
import { writeCompanyData } from '#customers/ticket-writes.ts';
import type { Ticket } from '#helpdesk/ticket-file.ts';
import { orgIdOfCustomer } from '#intake/org-id.ts';
import { judgeTicketAgain } from '#routing/retry.ts';
import { retryIfChanged } from '#runtime/app-error.ts';
import { keyOf } from '#store/schema.ts';
import * as tickets from '#store/tickets.ts';
import { companyIn, type JudgedCompany, openCase, openForWriting, type TicketCase } from '#trust/case.ts';
import { isHeld, isOpenClaim } from '#trust/companies.ts';

/** What a profile shows and the jobs go by. */
interface ShownProfile {
  opened: TicketCase;
  /** Whether an agent has asked for it anew. */
  refresh: boolean;
  responsible: Responsible | null;
  /** Null if they are not known. */
  accountLinks: AccountLink[] | null;
}

/** The company that leads, if the CRM has it. */
export function leaderShown({ leading }: TicketCase): (JudgedCompany & { lookup: Lookup }) | null {
  if (leading?.lookup?.outcome !== 'matched') return null;
  return { ...leading, lookup: leading.lookup };
}

/** Something to do for a ticket or a customer. */
interface Job {
  record: string;
  run(ctx: Work): Promise<unknown>;
}

/** All that follows a profile's answer, by name: when there is anything to do, and what. Nobody waits for any of it. */
const jobs: Readonly<Record<string, (ctx: Context, shown: ShownProfile) => Job | null>> = {
  /** Reads the customer's platform accounts, if they are not known, for the next answer (decision 17: few requests). */
  links({ accountLinks, remembered }, { opened: { file }, accountLinks: known }) {
    const { customer } = file;
    if (customer === null || accountLinks === null || known !== null) return null;
    const { name } = customer;
    const read = (signal: AbortSignal) => accountLinks.of(name, signal);
    return { record: name, run: ({ signal }) => remembered.accountLinks.get(name, read, signal) };
  },

  /** Records on the customer when the CRM gave the answer that is shown, once an answer (decision 18: what is written). */
  check({ remembered }, { opened, refresh }) {
    const { customer } = opened.file;
    const lookup = lookupOfCustomer(opened);
    const checkedAt = lookup?.checkedAt ?? null;
    if (refresh || customer === null || !lookup || checkedAt === null) return null;
    const { name } = customer;
    if (remembered.checks.get(name)?.at === checkedAt) return null;
    return { record: name, run: (ctx) => recordCheck(ctx, name, lookup, checkedAt) };
  },

  /** Brings the customer up to date after an agent's refresh, as enrichment does on request (decision 18: what is written). */
  refresh(_, { opened, refresh }) {
    const { customer, ticket } = opened.file;
    const lookup = lookupOfCustomer(opened);
    if (!refresh || customer === null || !lookup || lookup.status === 'error') return null;
    return {
      record: customer.name,
      async run(ctx) {
        await bringUpToDate(ctx, customer.name, lookup.value);
        ctx.gate.forgetTicket(ticket.name);
      },
    };
  },

  /** Judges who vouches for the leading company, if that was not known in time, and does what follows from it. */
  judge(_, shown) {
    const { opened } = shown;
    const leader = leaderShown(opened);
    if (leader === null || leader.trust !== null) return null;
    return {
      record: opened.file.ticket.name,
      async run(ctx) {
        const { orgId } = leader.candidate;
        const again = await openCase(ctx, opened.file, { lane: 'open', only: orgId });
        followUp(ctx, { ...shown, opened: again, refresh: false });
      },
    };
  },

  /**
   * Writes the account owner's address to the ticket, if whoever reads that may learn it: only where the company's data
   * may stand on the ticket (decision 11: which customer).
   */
  responsible(ctx, { opened, responsible }) {
    const leader = leaderShown(opened);
    if (!leader?.trust || isHeld({ org_id: { trust: leader.trust } }, ctx.routing.claims)) return null;
    const { ticket, customer } = opened.file;
    const { orgId } = leader.candidate;
    return customer === null || orgIdOfCustomer(customer) === orgId
      ? tellOwner(ticket, { orgId, owner: responsible })
      : null;
  },

  /** Has the ticket decided again, if that was decided on a claim and somebody vouches for the company by now. */
  claim(_, { opened }) {
    const { latest, file } = opened;
    const level = leaderShown(opened)?.trust?.level ?? 'claimed';
    if (level === 'claimed' || latest === null || !isOpenClaim(latest)) return null;
    const { ticket } = file;
    return { record: ticket.name, run: (ctx) => judgeTicketAgain(ctx, ticket) };
  },
};

export function followUp(ctx: Context, shown: ShownProfile): void {
  for (const [name, job] of Object.entries(jobs)) start(ctx, name, job(ctx, shown));
}

/** The job `responsible` alone, for whoever learnt the account owner without a profile's answer. */
export function recordResponsible(
  ctx: Context,
  ticket: Ticket,
  told: { orgId: OrgId; owner: Responsible | null },
): void {
  start(ctx, 'responsible', tellOwner(ticket, told));
}

/** Starts a job a moment later, unless the same job is under way for this record. */
function start(ctx: Context, name: string, job: Job | null): void {
  if (job) ctx.background.run(`${name} ${job.record}`, async (signal) => void (await job.run({ ...ctx, signal })));
}

/** What the CRM has for the org id of the ticket's customer. */
function lookupOfCustomer(opened: TicketCase): Lookup | null {
  return companyIn(opened, orgIdOfCustomer(opened.file.customer))?.lookup ?? null;
}

/** Only a customer that is the company's already. The answer is the one that the refresh has just brought. */
async function bringUpToDate(ctx: Work, name: string, orgId: OrgId): Promise<void> {
  const record = await ctx.helpdesk.customers.read(name, ctx.signal);
  if (record === null || (await fitFor(ctx, record, { orgId, crmCompanyId: null })) !== 'same') return;
  const lookup = await searchCompany(ctx, orgId, { refresh: false, lane: 'open' });
  await enrichRecords(ctx, { lookup, mends: true, hdCustomer: name });
}

/**
 * Only if the record's own check is older. As long as the CRM has a newer version than the record, its time stays as it
 * is: `customers refresh` begins with what was checked longest ago.
 */
async function recordCheck(
  ctx: Work,
  customer: string,
  { value, companies }: Lookup,
  checkedAt: number,
): Promise<void> {
  const { helpdesk, signal } = ctx;
  const record = await helpdesk.customers.read(customer, signal);
  ctx.remembered.checks.set(customer, { at: checkedAt });
  if (record === null || !isLaterCheck(checkedAt, record.lastCheckedAt)) return;
  if ((await fitFor(ctx, record, { orgId: value, crmCompanyId: null })) !== 'same') return;
  const modifiedAt = companies[0]?.modifiedAt ?? null;
  const hasNews =
    modifiedAt !== null && record.companyModifiedAt !== null && isLaterCheck(modifiedAt, record.companyModifiedAt);
  if (!hasNews) await helpdesk.customers.update(record, { lastCheckedAt: checkedAt }, signal);
}

/**
 * Only an active owner with an address (docs/data.md#the-crm-company), only if the site has the field, and only if it
 * changes anything, because every write makes the agents' open pages reload (decision 18: what is written).
 */
function tellOwner(ticket: Ticket, { orgId, owner }: { orgId: OrgId; owner: Responsible | null }): Job | null {
  if (owner?.status !== 'active' || !owner.email || ticket.responsible === undefined) return null;
  const { name } = ticket;
  const { email } = owner;
  if (ticket.responsible === email) return null;
  return {
    record: name,
    run: (ctx) =>
      retryIfChanged(async () => {
        const opened = await openForWriting(ctx, name, { lane: 'open', only: orgId });
        const [company] = opened.companies;
        if (company === undefined || opened.otherReader !== null) return null;
        // What we wrote is given back even if the owner has changed by then.
        await tickets.noteOwner(ctx.db, keyOf(ticket), orgId, email, ctx.clock());
        return writeCompanyData(ctx, opened, company, { data: { responsible: email } });
      }),
  };
}
