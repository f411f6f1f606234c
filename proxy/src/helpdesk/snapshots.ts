import * as z from 'zod';
import { customerData, customerDataKey } from '#setup/desired-state.ts';
import { DocumentName, Named } from './client.ts';
import { type DoctypeFields, readDoctypeFields } from './doctype-meta.ts';
import { differs } from './field-values.ts';
import { FrappeError, refusalAsOutage } from './frappe-error.ts';
import { HelpdeskError } from './helpdesk.ts';
import type { CompanySnapshot, HelpdeskRecords } from './helpdesk-records.ts';
import { createMetadataCache } from './metadata-cache.ts';
import { type DesiredFields, planWrite } from './plan-write.ts';
import type { Site } from './site.ts';
import { withFields } from './site-fields.ts';

const doctype = customerData.name;

/** A new time of writing alone does not count as a change. */
const timeField = 'last_synced_at';

const rememberMs = 10 * 60_000;

/** How often a write is tried in all; another writer of the same snapshot is hit repeatedly only by chance. */
const maxTries = 3;

const Row = z.looseObject({ name: DocumentName, modified: z.string() });

/**
 * Stores one HD Customer Data per company. A site without that DocType, or where it is closed to the service account,
 * has no snapshots (docs/decisions.md 17): the latter is logged once, and neither is tried again for ten minutes.
 */
export function createSnapshots({
  client,
  service,
  zone,
  enqueue,
  report,
  logger,
  clock,
}: Site): Pick<HelpdeskRecords, 'saveSnapshot'> {
  const meta = createMetadataCache({
    subject: `The fields of ${doctype}`,
    read: (signal) => readDoctypeFields(client, doctype, service, signal),
    logger,
    clock,
  });
  let absentSince = Number.NEGATIVE_INFINITY;

  function absent(reason: string): 'absent' {
    absentSince = clock();
    const message = 'Snapshots of companies cannot be stored on this site';
    // Who has no such DocType has not asked for snapshots.
    if (reason === 'not_found') logger.debug({ doctype, reason }, message);
    else logger.warn({ doctype, reason }, message);
    return 'absent';
  }

  async function upsert(fields: DoctypeFields, snapshot: CompanySnapshot, signal: AbortSignal) {
    const desired = desiredOf(snapshot, fields);
    const siteTime = await zone.get(signal);
    const whole = planWrite(fields, siteTime, null, desired);
    if (customerDataKey.some((field) => !(field in whole.values))) return absent('key_fields');
    report(doctype, whole.skippedFields);
    for (let attempt = 1; ; attempt += 1) {
      const stored = await find(fields, whole.values, desired, signal);
      const { changes, values } = planWrite(fields, siteTime, stored, desired);
      if (!changes.some(({ field }) => field !== timeField)) return 'unchanged';
      try {
        if (stored === null) await client.create(doctype, values, Named, service, signal);
        else {
          const document = { ...values, modified: stored.modified };
          await client.update(doctype, stored.name, document, Named, service, signal);
        }
        return 'written';
      } catch (error) {
        if (!(error instanceof HelpdeskError && error.kind === 'conflict') || attempt === maxTries) throw error;
      }
    }
  }

  /** The oldest of the company's snapshots, so that all writers pick the same one. */
  async function find(
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
    const rows = await client.list(doctype, query, Row, service, signal);
    // The database ignores case and accents, so its results are compared again.
    const same = (row: Record<string, unknown>) =>
      customerDataKey.every((name) => {
        const field = fields.get(name);
        return field !== undefined && !differs(field, row[name], key[name] as string | number);
      });
    return rows.find(same) ?? null;
  }

  const isAbsent = () => clock() - absentSince < rememberMs;

  async function save(snapshot: CompanySnapshot, signal: AbortSignal) {
    if (isAbsent()) return 'absent';
    try {
      return await enqueue(doctype, snapshot.externalId, signal, async () =>
        isAbsent() ? 'absent' : withFields(meta, signal, (fields) => upsert(fields, snapshot, signal)),
      );
    } catch (error) {
      const refused = error instanceof FrappeError && (error.kind === 'not_found' || error.kind === 'forbidden');
      if (!refused) throw error;
      return isAbsent() ? 'absent' : absent(error.kind);
    }
  }

  return { saveSnapshot: (snapshot, signal) => refusalAsOutage(save(snapshot, signal)) };
}

/** A snapshot by field. The link to the customer goes by one of two names (docs/data.md#hd-customer-data). */
function desiredOf(snapshot: CompanySnapshot, fields: DoctypeFields): DesiredFields {
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
