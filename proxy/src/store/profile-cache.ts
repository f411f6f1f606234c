import { OrgId } from '@deskside/shared/orgid';
import { Company } from '@deskside/shared/profile';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { restBetween } from '#runtime/concurrency.ts';
import { fixedRead } from './fixed-read.ts';
import { deleteSome, type StateDb, type StateSchema } from './schema.ts';

// The CRM's last good answers, kept beyond their TTL so that they can be shown when the CRM fails. There is one for each
// org id, whoever asked, and one for each account owner. Entries are keyed by portal, so that no other portal sees them. A
// check never replaces a later one.

/** A company as the CRM has it: normalised, but with instants where the response needs the time of day. */
export interface CrmCompany {
  /** Everything in the contract's Company that does not depend on the current time. */
  fields: CompanyFields;
  /** Epoch milliseconds; null if the CRM has no such date or it is unreadable. */
  planExpiresAt: number | null;
  modifiedAt: number | null;
  /** The company's own e-mail addresses in lower case, including the shop owner's. */
  emails: string[];
  contacts: CrmPerson[];
  /** Names of the CRM fields whose value is the org id. */
  matchedFields: string[];
}

export type CompanyFields = Omit<Company, 'shopplan_status' | 'shopplan_days_left'>;

/** A contact of the company. E-mail addresses are in lower case, telephone numbers as the CRM has them. */
export interface CrmPerson {
  id: string;
  name: string | null;
  post: string | null;
  emails: string[];
  phones: string[];
  url: string | null;
}

export interface CrmUser {
  id: string;
  active: boolean;
  email: string | null;
  name: string | null;
  userType: string | null;
}

/**
 * What the CRM said about an org id: every company of which a field has it, newest first. What that says to whoever goes by
 * one field first stands in crm/answer.ts.
 */
export interface CompanyAnswer {
  companies: CrmCompany[];
  /** When each field was last answered, in epoch milliseconds; a field that never was is missing. */
  answeredAt: Record<string, number>;
}

/** Such an answer to be kept. */
export interface CheckedAnswer extends CompanyAnswer {
  /** Epoch milliseconds of the check. */
  checkedAt: number;
  /** The records as the CRM sent them, by id: JSON texts without files and secrets. */
  payloads: Record<string, string>;
}

/** Which of an org id's answers is kept. */
export interface AnswerVersion {
  /** Epoch milliseconds of the check. */
  checkedAt: number;
  /** The CRM has announced a change since: this is still the last good answer, but no longer a fresh one. */
  outdated: boolean;
}

/** Such an answer as it is kept. */
export interface CachedCompany extends CompanyAnswer, AnswerVersion {}

/** What the CRM said about an account owner. A null user means that the CRM shows no such user. */
export interface CachedUser {
  user: CrmUser | null;
  checkedAt: number;
}

const cacheKey = ['portal', 'kind', 'key'] as const;

/** Rows per statement. */
const portion = 200;

/**
 * A lookup takes seconds, so a stored check further ahead than this was made by a clock that has since been set back.
 * It is replaced; otherwise the entry would not change until that time comes.
 */
const farAheadMs = 10 * 60_000;

/** What is kept of one kind. */
const ofKind = (db: StateDb, portal: string, kind: Row['kind']) =>
  db.selectFrom('crm_cache').where('portal', '=', portal).where('kind', '=', kind);

/** Answers for several org ids of one portal, in the order asked for; none for those that are not known. */
export async function getCompanies(
  db: StateDb,
  portal: string,
  orgIds: readonly OrgId[],
): Promise<Map<OrgId, CachedCompany>> {
  const found = new Map<OrgId, CachedCompany>();
  if (orgIds.length === 0) return found;
  const rows = await ofKind(db, portal, 'company')
    .select(['key', 'answer', 'checked_at', 'outdated_at'])
    .where('key', 'in', orgIds)
    .execute();
  const byOrgId = new Map(rows.map((row) => [row.key, row]));
  for (const orgId of orgIds) {
    const row = byOrgId.get(orgId);
    const answer = row && read(Answer, row.answer);
    if (row && answer) found.set(orgId, { ...answer, ...versionIn(row) });
  }
  return found;
}

/** Which answer is kept, without the answer itself: to read that takes ten times as long. */
export async function getVersion(db: StateDb, portal: string, orgId: OrgId): Promise<AnswerVersion | undefined> {
  const [row] = await versionsOf(db, portal, orgId);
  return row && versionIn(row);
}

const versionsOf = fixedRead((db, portal: string, orgId: string) =>
  ofKind(db, portal, 'company').select(['checked_at', 'outdated_at']).where('key', '=', orgId),
);

function versionIn(row: Pick<Row, 'checked_at' | 'outdated_at'>): AnswerVersion {
  return { checkedAt: row.checked_at, outdated: row.outdated_at !== null };
}

/** The record of one of an org id's companies, as the CRM sent it; null if it is not kept. */
export async function getPayload(db: StateDb, portal: string, orgId: OrgId, crmId: string): Promise<string | null> {
  const row = await ofKind(db, portal, 'company').select('payloads').where('key', '=', orgId).executeTakeFirst();
  return (row?.payloads && read(Payloads, row.payloads)?.[crmId]) ?? null;
}

/**
 * Stores answers, each unless a later one is there. `askedAt` (epoch milliseconds): these answers may not reflect what the
 * CRM announced after that, which stays announced.
 */
export async function putCompanies(
  db: StateDb,
  portal: string,
  entries: ReadonlyMap<OrgId, CheckedAnswer>,
  askedAt: number,
): Promise<void> {
  const rows: Row[] = [];
  for (const [orgId, { companies, answeredAt, checkedAt, payloads }] of entries) {
    const [first = null, ...others] = companies.map(({ fields }) => fields.bitrix_id);
    const common = { portal, checked_at: checkedAt, outdated_at: null };
    rows.push({
      ...common,
      kind: 'company',
      key: orgId,
      company_id: first,
      answer: JSON.stringify({ companies, answeredAt } satisfies CompanyAnswer),
      found: companies.length > 0 ? 1 : 0,
      payloads: JSON.stringify(payloads),
    });
    for (const id of others) {
      const also = { answer: JSON.stringify(orgId), found: 1, payloads: null };
      rows.push({ ...common, ...also, kind: 'also', key: `${orgId} ${id}`, company_id: id });
    }
  }
  if (rows.length === 0) return;
  await put(db, rows, askedAt);
  await markAnnounced(db, portal, rows, askedAt);
}

/** Marks what the CRM announced before there was an answer to mark: it was on its way. */
async function markAnnounced(db: StateDb, portal: string, rows: readonly Row[], askedAt: number): Promise<void> {
  const events = await ofKind(db, portal, 'event')
    .select(['key', 'checked_at'])
    .where('checked_at', '>=', askedAt)
    .execute();
  if (events.length === 0) return;
  const companies = new Set(rows.map((row) => row.company_id));
  for (const { key, checked_at } of events) if (companies.has(key)) await mark(db, portal, key, checked_at);
  // Whichever company it was may be the one that an org id was missing.
  const orgIds = rows.flatMap(({ kind, key }) => (kind === 'company' ? [key] : []));
  await db
    .updateTable('crm_cache')
    .set({ outdated_at: Math.max(...events.map((event) => event.checked_at)) })
    .where('portal', '=', portal)
    .where('kind', '=', 'company')
    .where('key', 'in', orgIds)
    .where('found', '=', 0)
    .execute();
}

/** Nobody waits longer for an answer of the CRM. */
const askedForMs = 5 * 60_000;

/** Remembers that the CRM has announced a change of a company, for answers that are on their way. */
async function noteEvent(db: StateDb, portal: string, crmCompanyId: string, moment: number): Promise<void> {
  await db
    .deleteFrom('crm_cache')
    .where('portal', '=', portal)
    .where('kind', '=', 'event')
    .where('checked_at', '<', moment - askedForMs)
    .execute();
  const row = { kind: 'event', key: crmCompanyId, company_id: null, answer: 'null', found: 1, payloads: null } as const;
  await put(db, [{ ...row, portal, checked_at: moment, outdated_at: null }], 0);
}

/** Deletes every "no such company" in portions, between which everything else gets its turn; returns how many there were. */
export async function deleteNegative(db: StateDb, portal: string): Promise<number> {
  const rest = restBetween();
  for (let deleted = 0; ; await rest()) {
    const condition = sql`portal = ${portal} and found = 0`;
    const count = await deleteSome(db, 'crm_cache', cacheKey, condition, portion);
    deleted += count;
    if (count < portion) return deleted;
  }
}

/** The company changed in the CRM at this time (epoch milliseconds). Returns the org ids whose answers contain it. */
export async function markOutdated(
  db: StateDb,
  portal: string,
  crmCompanyId: string,
  moment: number,
): Promise<OrgId[]> {
  // Comes first, so that an answer is either marked here or finds this.
  await noteEvent(db, portal, crmCompanyId, moment);
  return mark(db, portal, crmCompanyId, moment);
}

async function mark(db: StateDb, portal: string, crmCompanyId: string, moment: number): Promise<OrgId[]> {
  const rows = await db
    .updateTable('crm_cache')
    .set({ outdated_at: moment })
    .where('portal', '=', portal)
    .where('company_id', '=', crmCompanyId)
    .returning(['kind', 'key', 'answer'])
    .execute();
  const marked: OrgId[] = [];
  for (const { kind, key, answer } of rows) {
    if (kind === 'company') marked.push(OrgId.parse(key));
    if (kind !== 'also') continue;
    // It may name an answer that no longer has the company.
    const orgId = OrgId.parse(JSON.parse(answer));
    const leading = await db
      .updateTable('crm_cache')
      .set({ outdated_at: moment })
      .where('portal', '=', portal)
      .where('kind', '=', 'company')
      .where('key', '=', orgId)
      .returning('key')
      .executeTakeFirst();
    if (leading) marked.push(orgId);
  }
  return marked;
}

/** The answer for one account owner. */
export async function getUser(db: StateDb, portal: string, id: string): Promise<CachedUser | null> {
  const row = await ofKind(db, portal, 'user')
    .select(['answer', 'checked_at'])
    .where('key', '=', id)
    .executeTakeFirst();
  const user = row && read(User, row.answer);
  return row === undefined || user === undefined ? null : { user, checkedAt: row.checked_at };
}

/** Stores account owners, each unless a later answer is there. */
export async function putUsers(db: StateDb, portal: string, entries: ReadonlyMap<string, CachedUser>): Promise<void> {
  const rows = [...entries].map(([key, { user, checkedAt }]) => ({
    portal,
    kind: 'user' as const,
    key,
    company_id: null,
    found: 1,
    answer: JSON.stringify(user),
    checked_at: checkedAt,
    outdated_at: null,
    payloads: null,
  }));
  await put(db, rows, 0);
}

/** Deletes entries not checked since the given time (epoch milliseconds), at most `limit`; returns how many. */
export function deleteCheckedBefore(db: StateDb, moment: number, limit: number): Promise<number> {
  return deleteSome(db, 'crm_cache', cacheKey, sql`checked_at < ${moment}`, limit);
}

type Row = StateSchema['crm_cache'];

/** In the order of the keys: on PostgreSQL, two processes writing the same rows in different orders would deadlock. */
async function put(db: StateDb, rows: readonly Row[], askedAt: number): Promise<void> {
  if (rows.length === 0) return;
  const keyOf = ({ kind, key }: Row) => `${kind} ${key}`;
  const stored = sql.ref('crm_cache.checked_at');
  await db
    .insertInto('crm_cache')
    .values(rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))
    .onConflict((conflict) =>
      conflict
        .columns(cacheKey)
        .doUpdateSet(({ ref, case: either }) => ({
          company_id: ref('excluded.company_id'),
          answer: ref('excluded.answer'),
          found: ref('excluded.found'),
          payloads: ref('excluded.payloads'),
          checked_at: ref('excluded.checked_at'),
          outdated_at: either().when('crm_cache.outdated_at', '>=', askedAt).then(ref('crm_cache.outdated_at')).end(),
        }))
        .where(
          sql<boolean>`(excluded.checked_at >= ${stored} or ${stored} > excluded.checked_at + ${sql.lit(farAheadMs)})`,
        ),
    )
    .execute();
}

const text = z.nullable(z.string());
const moment = z.nullable(z.number());

const PersonFields = z.object({
  id: z.string(),
  name: text,
  post: text,
  emails: z.array(z.string()),
  phones: z.array(z.string()),
  url: text,
});

const Answer: z.ZodMiniType<CompanyAnswer> = z.object({
  companies: z.array(
    z.object({
      fields: z.omit(Company, { shopplan_status: true, shopplan_days_left: true }),
      planExpiresAt: moment,
      modifiedAt: moment,
      emails: z.array(z.string()),
      contacts: z.array(PersonFields),
      matchedFields: z.array(z.string()),
    }),
  ),
  answeredAt: z.record(z.string(), z.number()),
});

const Payloads = z.record(z.string(), z.string());

const User: z.ZodMiniType<CrmUser | null> = z.nullable(
  z.object({ id: z.string(), active: z.boolean(), email: text, name: text, userType: text }),
);

/** What a row says; undefined if a version with another shape wrote it. */
function read<T>(schema: z.ZodMiniType<T>, json: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
