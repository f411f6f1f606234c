import { parseOrgId } from '@deskside/shared/orgid';
import * as z from 'zod';
import { HelpdeskError } from '../../ports/helpdesk.ts';
import type { CustomerFacts, CustomerRecord, HelpdeskRecords } from '../../ports/helpdesk-records.ts';
import { asService } from './as-service.ts';
import type { FrappeClient } from './client.ts';
import { customerFieldOf, wantedOf } from './customer-fields.ts';
import type { DoctypeFields } from './doctype-fields.ts';
import { FrappeError } from './frappe-error.ts';
import type { ReportLeftOut } from './left-out.ts';
import { planWrite } from './plan-write.ts';
import { textOf } from './read-ticket.ts';
import type { Remembered } from './remembered.ts';
import { withFields } from './site-fields.ts';
import type { SiteZone } from './site-time.ts';
import type { WriteQueue } from './write-queue.ts';

/** How HD Customer is written on this site. */
export interface CustomerSchema {
  fields: DoctypeFields;
  zone: SiteZone;
}

type CustomerRecords = Pick<
  HelpdeskRecords,
  | 'readCustomer'
  | 'findCustomersByOrgId'
  | 'findCustomersByCrmId'
  | 'planCustomer'
  | 'createCustomer'
  | 'updateCustomer'
>;

/** Far above what one org id has. */
const limit = 100;

const Row = z.looseObject({ name: z.string(), modified: z.string() });
type Row = z.output<typeof Row>;

/** HD Customer, read and written as the service account. `service` is its Authorization header. */
export function createCustomerRecords(deps: {
  client: FrappeClient;
  service: string;
  schema: Pick<Remembered<CustomerSchema>, 'get' | 'renew'>;
  enqueue: WriteQueue;
  report: ReportLeftOut;
}): CustomerRecords {
  const { client, service, enqueue, report } = deps;
  let known: CustomerSchema | undefined;
  const remembering = (read: typeof deps.schema.get) => async (signal: AbortSignal) => {
    known = await read(signal);
    return known;
  };
  const schema = { get: remembering(deps.schema.get), renew: remembering(deps.schema.renew) };

  /** Customers whose field holds the value, oldest first; none where the site has no such field. */
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
      return rows.map((row) => toRecord(row, zone));
    };
    return asService(withFields(schema, signal, read));
  }

  function plan(record: CustomerRecord | null, facts: CustomerFacts) {
    if (known === undefined) throw new HelpdeskError('unavailable', 'No customer of the helpdesk has been read yet.');
    return planWrite(known.fields, known.zone, record?.stored ?? null, wantedOf(facts, record?.stored ?? null));
  }

  return {
    // What the database finds is compared again: it takes `gom su` for `Gốm Sứ`, and `01` for 1 (facts/live.md 1.1).
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

    planCustomer: (record, facts) => plan(record, facts).changes,

    async createCustomer(name, facts, signal) {
      const { zone } = await asService(schema.get(signal));
      const { values, leftOut } = plan(null, facts);
      report('HD Customer', leftOut);
      const document = { customer_name: name, ...values };
      try {
        const create = () => client.create('HD Customer', document, Row, service, signal);
        return toRecord(await asService(enqueue(`HD Customer ${name}`, signal, create)), zone);
      } catch (error) {
        if (error instanceof FrappeError && nameIsTaken.has(error.excType)) return null;
        throw error;
      }
    },

    async updateCustomer(record, facts, signal) {
      await asService(schema.get(signal));
      const { changes, values, leftOut } = plan(record, facts);
      report('HD Customer', leftOut);
      if (changes.length === 0) return [];
      const document = { ...values, modified: record.modified };
      try {
        const update = () => client.update('HD Customer', record.name, document, Row, service, signal);
        const written = await asService(enqueue(`HD Customer ${record.name}`, signal, update));
        if (written.name !== record.name) throw new HelpdeskError('bad_answer', 'Another customer was written.');
        return changes;
      } catch (error) {
        // A customer that is gone was renamed or deleted.
        if (error instanceof FrappeError && hasChanged.has(error.excType)) return 'changed_meanwhile';
        throw error;
      }
    },
  };
}

const nameIsTaken: ReadonlySet<string | null> = new Set(['DuplicateEntryError', 'UniqueValidationError']);
const hasChanged: ReadonlySet<string | null> = new Set(['TimestampMismatchError', 'DoesNotExistError']);

function toRecord(row: Row, zone: SiteZone): CustomerRecord {
  const { name, modified, ...stored } = row;
  return {
    name,
    modified,
    orgId: parseOrgId(stored[customerFieldOf.platformOrgId]),
    crmCompanyId: textOf(stored[customerFieldOf.crmCompanyId]),
    companyModifiedAt: zone.toInstant(stored[customerFieldOf.companyModifiedAt]),
    lastCheckedAt: zone.toInstant(stored[customerFieldOf.lastCheckedAt]),
    stored,
  };
}
