import { AccountLink } from '@deskside/shared/profile';
import * as z from 'zod';
import { isRecord, jsonOf } from '#runtime/json.ts';
import { HelpdeskError, isForbidden } from './errors.ts';
import { customerData, customerDataKey } from './fields.ts';
import { DocumentName, NamedDocument, readDoctypeFields } from './frappe.ts';
import { isFieldGone, type Site, SitePart } from './site.ts';
import { textOf } from './text.ts';
import { type DoctypeFields, differs } from './values.ts';
import { type DesiredFields, planWrite } from './write-plan.ts';

/** The raw company as a snapshot (docs/data.md#hd-customer-data). `payload` is scrubbed JSON text. */
export interface CompanySnapshot {
  customer: string;
  externalId: string;
  externalUrl: string | null;
  matchKey: string;
  confidence: number;
  payload: string;
  syncedAt: number;
  /** Whether it may replace one with the same `DATE_MODIFY` (decision 18: what is written). */
  isNew: boolean;
}

const doctype = customerData.name;
/** A new time of writing alone does not count as a change. */
const timeField = 'last_synced_at';
const absentForMs = 10 * 60_000;
/** How often a write is tried in all; another writer of the same snapshot is hit repeatedly only by chance. */
const maxTries = 3;

const Row = z.looseObject({ name: DocumentName, modified: z.string() });

/**
 * Records of a DocType that a site may lack, or close to the service account (decision 16: checked names): they are
 * then not asked for again for ten minutes.
 */
abstract class OptionalRecords extends SitePart {
  private absentSince = Number.NEGATIVE_INFINITY;

  protected isAbsent(): boolean {
    return this.site.clock() - this.absentSince < absentForMs;
  }

  protected noteAbsent(level: 'debug' | 'warn', about: { doctype: string; reason: string }, message: string): void {
    this.absentSince = this.site.clock();
    this.site.logger[level](about, message);
  }
}

/**
 * One HD Customer Data per company. A site without that DocType, or where it is closed to the service account, has no
 * snapshots (decision 16: checked names): the latter is logged once, and neither is tried again for ten minutes.
 */
export class Snapshots extends OptionalRecords {
  private readonly fields = this.site.metadata(`The fields of ${doctype}`, (signal) =>
    readDoctypeFields(this.site.service, doctype, signal),
  );

  /** Upserts by source, entity type and external id. `absent`: the site keeps no snapshots. Throws HelpdeskError. */
  async save(snapshot: CompanySnapshot, signal: AbortSignal): Promise<'written' | 'unchanged' | 'absent'> {
    try {
      return await this.site.write(doctype, snapshot.externalId, signal, async () => {
        if (this.isAbsent()) return 'absent';
        try {
          return await this.upsert(await this.fields.get(signal), snapshot, signal);
        } catch (error) {
          if (!isFieldGone(error)) throw error;
          return this.upsert(await this.fields.renew(signal), snapshot, signal);
        }
      });
    } catch (error) {
      if (!(error instanceof HelpdeskError) || (error.kind !== 'not_found' && !isForbidden(error))) throw error;
      return this.isAbsent() ? 'absent' : this.absent(error.kind === 'not_found' ? 'not_found' : 'forbidden');
    }
  }

  private absent(reason: string): 'absent' {
    // Who has no such DocType has not asked for snapshots.
    const level = reason === 'not_found' ? 'debug' : 'warn';
    this.noteAbsent(level, { doctype, reason }, 'Snapshots of companies cannot be stored on this site');
    return 'absent';
  }

  private async upsert(fields: DoctypeFields, snapshot: CompanySnapshot, signal: AbortSignal) {
    const { service } = this.site;
    const desired = snapshotValues(snapshot, fields);
    const zone = await this.site.zone.get(signal);
    const whole = planWrite(fields, zone, null, desired);
    if (customerDataKey.some((field) => !(field in whole.values))) return this.absent('key_fields');
    this.site.reportSkipped(doctype, whole.skippedFields);
    for (let attempt = 1; ; attempt += 1) {
      const stored = await this.find(fields, whole.values, desired, signal);
      if (stored !== null && !snapshot.isNew && isSameVersion(String(stored.summary_json), snapshot.payload))
        return 'unchanged';
      const { changes, values } = planWrite(fields, zone, stored, desired);
      if (!changes.some(({ field }) => field !== timeField)) return 'unchanged';
      try {
        if (stored === null) await service.create(doctype, values, NamedDocument, signal);
        else
          await service.update(doctype, stored.name, { ...values, modified: stored.modified }, NamedDocument, signal);
        return 'written';
      } catch (error) {
        if (!(error instanceof HelpdeskError && error.kind === 'conflict') || attempt === maxTries) throw error;
      }
    }
  }

  /** The oldest of the company's snapshots, so that all writers pick the same one. */
  private async find(
    fields: DoctypeFields,
    key: Readonly<Record<string, unknown>>,
    desired: DesiredFields,
    signal: AbortSignal,
  ) {
    const query = {
      fields: ['name', 'modified', ...desired.map(([field]) => field).filter((field) => fields.has(field))],
      filters: customerDataKey.map((field) => [field, '=', key[field]]),
      orderBy: 'creation asc, name asc',
      limit: 20,
    };
    const rows = await this.site.service.list(doctype, query, Row, signal);
    // The database ignores case and accents, so its results are compared again.
    const same = (row: Record<string, unknown>) =>
      customerDataKey.every((name) => {
        const field = fields.get(name);
        return field !== undefined && !differs(field, row[name], key[name] as string | number);
      });
    return rows.find(same) ?? null;
  }
}

/** Whether two payloads are of the same version of the company. */
function isSameVersion(one: string, other: string): boolean {
  const [version, otherVersion] = [one, other].map((payload) => {
    const record = jsonOf(payload);
    return isRecord(record) ? record.DATE_MODIFY : undefined;
  });
  return typeof version === 'string' && version === otherVersion;
}

/** A snapshot by field. The link to the customer goes by one of two names (docs/data.md#hd-customer-data). */
function snapshotValues(snapshot: CompanySnapshot, fields: DoctypeFields): DesiredFields {
  const links = ['hd_customer', 'customer'].filter((field) => fields.has(field)).slice(0, 1);
  return [
    ['source', { text: 'crm' }],
    ['entity_type', { text: 'company' }],
    ['external_id', { text: snapshot.externalId }],
    ...links.map((field) => [field, { link: snapshot.customer, to: 'HD Customer' }] as const),
    ...(snapshot.externalUrl === null ? [] : [['external_url', { text: snapshot.externalUrl }] as const]),
    ['match_key', { text: snapshot.matchKey }],
    ['confidence', { text: String(snapshot.confidence) }],
    ['summary_json', { text: snapshot.payload }],
    ...(fields.has(timeField) ? [[timeField, { instant: snapshot.syncedAt }] as const] : []),
  ];
}

const FieldName = z.string().regex(/^[a-z][a-z0-9_]{0,60}$/, 'Expected a field name such as hd_customer.');

/** Name of a field, or null if the site's DocType has no such field. */
const fieldOr = (name: string) => FieldName.nullable().default(name);

/** Which DocType holds a customer's platform accounts, and the names of its fields (docs/data.md#account-links). */
export const AccountLinkConfig = z.strictObject({
  doctype: z.string().trim().min(1, 'Expected the name of a DocType.').max(140, 'Expected at most 140 characters.'),
  /** The field that links to HD Customer. */
  customer_field: FieldName.default('hd_customer'),
  fields: z
    .strictObject({
      user: fieldOr('user'),
      email: fieldOr('email'),
      haravan_userid: fieldOr('haravan_userid'),
      haravan_orgid: fieldOr('haravan_orgid'),
      haravan_orgname: fieldOr('haravan_orgname'),
      last_login: fieldOr('last_login'),
    })
    .prefault({}),
});
export type AccountLinkConfig = z.output<typeof AccountLinkConfig>;

/** Maximum number of entries in a response (docs/data.md#account-links). */
const maxLinks = 20;
const LinkRow = z.looseObject({ customer: z.string() });

/**
 * The site's records of platform accounts (decision 6: what is beside it). A DocType that does not exist, lacks a
 * field, or is closed to the service account is not an error (decision 16: checked names): it is reported once, and not
 * requested again for ten minutes.
 */
export class AccountLinks extends OptionalRecords {
  private readonly config: AccountLinkConfig;

  constructor(site: Site, config: AccountLinkConfig) {
    super(site);
    this.config = config;
  }

  /** Whether the site has such records, as far as known by now; if not, there is no need to read them. */
  areThere(): boolean {
    return !this.isAbsent();
  }

  /** Those linked to a customer, at most 20, latest login first; empty if the site has no such records. */
  async of(customer: string, signal: AbortSignal): Promise<AccountLink[]> {
    if (!this.areThere()) return [];
    const { doctype, customer_field: customerField, fields } = this.config;
    const mapped = Object.entries(fields).flatMap(([key, field]) =>
      field === null ? [] : [`${field} as link_${key}`],
    );
    const query = {
      fields: [`${customerField} as customer`, ...mapped],
      filters: [[customerField, '=', customer]],
      limit: maxLinks,
      ...(fields.last_login !== null && { orderBy: `${fields.last_login} desc` }),
    };
    try {
      const rows = await this.site.service.list(doctype, query, LinkRow, signal);
      return rows.filter((row) => row.customer === customer).map(toLink);
    } catch (error) {
      if (!(error instanceof HelpdeskError) || !isLacking(error)) throw error;
      const reason = isForbidden(error) ? 'forbidden' : error.kind;
      const message = 'The platform accounts of customers cannot be read; profiles are shown without them';
      this.noteAbsent('warn', { doctype, reason }, message);
      return [];
    }
  }
}

function isLacking(error: HelpdeskError): boolean {
  return error.kind === 'not_found' || error.kind === 'rejected' || isForbidden(error);
}

/** Each member of the contract from the column of its name. */
function toLink(row: z.output<typeof LinkRow>): AccountLink {
  const members = Object.keys(AccountLink.shape).map((member) => [member, textOf(row[`link_${member}`])]);
  return Object.fromEntries(members);
}
