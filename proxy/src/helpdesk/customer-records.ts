import type { FieldChange } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import * as z from 'zod';
import { customerFieldOf, desiredOf } from './customer-fields.ts';
import { FrappeError } from './frappe-error.ts';
import { HelpdeskError } from './helpdesk.ts';
import type { CustomerFacts, CustomerRecord } from './helpdesk-records.ts';
import { planBack, planWrite, type WritePlan } from './plan-write.ts';
import { toCustomerRecord } from './read-ticket.ts';
import type { Site } from './site.ts';
import { withFields } from './site-fields.ts';

// HD Customer, read and written as `HelpdeskRecords` has it. The database's results are compared again: it takes `gom su` for
// `Gốm Sứ`, and `01` for 1 (docs/helpdesk.md#names).

/** Far more than one org id has. */
const limit = 100;

const Row = z.looseObject({ name: z.string(), modified: z.string() });

/** Profiles move it on. */
const checkTime: ReadonlySet<string> = new Set([customerFieldOf.lastCheckedAt]);
const nameIsTaken: ReadonlySet<string | null> = new Set(['DuplicateEntryError', 'UniqueValidationError']);
const hasChanged: ReadonlySet<string | null> = new Set(['TimestampMismatchError', 'DoesNotExistError']);

/** Null if there is none with exactly this name. */
export async function readCustomer(at: Site, name: string, signal: AbortSignal): Promise<CustomerRecord | null> {
  return (await list(at, 'name', name, signal)).find((record) => record.name === name) ?? null;
}

export async function findCustomersByOrgId(at: Site, orgId: OrgId, signal: AbortSignal): Promise<CustomerRecord[]> {
  return (await list(at, customerFieldOf.platformOrgId, orgId, signal)).filter((record) => record.orgId === orgId);
}

export async function findCustomersByCrmId(at: Site, id: string, signal: AbortSignal): Promise<CustomerRecord[]> {
  return (await list(at, customerFieldOf.crmCompanyId, id, signal)).filter((record) => record.crmCompanyId === id);
}

/** Those whose name the helpdesk takes for this one, whatever its case and accents. */
export function findCustomersNamed(at: Site, name: string, signal: AbortSignal): Promise<CustomerRecord[]> {
  return list(at, 'name', name, signal);
}

/** Customers whose field holds the value, oldest first; none if the site has no such field. */
async function list(at: Site, field: string, value: string, signal: AbortSignal): Promise<CustomerRecord[]> {
  const { client, service, site } = at;
  const zone = await at.zone.get(signal);
  return withFields(site, signal, async (siteFields) => {
    const fields = siteFields.of('HD Customer');
    if (field !== 'name' && !fields.has(field)) return [];
    const query = {
      fields: ['name', 'modified', ...Object.values(customerFieldOf).filter((name) => fields.has(name))],
      filters: [[field, '=', value]],
      orderBy: 'creation asc, name asc',
      limit,
    };
    const rows = await client.list('HD Customer', query, Row, service, signal);
    return rows.map((row) => toCustomerRecord(row, zone));
  });
}

/** What writing these facts would change. Makes no request. */
export function planCustomer(at: Site, record: CustomerRecord | null, facts: CustomerFacts): FieldChange[] {
  return plan(at, record, facts).changes;
}

/** Creates a customer; null if the name is taken. */
export async function createCustomer(
  at: Site,
  name: string,
  facts: CustomerFacts,
  signal: AbortSignal,
): Promise<CustomerRecord | null> {
  const { client, service, enqueue, report } = at;
  const [zone] = await Promise.all([at.zone.get(signal), at.site.get(signal)]);
  const { values, skippedFields } = plan(at, null, facts);
  report('HD Customer', skippedFields);
  const document = { customer_name: name, ...values };
  try {
    const create = () => client.create('HD Customer', document, Row, service, signal);
    return toCustomerRecord(await enqueue('HD Customer', name, signal, create), zone);
  } catch (error) {
    if (error instanceof FrappeError && nameIsTaken.has(error.excType)) return null;
    throw error;
  }
}

/** Writes what differs. */
export async function updateCustomer(
  at: Site,
  record: CustomerRecord,
  facts: CustomerFacts,
  signal: AbortSignal,
): Promise<FieldChange[] | 'changed_meanwhile'> {
  await Promise.all([at.site.get(signal), at.zone.get(signal)]);
  const { changes, values, skippedFields } = plan(at, record, facts);
  at.report('HD Customer', skippedFields);
  return write(at, record, changes, values, signal);
}

/** Takes back changes that `updateCustomer` made, as far as their fields still show what it wrote. */
export async function takeBack(
  at: Site,
  record: CustomerRecord,
  changes: readonly FieldChange[],
  signal: AbortSignal,
): Promise<FieldChange[] | 'changed_meanwhile'> {
  const fields = (await at.site.get(signal)).of('HD Customer');
  const { due, values } = planBack(fields, record.stored, changes, checkTime);
  return write(at, record, due, values, signal);
}

function plan({ site, zone }: Site, record: CustomerRecord | null, facts: CustomerFacts): WritePlan {
  const [fields, siteTime, stored] = [site.known(), zone.known(), record?.stored ?? null];
  if (fields === undefined || siteTime === undefined)
    throw new HelpdeskError('unavailable', 'Nothing has been read from the helpdesk yet.');
  return planWrite(fields.of('HD Customer'), siteTime, stored, desiredOf(facts, stored));
}

async function write(
  { client, service, enqueue }: Site,
  { name, modified }: CustomerRecord,
  changes: FieldChange[],
  values: WritePlan['values'],
  signal: AbortSignal,
): Promise<FieldChange[] | 'changed_meanwhile'> {
  if (changes.length === 0) return [];
  try {
    const update = () => client.update('HD Customer', name, { ...values, modified }, Row, service, signal);
    const written = await enqueue('HD Customer', name, signal, update);
    if (written.name !== name) throw new HelpdeskError('bad_answer', 'A different customer was written.');
    return changes;
  } catch (error) {
    // A missing customer was renamed or deleted.
    if (error instanceof FrappeError && hasChanged.has(error.excType)) return 'changed_meanwhile';
    throw error;
  }
}
