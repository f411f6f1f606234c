import type { FieldChange } from '@deskside/shared/enrichment';
import * as z from 'zod';
import type { FrappeClient } from '#adapters/helpdesk-frappe/client/client.ts';
import { FrappeError } from '#adapters/helpdesk-frappe/client/frappe-error.ts';
import type { MetadataCache } from '#adapters/helpdesk-frappe/client/read-cache.ts';
import { refusalAsOutage } from '#adapters/helpdesk-frappe/client/service-refusal.ts';
import type { SiteZone } from '#adapters/helpdesk-frappe/client/site-time.ts';
import type { WriteQueue } from '#adapters/helpdesk-frappe/client/write-queue.ts';
import { customerFieldOf, desiredOf } from '#adapters/helpdesk-frappe/fields/customer-fields.ts';
import type { DoctypeFields } from '#adapters/helpdesk-frappe/fields/doctype-fields.ts';
import { planBack, planWrite, type WritePlan } from '#adapters/helpdesk-frappe/fields/plan-write.ts';
import type { ReportSkippedFields } from '#adapters/helpdesk-frappe/fields/report-skipped-fields.ts';
import { withFields } from '#adapters/helpdesk-frappe/fields/site-fields.ts';
import { toCustomerRecord } from '#adapters/helpdesk-frappe/reads/tickets/read-ticket.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { CustomerFacts, CustomerRecord, HelpdeskRecords } from '#ports/helpdesk/helpdesk-records.ts';

/** How to write HD Customer on this site. */
export interface CustomerSchema {
  fields: DoctypeFields;
  zone: SiteZone;
}

type CustomerRecords = Pick<
  HelpdeskRecords,
  | 'readCustomer'
  | 'findCustomersByOrgId'
  | 'findCustomersByCrmId'
  | 'findCustomersNamed'
  | 'planCustomer'
  | 'createCustomer'
  | 'updateCustomer'
  | 'takeBack'
>;

/** Far more than one org id has. */
const limit = 100;

const Row = z.looseObject({ name: z.string(), modified: z.string() });

/** HD Customer, read and written as the service account. `service` is its Authorization header. */
export function createCustomerRecords(deps: {
  client: FrappeClient;
  service: string;
  schema: MetadataCache<CustomerSchema>;
  enqueue: WriteQueue;
  report: ReportSkippedFields;
}): CustomerRecords {
  const { client, service, schema, enqueue, report } = deps;

  /** Customers whose field holds the value, oldest first; none if the site has no such field. */
  function list(field: string, value: string, signal: AbortSignal): Promise<CustomerRecord[]> {
    const read = async ({ fields, zone }: CustomerSchema) => {
      if (field !== 'name' && !fields.has(field)) return [];
      const query = {
        fields: ['name', 'modified', ...Object.values(customerFieldOf).filter((name) => fields.has(name))],
        filters: [[field, '=', value]],
        orderBy: 'creation asc, name asc',
        limit,
      };
      const rows = await client.list('HD Customer', query, Row, service, signal);
      return rows.map((row) => toCustomerRecord(row, zone));
    };
    return refusalAsOutage(withFields(schema, signal, read));
  }

  function plan(record: CustomerRecord | null, facts: CustomerFacts) {
    const known = schema.known();
    if (known === undefined) throw new HelpdeskError('unavailable', 'Nothing has been read from the helpdesk yet.');
    return planWrite(known.fields, known.zone, record?.stored ?? null, desiredOf(facts, record?.stored ?? null));
  }

  async function write(
    { name, modified }: CustomerRecord,
    changes: FieldChange[],
    values: WritePlan['values'],
    signal: AbortSignal,
  ): Promise<FieldChange[] | 'changed_meanwhile'> {
    if (changes.length === 0) return [];
    try {
      const update = () => client.update('HD Customer', name, { ...values, modified }, Row, service, signal);
      const written = await refusalAsOutage(enqueue(`HD Customer ${name}`, signal, update));
      if (written.name !== name) throw new HelpdeskError('bad_answer', 'A different customer was written.');
      return changes;
    } catch (error) {
      // A missing customer was renamed or deleted.
      if (error instanceof FrappeError && hasChanged.has(error.excType)) return 'changed_meanwhile';
      throw error;
    }
  }

  return {
    // The database's results are compared again: it takes `gom su` for `Gốm Sứ`, and `01` for 1
    // (docs/helpdesk.md#names).
    async readCustomer(name, signal) {
      return (await list('name', name, signal)).find((record) => record.name === name) ?? null;
    },

    async findCustomersByOrgId(orgId, signal) {
      const found = await list(customerFieldOf.platformOrgId, orgId, signal);
      return found.filter((record) => record.orgId === orgId);
    },

    async findCustomersByCrmId(crmCompanyId, signal) {
      const found = await list(customerFieldOf.crmCompanyId, crmCompanyId, signal);
      return found.filter((record) => record.crmCompanyId === crmCompanyId);
    },

    findCustomersNamed: (name, signal) => list('name', name, signal),

    planCustomer: (record, facts) => plan(record, facts).changes,

    async createCustomer(name, facts, signal) {
      const { zone } = await refusalAsOutage(schema.get(signal));
      const { values, skippedFields } = plan(null, facts);
      report('HD Customer', skippedFields);
      const document = { customer_name: name, ...values };
      try {
        const create = () => client.create('HD Customer', document, Row, service, signal);
        return toCustomerRecord(await refusalAsOutage(enqueue(`HD Customer ${name}`, signal, create)), zone);
      } catch (error) {
        if (error instanceof FrappeError && nameIsTaken.has(error.excType)) return null;
        throw error;
      }
    },

    async updateCustomer(record, facts, signal) {
      await refusalAsOutage(schema.get(signal));
      const { changes, values, skippedFields } = plan(record, facts);
      report('HD Customer', skippedFields);
      return write(record, changes, values, signal);
    },

    async takeBack(record, changes, signal) {
      const { fields } = await refusalAsOutage(schema.get(signal));
      const { due, values } = planBack(fields, record.stored, changes, checkTime);
      return write(record, due, values, signal);
    },
  };
}

/** Profiles move it on. */
const checkTime: ReadonlySet<string> = new Set([customerFieldOf.lastCheckedAt]);
const nameIsTaken: ReadonlySet<string | null> = new Set(['DuplicateEntryError', 'UniqueValidationError']);
const hasChanged: ReadonlySet<string | null> = new Set(['TimestampMismatchError', 'DoesNotExistError']);
