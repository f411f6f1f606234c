import * as z from 'zod';
import type { Clock } from '../../ports/clock.ts';
import { HelpdeskError } from '../../ports/helpdesk.ts';
import type { CompanySnapshot, HelpdeskRecords } from '../../ports/helpdesk-records.ts';
import type { Logger } from '../../ports/logger.ts';
import { asService } from './as-service.ts';
import { DocumentName, type FrappeClient } from './client.ts';
import { type DoctypeFields, readDoctypeFields } from './doctype-fields.ts';
import { differs } from './field-values.ts';
import { FrappeError } from './frappe-error.ts';
import type { ReportLeftOut } from './left-out.ts';
import { planWrite, type WantedFields } from './plan-write.ts';
import { type Remembered, remember } from './remembered.ts';
import { withFields } from './site-fields.ts';
import type { SiteZone } from './site-time.ts';
import type { WriteQueue } from './write-queue.ts';

const doctype = 'HD Customer Data';

/** The fields that tell snapshots apart (spec.md, "HD Customer Data"). Names of documents are the site's own business. */
const keyFields = ['source', 'entity_type', 'external_id'] as const;

/** The time of writing is no change of what is written. */
const timeField = 'last_synced_at';

const rememberMs = 10 * 60_000;

/** Somebody who writes the same snapshot at the same time is met again only by chance. */
const mostTries = 3;

const Row = z.looseObject({ name: DocumentName, modified: z.string() });
const Written = z.object({ name: DocumentName });

/**
 * Keeps one HD Customer Data per company. A site without that DocType, or one that is closed to the service account,
 * keeps no snapshots (design.md, decision 17): this is said once, and not asked again for ten minutes.
 *
 * @param deps.service Authorization header of the service account
 */
export function createSnapshots(deps: {
  client: FrappeClient;
  service: string;
  zone: Remembered<SiteZone>;
  enqueue: WriteQueue;
  report: ReportLeftOut;
  logger: Logger;
  clock: Clock;
}): Pick<HelpdeskRecords, 'saveSnapshot'> {
  const { client, service, zone, enqueue, report, logger, clock } = deps;
  const meta = remember({
    subject: `The fields of ${doctype}`,
    read: (signal) => readDoctypeFields(client, doctype, service, signal),
    logger,
    clock,
  });
  let absentSince = Number.NEGATIVE_INFINITY;

  function absent(reason: string): 'absent' {
    absentSince = clock();
    logger.warn({ doctype, reason }, 'Snapshots of companies cannot be kept on this site');
    return 'absent';
  }

  async function upsert(fields: DoctypeFields, snapshot: CompanySnapshot, signal: AbortSignal) {
    const wanted = wantedOf(snapshot, fields);
    const siteTime = await zone.get(signal);
    const whole = planWrite(fields, siteTime, null, wanted);
    if (keyFields.some((field) => !(field in whole.values))) return absent('key_fields');
    report(doctype, whole.leftOut);
    for (let attempt = 1; ; attempt += 1) {
      const stored = await find(fields, whole.values, wanted, signal);
      const { changes, values } = planWrite(fields, siteTime, stored, wanted);
      if (!changes.some(({ field }) => field !== timeField)) return 'unchanged';
      try {
        if (stored === null) await client.create(doctype, values, Written, service, signal);
        else {
          const document = { ...values, modified: stored.modified };
          await client.update(doctype, stored.name, document, Written, service, signal);
        }
        return 'written';
      } catch (error) {
        if (!(error instanceof HelpdeskError && error.kind === 'conflict') || attempt === mostTries) throw error;
      }
    }
  }

  /** The oldest of the company's snapshots, so that every writer takes the same. */
  async function find(
    fields: DoctypeFields,
    key: Readonly<Record<string, unknown>>,
    wanted: WantedFields,
    signal: AbortSignal,
  ) {
    const query = {
      fields: ['name', 'modified', ...wanted.map(([field]) => field).filter((field) => fields.has(field))],
      filters: keyFields.map((field) => [field, '=', key[field]]),
      orderBy: 'creation asc, name asc',
      limit: 20,
    };
    const rows = await client.list(doctype, query, Row, service, signal);
    // The database compares without regard to case and accents: what it finds is compared again.
    const same = (row: Record<string, unknown>) =>
      keyFields.every((name) => {
        const field = fields.get(name);
        return field !== undefined && !differs(field, row[name], key[name] as string | number);
      });
    return rows.find(same) ?? null;
  }

  const isAbsent = () => clock() - absentSince < rememberMs;

  async function save(snapshot: CompanySnapshot, signal: AbortSignal) {
    if (isAbsent()) return 'absent';
    try {
      return await enqueue(`${doctype} ${snapshot.externalId}`, signal, async () =>
        isAbsent() ? 'absent' : withFields(meta, signal, (fields) => upsert(fields, snapshot, signal)),
      );
    } catch (error) {
      const refused = error instanceof FrappeError && (error.kind === 'not_found' || error.kind === 'forbidden');
      if (!refused) throw error;
      return isAbsent() ? 'absent' : absent(error.kind);
    }
  }

  return { saveSnapshot: (snapshot, signal) => asService(save(snapshot, signal)) };
}

/** A snapshot by field. The link to the customer has either of two names (facts/domain.md 1.14). */
function wantedOf(snapshot: CompanySnapshot, fields: DoctypeFields): WantedFields {
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
