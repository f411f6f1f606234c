import * as z from 'zod';
import type { Readings } from '#runtime/memory.ts';
import { readDoctypeMeta } from './doctype.ts';
import { HelpdeskError, noSuch } from './errors.ts';
import { customerFieldOf } from './fields.ts';
import { type Frappe, Named } from './frappe.ts';
import type { People } from './people.ts';
import { websiteRolesThatSet } from './permissions.ts';
import type { Credential, Site } from './site.ts';

const Permission = z.object({ message: z.object({ has_permission: z.boolean() }) });
const OwnedRow = z.object({ name: z.string(), owner: z.string(), manages: z.unknown().optional() });

const forTenMinutes = { ttlMs: 10 * 60_000, max: 10 };
/** More members than say anything; bounds the size of a response. */
const maxRows = 500;

/** Who may do what, according to the helpdesk: callers, asked with their own credentials, and website users by their roles. */
export class Rights {
  private readonly site: Site;
  private readonly people: People;
  private readonly closed: Readings<boolean>;

  constructor(site: Site, people: People) {
    this.site = site;
    this.people = people;
    this.closed = site.memory.readings(forTenMinutes);
  }

  /** As the caller: throws `forbidden`, `not_found` or `unauthenticated` unless they may write the ticket. */
  requireTicketWrite(caller: Credential, ticket: string, signal: AbortSignal): Promise<void> {
    return this.requireWrite('HD Ticket', ticket, caller, signal);
  }

  /** As the caller: throws `forbidden`, `not_found` or `unauthenticated` unless they may write the customer. */
  requireCustomerWrite(caller: Credential, customer: string, signal: AbortSignal): Promise<void> {
    return this.requireWrite('HD Customer', customer, caller, signal);
  }

  /** As the caller: throws `forbidden` or `unauthenticated` unless their roles let them write customers. */
  async requireCustomersWrite(caller: Credential, signal: AbortSignal): Promise<void> {
    const frappe = this.site.as(caller);
    const asked = { doctype: 'HD Customer', docname: '', perm_type: 'write' };
    const { message } = await frappe.call('frappe.client.has_permission', asked, Permission, signal);
    if (!message.has_permission) throw frappe.forbidden('The caller may not write HD Customer.');
  }

  /** As the caller: throws `forbidden`, `not_found` or `unauthenticated` unless they may read the customer. */
  async requireCustomerRead(caller: Credential, customer: string, signal: AbortSignal): Promise<void> {
    const found = await this.site.as(caller).get('HD Customer', customer, Named, signal);
    if (found.name !== customer) throw noSuch('HD Customer');
  }

  /**
   * Whether the site's permissions keep every website user from setting a customer's CRM id. Also false if that cannot
   * be determined. Cached for ten minutes; throws only the signal's reason.
   */
  crmIdIsProtected(signal: AbortSignal): Promise<boolean> {
    return this.isClosed(customerFieldOf.crmCompanyId, signal);
  }

  /**
   * Whether no website user may write or rename this customer. Where a role of theirs may write customers at all, the
   * helpdesk lets in who manages this one on the portal (docs/helpdesk.md#roles), and who made it. Also false if that
   * cannot be determined.
   */
  async isDeskOnly(customer: string, signal: AbortSignal): Promise<boolean> {
    if (await this.isClosed(null, signal)) return true;
    const fields = await this.site.knownFields(signal);
    if (!fields.has('HD Customer', 'contacts')) return false;
    const query = {
      fields: ['name', 'owner', 'contacts.is_manager as manages'],
      filters: [['name', '=', customer]],
      limit: maxRows,
    };
    const found = await this.site.service.list('HD Customer', query, OwnedRow, signal);
    const rows = found.filter(({ name }) => name === customer);
    const [first] = rows;
    if (first === undefined || rows.length === maxRows || rows.some(({ manages }) => manages === 1)) return false;
    const owner = first.owner.toLowerCase();
    if (owner === (await this.people.serviceUser(signal)).toLowerCase()) return true;
    return (await this.people.deskAmong(new Set([owner]), signal)).has(owner);
  }

  /** Throws unless the caller may write the document of exactly this name. */
  private async requireWrite(doctype: string, name: string, caller: Credential, signal: AbortSignal): Promise<void> {
    const frappe = this.site.as(caller);
    // Asked about `2abc`, older versions answer for ticket 2 (docs/helpdesk.md#names), so the name is read as well.
    const asked = { doctype, docname: name, perm_type: 'write' };
    const byName = { fields: ['name'], filters: [['name', '=', name]], limit: 1 };
    const [permission, [row]] = await Promise.all([
      frappe.call('frappe.client.has_permission', asked, Permission, signal),
      frappe.list(doctype, byName, Named, signal),
    ]);
    if (row !== undefined && row.name !== name) throw noSuch(doctype);
    if (row === undefined || !permission.message.has_permission)
      throw frappe.forbidden(`The caller may not write the ${doctype}.`);
  }

  /**
   * Judges from the current permissions whether website users may set a field of HD Customer or, with null, create or
   * write one at all. Two requests, whose result is cached for ten minutes, even if it could not be determined, unless
   * the helpdesk did not answer at all.
   */
  private async isClosed(fieldname: string | null, signal: AbortSignal): Promise<boolean> {
    const doctype = 'HD Customer';
    const read = (within: AbortSignal) =>
      isClosedToWebsite(this.site.account, doctype, fieldname, within).catch((error: unknown) => {
        if (!(error instanceof HelpdeskError) || !isAnswer(error)) throw error;
        this.site.logger.warn(
          { doctype, kind: error.kind },
          'The permissions on these records cannot be read, so nothing that a sender could write in them counts as proof',
        );
        return false;
      });
    return this.closed.get(fieldname ?? '', read, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
      if (error instanceof HelpdeskError || isTimeout) return false;
      throw error;
    });
  }
}

/** Whether the helpdesk answered; it may not have been reached. */
function isAnswer({ kind }: HelpdeskError): boolean {
  return kind !== 'unavailable' && kind !== 'timeout';
}

/** Whether no website user may set the field or, if none is named, create or write documents at all. Throws HelpdeskError. */
export async function isClosedToWebsite(
  frappe: Frappe,
  doctype: string,
  fieldname: string | null,
  signal: AbortSignal,
): Promise<boolean> {
  // Roles with desk access: having one makes a user a system user. Agent Managers may list them (docs/helpdesk.md#roles).
  const withAccess = { fields: ['name'], filters: [['desk_access', '=', 1]], limit: 0 };
  const [meta, deskRoles] = await Promise.all([
    readDoctypeMeta(frappe, doctype, signal),
    frappe.list('Role', withAccess, Named, signal),
  ]);
  const level = fieldname === null ? 0 : meta.fields.find((field) => field.fieldname === fieldname)?.permlevel;
  if (level === undefined) return false;
  return websiteRolesThatSet(meta.permissions, level, new Set(deskRoles.map(({ name }) => name))).length === 0;
}
