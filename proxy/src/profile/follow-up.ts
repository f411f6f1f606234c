import type { OrgId } from '@deskside/shared/orgid';
import type { LookupTrust, Responsible } from '@deskside/shared/profile';
import type { Context } from '#context.ts';
import type { Lookup } from '#crm/lookup.ts';
import { fitFor } from '#customers/find-customer.ts';
import { clearIfRead } from '#customers/ticket-writes.ts';
import { isLaterCheck } from '#customers/write-customer.ts';
import type { Ticket, TicketFile } from '#helpdesk/tickets.ts';
import { orderCandidates } from '#intake/org-id.ts';
import { judgeTicketAgain } from '#routing/retry.ts';
import { retryIfChanged } from '#runtime/app-error.ts';
import { keyOf } from '#store/schema.ts';
import * as tickets from '#store/tickets.ts';
import { isHeld } from '#trust/claims.ts';
import { judgeMatch, readerOf } from '#trust/evidence.ts';
import { type Found, type Judged, matchOf } from './companies.ts';

/** What the answer does not wait for: the customer's check, and what the ticket is told of the leading company. */
export function followUp(
  ctx: Context,
  { ticket, customer }: TicketFile,
  { found, leader, responsible }: { found: Found[]; leader: Judged | undefined; responsible: Responsible | null },
): void {
  const [held] = orderCandidates([], customer).candidates;
  const checked = found.find(({ candidate }) => candidate.orgId === held?.orgId)?.looked;
  if (customer && checked) recordCheck(ctx, customer.name, checked);
  if (!leader) return;
  if (leader.trust === null)
    ctx.background.run(`judge ${ticket.name}`, async (signal) => {
      const { trust, hasOpenClaim } = await judgeMatch(ctx, matchOf(ticket, leader), signal);
      tell(trust, hasOpenClaim);
    });
  else tell(leader.trust, leader.hasOpenClaim);

  /** What the ticket is told, and its decision, once it is known who vouches for the company. */
  function tell(trust: LookupTrust, hasOpenClaim: boolean): void {
    const isCompanys = customer === null || held?.orgId === leader?.candidate.orgId;
    // Whoever reads the ticket learns who looks after a company only where its data may stand there (docs/decisions.md 11).
    if (leader && isCompanys && !isHeld({ org_id: { trust } }, ctx.routing.claims))
      recordResponsible(ctx, ticket, { orgId: leader.candidate.orgId, owner: responsible });
    if (trust.level !== 'claimed' && hasOpenClaim)
      ctx.background.run(`claim ${ticket.name}`, () => judgeTicketAgain(ctx, ticket));
  }
}

/**
 * Records on the customer of this org id when the CRM gave the answer that a profile shows, after the response
 * (docs/decisions.md 18): once an answer, and only if the record's own check is older. As long as the CRM has a newer
 * version than the record, its time stays as it is: `customers refresh` begins with what was checked longest ago.
 */
function recordCheck(
  ctx: Context,
  customer: string,
  { value, checkedAt, companies }: Pick<Lookup, 'value' | 'checkedAt' | 'companies'>,
): void {
  const { background, helpdesk } = ctx;
  const { checks } = ctx.remembered;
  if (checkedAt === null || checks.get(customer)?.at === checkedAt) return;
  background.run(`check ${customer}`, async (signal) => {
    const record = await helpdesk.customers.read(customer, signal);
    checks.set(customer, { at: checkedAt });
    if (record === null || !isLaterCheck(checkedAt, record.lastCheckedAt)) return;
    if ((await fitFor(ctx, record, { orgId: value, crmCompanyId: null }, signal)) !== 'same') return;
    const modifiedAt = companies[0]?.modifiedAt ?? null;
    const hasNews =
      modifiedAt !== null && record.companyModifiedAt !== null && isLaterCheck(modifiedAt, record.companyModifiedAt);
    if (!hasNews) await helpdesk.customers.update(record, { lastCheckedAt: checkedAt }, signal);
  });
}

/**
 * Writes the account owner's e-mail to the ticket, after the response (docs/decisions.md 18): only for an active owner
 * with an address (docs/data.md#the-account-owner), only if the site has the field, and only if it changes anything,
 * because every write makes the agents' open pages reload.
 */
export function recordResponsible(
  ctx: Context,
  ticket: Ticket,
  { orgId, owner }: { orgId: OrgId; owner: Responsible | null },
): void {
  const { owners } = ctx.remembered;
  if (owner?.status !== 'active' || !owner.email || ticket.responsible === undefined) return;
  const { email } = owner;
  if ((ticket.responsible ?? '') === email || owners.get(ticket.name)?.email === email) return;
  ctx.background.run(`responsible ${ticket.name}`, async (signal) => {
    const fields = { responsible: email };
    const { isRead, contact } = await retryIfChanged(async () => {
      const read = await ctx.helpdesk.tickets.read(ticket.name, signal);
      const { contact } = read.file.ticket;
      // Nothing of a company goes on a ticket that somebody else reads by now.
      if ((await readerOf(ctx, read.file.ticket, signal)) !== null) return { isRead: true, contact };
      // What we wrote is given back even if the owner has changed by then.
      await tickets.noteOwner(ctx.db, keyOf(ticket), orgId, email, ctx.clock());
      const written = await ctx.helpdesk.tickets.write(read, fields, signal);
      return written === 'changed_meanwhile' ? written : { isRead: false, contact };
    });
    if (isRead) return;
    await clearIfRead(ctx, { name: ticket.name, contact }, { fields, instead: {}, customer: null }, signal);
    owners.set(ticket.name, { email });
  });
}
