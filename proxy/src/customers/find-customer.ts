import type { Conflict } from '@deskside/shared/envelope';
import type { OrgId } from '@deskside/shared/orgid';
import { evenText } from '@deskside/shared/text';
import type { Work } from '#context.ts';
import type { CustomerRecord } from '#helpdesk/customers.ts';
import { orgIdInName } from '#intake/org-id.ts';
import { AppError } from '#runtime/app-error.ts';
import type { CompanyIds } from '#trust/companies.ts';

/** Where to look for a customer before the company's own: what a caller and a ticket name. */
export interface CustomerClues {
  /** Named by the caller. */
  passed?: string | null;
  /** The ticket's customer. */
  ofTicket?: string | null;
  /** It as it was read with the ticket; absent: it is read here. */
  asRead?: CustomerRecord | null;
  /**
   * Throws AppError unless the caller may give this customer, named by them or the ticket's, its first org id
   * (decision 12: made by hand). Absent if nobody has asked for that: the ticket's customer is then left alone as long as it
   * has no identity.
   */
  requireBind?: ((customer: string) => Promise<void>) | null;
  /** Whether a person has seen who may be the company, and wants a new customer all the same. */
  wantsNew?: boolean;
}

interface CustomerLookup {
  /** Null if there is none yet. */
  record: CustomerRecord | null;
  /** A customer that was passed over because it belongs to another company (decision 11: which customer). */
  conflict: Conflict | null;
}

/**
 * Finds the customer to write, in the specification's order: passed by the caller, the ticket's, by org id, by CRM id. The
 * ticket's gets no org id that another customer has, whose twin it would be. A CRM id that a website user could have written
 * leads to no customer, nor does a name. Throws `customer_not_found` and `identity_conflict` for one passed by the caller, what
 * `requireBind` throws, and HelpdeskError.
 */
export async function findCustomer(
  ctx: Work,
  target: CompanyIds,
  { passed = null, ofTicket = null, asRead, requireBind = null }: CustomerClues,
): Promise<CustomerLookup> {
  if (passed !== null) return findPassed(ctx, target, passed, requireBind);
  const { customers } = ctx.helpdesk;
  const isRead = ofTicket === null || asRead?.name === ofTicket;
  const record = isRead ? ((ofTicket && asRead) ?? null) : await customers.read(ofTicket, ctx.signal);
  const fit = record && (await fitFor(ctx, record, target));
  if (record && fit === 'same') return bind(ctx, record, requireBind);
  const byOrgId = await customers.findByOrgId(target.orgId, ctx.signal);
  const existing = byOrgId.find((one) => fitOf(one, target) === 'same');
  if (record && fit === 'free' && requireBind !== null && existing === undefined) return bind(ctx, record, requireBind);
  const conflict = record && fit === 'other' ? conflictOf(record, target) : null;
  return existing ? { record: existing, conflict } : findByCrmId(ctx, target, conflict);
}

async function findPassed(
  ctx: Work,
  target: CompanyIds,
  passed: string,
  requireBind: CustomerClues['requireBind'],
): Promise<CustomerLookup> {
  const record = await ctx.helpdesk.customers.read(passed, ctx.signal);
  if (record === null) throw new AppError('customer_not_found');
  if (fitOf(record, target) !== 'other') return bind(ctx, record, requireBind);
  const conflict = conflictOf(record, target);
  // Without a company there is nothing to contradict: the customer is just left alone.
  if (orgIdOf(record) === null && target.crmCompanyId === null) return { record: null, conflict };
  throw AppError.conflict(conflict);
}

/** @param before the conflict of a customer that was passed over */
async function findByCrmId(ctx: Work, target: CompanyIds, before: Conflict | null): Promise<CustomerLookup> {
  const { customers, rights } = ctx.helpdesk;
  let conflict = before;
  const found = target.crmCompanyId === null ? [] : await customers.findByCrmId(target.crmCompanyId, ctx.signal);
  for (const record of found) {
    if (fitOf(record, target) === 'other') conflict ??= conflictOf(record, target);
    else if (record.orgId === target.orgId || (await rights.crmIdIsProtected(ctx.signal))) return { record, conflict };
  }
  return { record: null, conflict };
}

/** A customer that somebody named: giving it its first org id is up to them. */
async function bind(
  ctx: Work,
  record: CustomerRecord,
  requireBind: CustomerClues['requireBind'],
): Promise<CustomerLookup> {
  const isKnown = orgIdOf(record) !== null && (await isNamedRight(ctx, record));
  if (!isKnown) await requireBind?.(record.name);
  return { record, conflict: null };
}

/** `fitOf`, where a CRM id, or an org id in the name, that a website user could have written is none. */
export async function fitFor(ctx: Work, record: CustomerRecord, target: CompanyIds): Promise<Fit> {
  if (orgIdOf(record) !== null) return (await isNamedRight(ctx, record)) ? fitOf(record, target) : 'free';
  if (record.crmCompanyId === null) return 'free';
  return (await ctx.helpdesk.rights.crmIdIsProtected(ctx.signal)) ? fitOf(record, target) : 'free';
}

/** Whether no website user can have given it the name by which it is an org id's; one with its org id needs none. */
async function isNamedRight({ helpdesk, signal }: Work, record: CustomerRecord): Promise<boolean> {
  return record.orgId !== null || helpdesk.rights.isDeskOnly(record.name, signal);
}

/** How a customer that belongs to another company contradicts the target. */
export function conflictOf(record: CustomerIdentity, target: CompanyIds): Conflict {
  const carried = orgIdOf(record);
  if (carried !== null && carried !== target.orgId)
    return { code: 'customer_has_other_orgid', asked: target.orgId, found: carried };
  const asked = target.crmCompanyId ?? target.orgId;
  return { code: 'other_company_matched', asked, found: record.crmCompanyId ?? record.name };
}

/** What distinguishes one helpdesk customer from another. */
type CustomerIdentity = Pick<CustomerRecord, 'name' | 'orgId' | 'crmCompanyId'>;

/** `same`: this very customer. `free`: not claimed by any company yet. `other`: a different one, never to be written to. */
type Fit = 'same' | 'free' | 'other';

/**
 * Compares a customer's identity with the target (decision 11: which customer). The org id decides, even if only the
 * name contains it (decision 5: order of org ids); without one, the CRM company that the customer is known to be.
 */
export function fitOf(customer: CustomerIdentity, target: CompanyIds): Fit {
  const carried = orgIdOf(customer);
  if (carried !== null) return carried === target.orgId ? 'same' : 'other';
  if (customer.crmCompanyId === null) return 'free';
  return customer.crmCompanyId === target.crmCompanyId ? 'same' : 'other';
}

/** The customer's org id: from its field, or else from its name. */
export function orgIdOf({ name, orgId }: Pick<CustomerIdentity, 'name' | 'orgId'>): OrgId | null {
  return orgId ?? orgIdInName(name);
}

/** The helpdesk stores names in a column of 140 characters, counted as code points. */
const maxCharacters = 140;

/**
 * The name of a new helpdesk customer: the CRM's name without its trailing ` - <id>`, then ` - <orgid>`
 * (decision 11: which customer). Angle brackets, which the helpdesk refuses in names, and control characters are removed. A
 * name that is too long is cut before the org id, between characters. Without a usable CRM name it is the org id alone.
 *
 * @param count above 1 for a name that is taken: it stands before the org id, behind which it would be read as one
 */
export function customerNameFor(crmName: string | null, orgId: OrgId, count = 1): string {
  const name = nameWithoutId(crmName);
  const isNameless = name === '' || name === orgId;
  if (count === 1 && isNameless) return orgId;
  const ending = `${count === 1 ? '' : ` (${count})`} - ${orgId}`;
  const characters = isNameless ? [] : [...name].slice(0, maxCharacters - ending.length);
  return (characters.join('').trimEnd() + ending).trimStart();
}

/**
 * The name of a company's new customer: the first that no customer has, in the helpdesk's own comparison (decision 11:
 * which customer). `candidate`: who has the plain name, made by hand and by the desk, and may be the company.
 * `has_one`: the company has just got a customer. Throws HelpdeskError, and a conflict where all names are taken.
 */
export async function newCustomerName(
  ctx: Work,
  { companyName, target }: { companyName: string | null; target: CompanyIds },
): Promise<{ name: string; candidate: CustomerRecord | null } | 'has_one'> {
  let candidate: CustomerRecord | null = null;
  for (let count = 1; count <= mostOfAName; count += 1) {
    const name = customerNameFor(companyName, target.orgId, count);
    const taken = await ctx.helpdesk.customers.findNamed(name, ctx.signal);
    if (taken.some((record) => record.orgId === target.orgId)) return 'has_one';
    if (taken.length === 0) return { name, candidate };
    // With this name it has the org id in it, so without another one in its field it is no other company's.
    for (const record of count === 1 ? taken : []) {
      const mayBe = record.orgId === null && (await ctx.helpdesk.rights.isDeskOnly(record.name, ctx.signal));
      if (mayBe) candidate ??= record;
    }
  }
  const [holder] = await ctx.helpdesk.customers.findNamed(customerNameFor(companyName, target.orgId), ctx.signal);
  throw AppError.conflict(conflictOf(holder ?? { name: target.orgId, orgId: null, crmCompanyId: null }, target));
}

/** Whether a customer's name has such a number. */
export function isNumbered(name: string): boolean {
  return /\(\d\) - \d+$/.test(name);
}

/** As many customers of one name and org id as anybody tells apart. */
const mostOfAName = 9;

/** The CRM's name as a person would give it to a customer: without its trailing ` - <id>`; may be empty. */
export function nameWithoutId(crmName: string | null): string {
  const clean = (crmName ?? '')
    .toWellFormed()
    .replaceAll(/[<>]/g, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const name = clean.replace(/(?:^| )- \d{1,20}$/, '').trim();
  // Signs that nobody sees are no name.
  return evenText(name) === '' ? '' : name;
}
