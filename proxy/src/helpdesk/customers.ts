import type { FieldChange } from '@deskside/shared/enrichment';
import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import { HelpdeskContact, HelpdeskCustomer } from '@deskside/shared/profile';
import * as z from 'zod';
import { HelpdeskError, noSuch } from './errors.ts';
import { type CustomerFacts, customerFieldOf, customerValues } from './fields.ts';
import { DocumentName, type Frappe } from './frappe.ts';
import { type Credential, SitePart } from './site.ts';
import type { SiteZone } from './site-time.ts';
import { isSameText, textOf } from './text.ts';
import { planBack, planWrite, type WritePlan } from './write-plan.ts';

/** A customer with the requested contact. */
export interface CustomerFile {
  customer: HelpdeskCustomer;
  contact: HelpdeskContact | null;
}

/** A customer as it is read for writing; `modified` is the helpdesk's own timestamp, for optimistic locking. */
export interface CustomerRecord {
  name: string;
  modified: string;
  /** As on the record; null if empty or if the site has no such field. */
  orgId: OrgId | null;
  crmCompanyId: string | null;
  segment: string | null;
  shopPlan: string | null;
  /**
   * The company's last change in the CRM as stored here, in whole seconds; null if unknown. Records use the site's
   * clock, on which one hour a year occurs twice; it is read as the earlier one. To find out whether a company is the
   * stored version, use `plan(record, { companyModifiedAt })`, which compares what would be stored.
   */
  companyModifiedAt: number | null;
  lastCheckedAt: number | null;
  /** The values that a write is compared against. */
  readonly stored: Readonly<Record<string, unknown>>;
}

type ColumnOf<T> = Exclude<keyof T, 'name'>;
const columnsOf = <T extends object>(shape: T) =>
  Object.keys(shape).filter((column): column is ColumnOf<T> & string => column !== 'name');
/** What the contract tells of a customer and of a contact, apart from their names. */
export const customerColumns = columnsOf(HelpdeskCustomer.shape);
export const contactColumns = columnsOf(HelpdeskContact.shape);

const Row = z.looseObject({ name: z.string(), modified: z.string() });
const Document = z.looseObject({ name: DocumentName });

/** Far more than one org id has. */
const limit = 100;

/** Profiles move it on. */
const checkTime: ReadonlySet<string> = new Set([customerFieldOf.lastCheckedAt]);
/** Fields of which two customers at once cannot have the same value: whoever was first is found by it. */
const identifying: readonly string[] = ['customer_name', customerFieldOf.platformOrgId, customerFieldOf.crmCompanyId];
const hasChanged: ReadonlySet<string | null> = new Set(['TimestampMismatchError', 'DoesNotExistError']);

/**
 * HD Customer. Every method may throw HelpdeskError. The database's results are compared again: it takes `gom su` for
 * `Gốm Sứ`, and `01` for 1 (docs/helpdesk.md#names). Writes are made as the service account, one after another for each
 * customer, carry the timestamp of what was read, and are skipped if they change nothing. Values that the site has no
 * field for, or that do not fit, are left out and reported.
 */
export class Customers extends SitePart {
  /**
   * Reads a customer, and then the contact if one is named, as the caller. Throws `not_found` if the name does not
   * exist, and `forbidden` if the caller may not read it; if the customer cannot be read, the contact is not requested.
   */
  async readAs(
    caller: Credential,
    { customer, contact }: { customer: string; contact: string | null },
    signal: AbortSignal,
  ): Promise<CustomerFile> {
    const frappe = this.site.as(caller);
    const found = await get(frappe, 'HD Customer', customer, customerColumns, signal);
    return {
      customer: found,
      contact: contact === null ? null : await get(frappe, 'Contact', contact, contactColumns, signal),
    };
  }

  /** Null if there is none with exactly this name, whichever way its accents are written. */
  async read(name: string, signal: AbortSignal): Promise<CustomerRecord | null> {
    const found = await this.list('name', name, signal);
    return found.find((one) => one.name === name) ?? found.find((one) => isSameText(one.name, name)) ?? null;
  }

  /** Oldest first, so that every caller picks the same one. */
  async findByOrgId(orgId: OrgId, signal: AbortSignal): Promise<CustomerRecord[]> {
    const found = await this.list(customerFieldOf.platformOrgId, orgId, signal);
    return found.filter((record) => record.orgId === orgId);
  }

  /** Oldest first. */
  async findByCrmId(id: string, signal: AbortSignal): Promise<CustomerRecord[]> {
    const found = await this.list(customerFieldOf.crmCompanyId, id, signal);
    return found.filter((record) => record.crmCompanyId === id);
  }

  /** Those whose name the helpdesk takes for this one, whatever its case and accents. Only to offer them to a person. */
  findNamed(name: string, signal: AbortSignal): Promise<CustomerRecord[]> {
    return this.list('name', name, signal);
  }

  /**
   * What writing these facts would change, by the record's field names; null stands for a new customer. Makes no
   * request; fields that the site lacks are left out. Throws `unavailable` until something of the helpdesk has been read.
   */
  plan(record: CustomerRecord | null, facts: CustomerFacts): FieldChange[] {
    return this.planned(record, facts).changes;
  }

  /** Creates a customer of this name (decision 11: which customer); null if it is taken. */
  async create(name: string, facts: CustomerFacts, signal: AbortSignal): Promise<CustomerRecord | null> {
    const { site } = this;
    const [zone] = await Promise.all([site.zone.get(signal), site.knownFields(signal)]);
    const { values, skippedFields } = this.planned(null, facts);
    site.reportSkipped('HD Customer', skippedFields);
    const create = () =>
      site.service.create('HD Customer', { customer_name: name.normalize('NFC'), ...values }, Row, signal);
    try {
      return toCustomerRecord(await site.write('HD Customer', name, signal, create), zone);
    } catch (error) {
      if (error instanceof HelpdeskError && isThere(error)) return null;
      throw error;
    }
  }

  /** Writes what differs. `changed_meanwhile`: it was changed, renamed or deleted since it was read; read it again. */
  async update(
    record: CustomerRecord,
    facts: CustomerFacts,
    signal: AbortSignal,
  ): Promise<FieldChange[] | 'changed_meanwhile'> {
    await Promise.all([this.site.knownFields(signal), this.site.zone.get(signal)]);
    const { changes, values, skippedFields } = this.planned(record, facts);
    this.site.reportSkipped('HD Customer', skippedFields);
    return this.write(record, changes, values, signal);
  }

  /**
   * Takes back changes that `update` made, as far as their fields still show what it wrote. Returns what it took back;
   * `changed_meanwhile` as there.
   */
  async takeBack(
    record: CustomerRecord,
    changes: readonly FieldChange[],
    signal: AbortSignal,
  ): Promise<FieldChange[] | 'changed_meanwhile'> {
    const fields = (await this.site.knownFields(signal)).of('HD Customer');
    const { due, values } = planBack(fields, record.stored, changes, checkTime);
    return this.write(record, due, values, signal);
  }

  /** Customers whose field holds the value, oldest first; none if the site has no such field. */
  private async list(field: string, value: string, signal: AbortSignal): Promise<CustomerRecord[]> {
    const { site } = this;
    const zone = await site.zone.get(signal);
    return site.withFields(signal, async (siteFields) => {
      const fields = siteFields.of('HD Customer');
      if (field !== 'name' && !fields.has(field)) return [];
      const query = {
        fields: ['name', 'modified', ...Object.values(customerFieldOf).filter((name) => fields.has(name))],
        filters: [[field, '=', value]],
        orderBy: 'creation asc, name asc',
        limit,
      };
      const rows = await site.service.list('HD Customer', query, Row, signal);
      return rows.map((row) => toCustomerRecord(row, zone));
    });
  }

  private planned(record: CustomerRecord | null, facts: CustomerFacts): WritePlan {
    const [fields, zone, stored] = [this.site.fields.known(), this.site.zone.known(), record?.stored ?? null];
    if (fields === undefined || zone === undefined)
      throw new HelpdeskError('unavailable', 'Nothing has been read from the helpdesk yet.');
    return planWrite(fields.of('HD Customer'), zone, stored, customerValues(facts, stored));
  }

  /** The one way to write a customer that is there. */
  private async write(
    { name, modified }: CustomerRecord,
    changes: FieldChange[],
    values: WritePlan['values'],
    signal: AbortSignal,
  ): Promise<FieldChange[] | 'changed_meanwhile'> {
    if (changes.length === 0) return [];
    const { site } = this;
    const update = () => site.service.update('HD Customer', name, { ...values, modified }, Row, signal);
    try {
      const written = await site.write('HD Customer', name, signal, update);
      if (written.name !== name) throw new HelpdeskError('bad_answer', 'A different customer was written.');
      return changes;
    } catch (error) {
      // A missing customer was renamed or deleted.
      if (error instanceof HelpdeskError && hasChanged.has(error.excType)) return 'changed_meanwhile';
      throw error;
    }
  }
}

/** Whether the customer was not made because there is one already. */
function isThere({ excType, refusedFields }: HelpdeskError): boolean {
  if (excType === 'DuplicateEntryError') return true;
  return excType === 'UniqueValidationError' && refusedFields.some((field) => identifying.includes(field));
}

/** A document of exactly this name, with these fields; those that the site lacks are null. */
async function get<F extends string>(
  frappe: Frappe,
  doctype: string,
  name: string,
  fields: readonly F[],
  signal: AbortSignal,
): Promise<{ name: string } & Record<F, string | null>> {
  const found = await frappe.get(doctype, name, Document, signal);
  if (found.name !== name) throw noSuch(doctype);
  const values = Object.fromEntries(fields.map((field) => [field, textOf(found[field])])) as Record<F, string | null>;
  return { name, ...values };
}

/** A customer as it is read for writing, made from its row. */
export function toCustomerRecord(
  row: Readonly<Record<string, unknown>> & { name: string; modified: string },
  zone: SiteZone,
): CustomerRecord {
  const { name, modified, ...stored } = row;
  return {
    name,
    modified,
    orgId: parseOrgId(stored[customerFieldOf.platformOrgId]),
    crmCompanyId: textOf(stored[customerFieldOf.crmCompanyId]),
    segment: textOf(stored[customerFieldOf.segment]),
    shopPlan: textOf(stored[customerFieldOf.shopPlan]),
    companyModifiedAt: zone.toInstant(stored[customerFieldOf.companyModifiedAt]),
    lastCheckedAt: zone.toInstant(stored[customerFieldOf.lastCheckedAt]),
    stored,
  };
}
