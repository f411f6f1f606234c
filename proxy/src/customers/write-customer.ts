import type { EnrichmentData, FieldChange } from '@deskside/shared/enrichment';
import type { Conflict } from '@deskside/shared/envelope';
import type { Work } from '#context.ts';
import type { Lookup } from '#crm/lookup.ts';
import type { CustomerRecord } from '#helpdesk/customers.ts';
import { HelpdeskError, hideServiceRefusal } from '#helpdesk/errors.ts';
import type { CustomerFacts } from '#helpdesk/fields.ts';
import { AppError, retryIfChanged } from '#runtime/app-error.ts';
import { reasonOf } from '#runtime/jobs.ts';
import * as deskList from '#store/desk-list.ts';
import * as syncs from '#store/syncs.ts';
import type { CompanyIds } from '#trust/companies.ts';
import { companyFacts, compareVersions, isLaterCheck, type Match, targetOf } from './facts.ts';
import {
  type CustomerClues,
  conflictOf,
  customerNameFor,
  findCustomer,
  newCustomerName,
  orgIdOf,
} from './find-customer.ts';

/**
 * What a match says about a customer, without timestamps. If the CRM has nothing new, only that it still matches: the
 * values already there, including a person's edits, are left alone. `mends`, where somebody asks for it: then also what is
 * blank; and everything where the CRM has gone back to an older version since the last check (decision 18: what is written).
 */
export function matchFacts(
  { helpdesk, platformHost }: Pick<Work, 'helpdesk' | 'platformHost'>,
  match: Match,
  record: CustomerRecord | null,
  mends: boolean,
): CustomerFacts {
  const { orgId, company, shopDomain } = match;
  const facts = companyFacts(company);
  const state = { syncStatus: 'matched' } as const;
  const byOrgId = platformHost === null ? null : `${orgId}.${platformHost}`;
  const myplatform = shopDomain ?? byOrgId;
  const domain = myplatform === null ? {} : { myplatform };
  const version = versionFor(match, record, mends);
  if (record === null || version === 'newer') return { platformOrgId: orgId, ...domain, ...facts, ...state };
  if (!mends || version === 'older') return state;
  const { crmCompanyUrl, matchConfidence, segment, shopPlan } = facts;
  const mendable = { ...domain, matchConfidence, crmCompanyUrl, segment, shopPlan };
  const blank = Object.entries(mendable).filter(([key, value]) => {
    const [change] = value === undefined ? [] : helpdesk.customers.plan(record, { [key]: value });
    return change !== undefined && (change.from === null || change.from === '');
  });
  return { ...Object.fromEntries(blank), ...state };
}

/**
 * How the version that the CRM has compares with the customer's. An older one counts as news if somebody asked for it, and the
 * CRM said so after the customer's last check.
 */
function versionFor({ orgId, company, checkedAt }: Match, record: CustomerRecord | null, mends: boolean) {
  if (record?.orgId !== orgId) return 'newer';
  const version = compareVersions(record, companyFacts(company));
  return version === 'older' && mends && isLaterCheck(checkedAt, record.lastCheckedAt) ? 'newer' : version;
}

/** `matchFacts` with timestamps: of the check if it is a later one, of the sync if there is anything to sync. */
function withTimes(
  { helpdesk }: Work,
  facts: CustomerFacts,
  checkedAt: number,
  record: CustomerRecord | null,
): CustomerFacts {
  const { syncStatus: _, ...ofCompany } = facts;
  const syncs = Object.keys(ofCompany).length > 0 && helpdesk.customers.plan(record, facts).length > 0;
  return {
    ...facts,
    ...(syncs && { lastSyncedAt: checkedAt }),
    ...(isLaterCheck(checkedAt, record?.lastCheckedAt ?? null) && { lastCheckedAt: checkedAt }),
  };
}

/** `snapshot`: whether the company's was written. */
interface AppliedMatch extends WrittenCustomer {
  snapshot: NonNullable<EnrichmentData['snapshot']>;
}

/** How a match is applied, beyond where its customer is looked for. */
interface ApplyOptions extends CustomerClues {
  /** Whether to mend what is blank or out of date although the CRM has nothing new (decision 18: what is written). */
  mends: boolean;
  /** Why a customer without org id that was named, or is the ticket's, becomes this company. */
  adopting?: syncs.NewAdoption | null;
}

/**
 * Brings the helpdesk's customer and the company's snapshot in line with the CRM. Repeatable: what was done is left as
 * it is, and what a crash left out is done. Callers must not run it concurrently for one org id.
 */
export async function applyMatch(ctx: Work, match: Match, how: ApplyOptions): Promise<AppliedMatch> {
  const { helpdesk, db } = ctx;
  const { mends, adopting = null, ...search } = how;
  const { company_name: companyName } = match.company.fields;
  const target = targetOf(match);
  const factsFor = async (record: CustomerRecord | null) => {
    const facts = withTimes(ctx, matchFacts(ctx, match, record, mends), match.checkedAt, record);
    const isAdopted = record?.orgId === null && [search.passed, search.ofTicket].includes(record.name);
    if (adopting !== null && isAdopted) {
      const changes = helpdesk.customers.plan(record, facts);
      await syncs.recordAdoption(db, { ...adopting, ...target, customer: record.name, companyName, changes });
    }
    return facts;
  };
  const written = await writeCustomer(ctx, { target, search, factsFor, companyName });
  if (written === null) throw new TypeError('A customer with a name to create it by was not created.');
  const conflict = written.conflict ?? replaced(written, match);
  const version = versionFor(match, written.before, mends);
  return { ...written, conflict, snapshot: await saveSnapshot(ctx, match, written.name, version) };
}

async function saveSnapshot(
  { crm, helpdesk, signal }: Work,
  { orgId, company, checkedAt }: Match,
  customer: string,
  version: ReturnType<typeof versionFor>,
): Promise<AppliedMatch['snapshot']> {
  const { bitrix_id: externalId, url: externalUrl } = company.fields;
  // What the operator has just purged is not written either.
  const payload = version === 'older' ? null : await crm?.cache.payload(orgId, externalId);
  if (payload == null) return 'unchanged';
  const matchKey = `platform_orgid:${company.matchedFields[0]}`;
  const ofCompany = { customer, externalId, externalUrl, matchKey, confidence: 95 };
  return helpdesk.snapshots.save({ ...ofCompany, payload, syncedAt: checkedAt, isNew: version === 'newer' }, signal);
}

/** The customer stood for another of the org id's companies in the CRM (docs/crm.md#lost-filters). */
function replaced({ before }: WrittenCustomer, { company, others }: Match): Conflict | null {
  const asked = before?.crmCompanyId ?? null;
  const isOther = asked !== null && others.includes(asked);
  return isOther ? { code: 'other_company_matched', asked, found: company.fields.bitrix_id } : null;
}

/** Records on the customer, if there is one, that the CRM has no company. Blanks nothing. Throws HelpdeskError and AppError. */
export async function noteNotFound(ctx: Work, search: CustomerClues, looked: Lookup): Promise<EnrichmentData> {
  const checkedAt = looked.checkedAt ?? 0;
  const noted = await note(ctx, search, looked, (record) => {
    const isLater = isLaterCheck(checkedAt, record?.lastCheckedAt ?? null);
    return { syncStatus: 'not_found', ...(isLater && { lastCheckedAt: checkedAt, notFoundAt: checkedAt }) };
  });
  return { status: looked.status, outcome: 'not_found', stale: looked.stale, ...noted };
}

/** That the CRM failed: the failure itself is the answer; if it cannot be recorded as well, that goes to the log. */
export async function noteFailure(ctx: Work, search: CustomerClues, looked: Lookup): Promise<EnrichmentData> {
  const noted = await note(ctx, search, looked, () => ({ syncStatus: 'error' })).catch((failure: unknown) => {
    if (!(failure instanceof HelpdeskError)) throw failure;
    ctx.logger.warn({ error: reasonOf(failure) }, 'A failed CRM check could not be recorded on the customer');
    return { hd_customer: null, changes: [] };
  });
  const error = { code: looked.error ?? 'bad_answer', request_id: '' };
  return { status: 'error', outcome: looked.outcome, stale: looked.stale, ...noted, error };
}

async function note(
  ctx: Work,
  { requireBind, ...named }: CustomerClues,
  { value: orgId }: Lookup,
  factsFor: (record: CustomerRecord | null) => CustomerFacts,
) {
  // What is noted makes no customer a company's.
  const search = { ...named, requireBind: requireBind && (async () => {}) };
  const written = await writeCustomer(ctx, { target: { orgId, crmCompanyId: null }, search, factsFor });
  return { hd_customer: written?.name ?? null, changes: written?.changes ?? [], conflict: written?.conflict ?? null };
}

interface WrittenCustomer {
  name: string;
  created: boolean;
  changes: FieldChange[];
  conflict: Conflict | null;
  /** The record as found; null for a new one. */
  before: CustomerRecord | null;
}

interface CustomerWrite {
  target: CompanyIds;
  search: CustomerClues;
  /** What to write, computed again for every version of the record; null stands for a new one. */
  factsFor: (record: CustomerRecord | null) => Promise<CustomerFacts> | CustomerFacts;
  /** By which a new customer is called; without it none is made. */
  companyName?: string | null;
}

/**
 * The one way to write a customer: what differs, to the one that the search finds, or to a new one; null if there is none
 * and none is to be made. If someone else has written meanwhile, everything is computed again from the current record, and
 * values that they changed are left alone (decision 18: what is written). Throws what `findCustomer` throws, a conflict
 * that names the customer beside which a twin would be made, `changed_since` and HelpdeskError.
 */
async function writeCustomer(
  ctx: Work,
  { target, search, factsFor, companyName }: CustomerWrite,
): Promise<WrittenCustomer | null> {
  const { customers } = ctx.helpdesk;
  let first: CustomerRecord | null = null;
  return retryIfChanged(async (isFirst) => {
    // What was read before somebody else wrote is read again.
    const found = await findCustomer(ctx, target, isFirst ? search : { ...search, asRead: null });
    const { conflict } = found;
    const { record } = found;
    if (record === null) {
      if (companyName === undefined) return null;
      const { wantsNew = false, ofTicket = null } = search;
      if (!wantsNew) await requireNoTwin(ctx, target, ofTicket);
      const facts = await factsFor(null);
      let created = await customers.create(customerNameFor(companyName, target.orgId), facts, ctx.signal);
      const beside = created === null ? await nameBeside(ctx, target, { companyName, wantsNew }) : null;
      if (beside !== null) created = await customers.create(beside, facts, ctx.signal);
      if (created !== null)
        return { name: created.name, created: true, changes: customers.plan(null, facts), conflict, before: null };
      // Someone else is just creating a customer of that name: the next search finds it, or another name.
      return 'changed_meanwhile';
    }
    const facts = await factsFor(record);
    const wanted = first?.name === record.name ? withoutEdited(ctx, first, record, facts) : facts;
    const changes = await customers.update(record, wanted, ctx.signal);
    if (changes !== 'changed_meanwhile')
      return { name: record.name, created: false, changes, conflict, before: record };
    first ??= record;
    return changes;
  });
}

/**
 * The ticket's own customer may carry the org id in a name that a website user could have written: no twin is made beside it.
 * Throws the conflict that names it; an agent's Sync may say that it is the company (decision 12: made by hand).
 */
async function requireNoTwin({ helpdesk, signal }: Work, target: CompanyIds, ofTicket: string | null): Promise<void> {
  const record = ofTicket === null ? null : await helpdesk.customers.read(ofTicket, signal);
  if (record !== null && orgIdOf(record) === target.orgId) throw AppError.conflict(conflictOf(record, target));
}

/**
 * The name of a company's customer whose plain one is taken. Where who has it may be the company, a person decides: throws the conflict
 * that names them, unless somebody wants a new one all the same. Null if the company has got a customer meanwhile.
 */
async function nameBeside(
  ctx: Work,
  target: CompanyIds,
  { companyName, wantsNew }: { companyName: string | null; wantsNew: boolean },
): Promise<string | null> {
  const free = await newCustomerName(ctx, { companyName, target });
  if (free === 'has_one') return null;
  const { name, candidate } = free;
  if (candidate === null || wantsNew) return name;
  throw AppError.conflict({ code: 'name_taken', asked: target.orgId, found: candidate.name });
}

/** The facts without those whose value was edited between two reads of the record. */
function withoutEdited(
  { helpdesk: { customers } }: Work,
  before: CustomerRecord,
  now: CustomerRecord,
  facts: CustomerFacts,
): CustomerFacts {
  const kept = Object.entries(facts).filter(([key, value]) => {
    const [was] = customers.plan(before, { [key]: value });
    const [is] = customers.plan(now, { [key]: value });
    return is === undefined || (was !== undefined && is.from === was.from);
  });
  return Object.fromEntries(kept);
}

/**
 * `already`: it is this company, by nobody's adopting. `other_identity`: it is another company by now. `company_has_customer`:
 * the company is another customer, which this one would be a twin of. `gone`: there is no such customer.
 */
export interface AdoptOutcome {
  outcome: 'adopted' | 'already' | 'gone' | 'other_identity' | 'company_has_customer';
  adoption?: syncs.Adoption;
  /** The other company, or the other customer. */
  other?: string;
}

/**
 * Makes a customer without org id the company of a match (decision 12: made by hand): recorded with what was there before, and
 * then written as every company is. Repeatable, also after `kill -9`. Throws AppError `changed_since` and if the helpdesk
 * fails.
 */
export async function adoptCustomer(
  caller: Work,
  { customer, match, ...cause }: { customer: string; match: Match } & Omit<syncs.NewAdoption, 'at'>,
): Promise<AdoptOutcome> {
  return lockCompany(caller, match.orgId, async (ctx) => {
    const before = await ctx.helpdesk.customers.read(customer, ctx.signal);
    if (before === null) return { outcome: 'gone' };
    try {
      if (before.orgId !== match.orgId) {
        const { record: own } = await findCustomer(ctx, targetOf(match), {});
        if (own !== null && own.name !== customer) return { outcome: 'company_has_customer', other: own.name };
        await applyMatch(ctx, match, { passed: customer, mends: false, adopting: { ...cause, at: ctx.clock() } });
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'customer_not_found') return { outcome: 'gone' };
      if (error.code === 'identity_conflict') return { outcome: 'other_identity', other: error.conflict?.found ?? '' };
      throw error;
    }
    const adoption = await syncs.standingAdoption(ctx.db, customer, match.orgId);
    return adoption === null ? { outcome: 'already' } : { outcome: 'adopted', adoption };
  });
}

/** Runs work on the customer of a company on which nobody else works meanwhile. Throws AppError if the helpdesk fails. */
function lockCompany<T>(ctx: Work, orgId: string, work: (ctx: Work) => Promise<T>): Promise<T> {
  const within = (signal: AbortSignal) => work({ ...ctx, signal: AbortSignal.any([signal, ctx.signal]) });
  return hideServiceRefusal(ctx.withLock(`enrich ${orgId}`, within));
}

/**
 * Takes an adoption back: the customer is what it was, as far as nobody else has changed it since, and no company's any
 * more. One that is another company by now stays what it is. Repeatable. Null if there is no such adoption; returns it
 * and what changed on the customer. Throws AppError `changed_since` and if the helpdesk fails.
 */
export async function undoAdoption(
  ctx: Work,
  id: string,
): Promise<{ adoption: syncs.Adoption; changes: FieldChange[] } | null> {
  const adoption = await syncs.adoption(ctx.db, id);
  if (adoption === null) return null;
  return { adoption, changes: await lockCompany(ctx, adoption.orgId, (locked) => releaseCustomer(locked, adoption)) };
}

/** `undoAdoption` for callers that hold the company's lock. Throws AppError `changed_since` and HelpdeskError. */
export async function releaseCustomer(
  { helpdesk, db, clock, signal }: Work,
  { id, customer, orgId, changes }: syncs.Adoption,
): Promise<FieldChange[]> {
  const back = await retryIfChanged(async () => {
    const record = await helpdesk.customers.read(customer, signal);
    return record?.orgId === orgId ? helpdesk.customers.takeBack(record, changes, signal) : [];
  });
  await syncs.markUndone(db, id, clock());
  await deskList.unlistPeople(db, customer, orgId, clock());
  return back;
}

/**
 * Makes a customer the company again of which an adoption was undone, as far as it still shows what it was before. Nothing
 * if it is a company's by now, or the company has another customer. Repeatable. Throws as `undoAdoption` does.
 */
export async function restoreAdoption(caller: Work, id: string): Promise<void> {
  const adoption = await syncs.adoption(caller.db, id);
  if (adoption === null || adoption.undoneAt === null) return;
  const { customer, orgId, changes } = adoption;
  const again = changes.map(({ field, from, to }) => ({ field, from: to, to: from }));
  await lockCompany(caller, orgId, async ({ helpdesk: { customers }, db, signal }) => {
    const restored = await retryIfChanged(async () => {
      const record = await customers.read(customer, signal);
      const others = await customers.findByOrgId(orgId, signal);
      if (record === null || orgIdOf(record) !== null || others.length > 0) return null;
      return customers.takeBack(record, again, signal);
    });
    if (restored !== null) await syncs.restore(db, id);
  });
}
