import * as z from 'zod';
import { customerData, customerDataKey } from './desired-fields.ts';
import { readDoctypeFields } from './doctype.ts';
import { HelpdeskError, isForbidden } from './errors.ts';
import { DocumentName, Named } from './frappe.ts';
import { isFieldGone, type Metadata, type Site } from './site.ts';
import type { DoctypeFields } from './values.ts';
import { type DesiredFields, differs, planWrite } from './values.ts';

/** The raw company as a snapshot (docs/data.md#hd-customer-data). `payload` is scrubbed JSON text. */
export interface CompanySnapshot {
  customer: string;
  externalId: string;
  externalUrl: string | null;
  matchKey: string;
  confidence: number;
  payload: string;
  syncedAt: number;
}

const doctype = customerData.name;
/** A new time of writing alone does not count as a change. */
const timeField = 'last_synced_at';
const rememberMs = 10 * 60_000;
/** How often a write is tried in all; another writer of the same snapshot is hit repeatedly only by chance. */
const maxTries = 3;

const Row = z.looseObject({ name: DocumentName, modified: z.string() });

/**
 * One HD Customer Data per company. A site without that DocType, or where it is closed to the service account, has no
 * snapshots (docs/decisions.md 16): the latter is logged once, and neither is tried again for ten minutes.
 */
export class Snapshots {
  private readonly site: Site;
  private readonly fields: Metadata<DoctypeFields>;
  private absentSince = Number.NEGATIVE_INFINITY;

  constructor(site: Site) {
    this.site = site;
    this.fields = site.metadata(`The fields of ${doctype}`, (signal) =>
      readDoctypeFields(site.service, doctype, signal),
    );
  }

  /** Upserts by source, entity type and external id. `absent`: the site keeps no snapshots. Throws HelpdeskError. */
  async save(snapshot: CompanySnapshot, signal: AbortSignal): Promise<'written' | 'unchanged' | 'absent'> {
    if (this.isAbsent()) return 'absent';
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
      return this.isAbsent() ? 'absent' : this.noteAbsent(error.kind === 'not_found' ? 'not_found' : 'forbidden');
    }
  }

  private isAbsent(): boolean {
    return this.site.clock() - this.absentSince < rememberMs;
  }

  private noteAbsent(reason: string): 'absent' {
    this.absentSince = this.site.clock();
    const message = 'Snapshots of companies cannot be stored on this site';
    // Who has no such DocType has not asked for snapshots.
    if (reason === 'not_found') this.site.logger.debug({ doctype, reason }, message);
    else this.site.logger.warn({ doctype, reason }, message);
    return 'absent';
  }

  private async upsert(fields: DoctypeFields, snapshot: CompanySnapshot, signal: AbortSignal) {
    const { service } = this.site;
    const desired = snapshotValues(snapshot, fields);
    const zone = await this.site.zone.get(signal);
    const whole = planWrite(fields, zone, null, desired);
    if (customerDataKey.some((field) => !(field in whole.values))) return this.noteAbsent('key_fields');
    this.site.reportSkipped(doctype, whole.skippedFields);
    for (let attempt = 1; ; attempt += 1) {
      const stored = await this.find(fields, whole.values, desired, signal);
      const { changes, values } = planWrite(fields, zone, stored, desired);
      if (!changes.some(({ field }) => field !== timeField)) return 'unchanged';
      try {
        if (stored === null) await service.create(doctype, values, Named, signal);
        else await service.update(doctype, stored.name, { ...values, modified: stored.modified }, Named, signal);
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
