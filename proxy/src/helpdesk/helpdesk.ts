import * as z from 'zod';
import { Assignments } from './assignments.ts';
import { type AccountLinkConfig, AccountLinks, Snapshots } from './customer-data.ts';
import { CustomerSearch } from './customer-search.ts';
import { Customers } from './customers.ts';
import { HelpdeskError } from './errors.ts';
import { desiredFields, foundAs } from './fields.ts';
import { People } from './people.ts';
import { Rights } from './permissions.ts';
import { Site, type SiteOptions, SitePart } from './site.ts';
import { Tickets } from './tickets.ts';
import { TicketLists, WholeHelpdesk } from './whole.ts';

const Versions = z.object({ message: z.object({ helpdesk: z.object({ version: z.string() }).optional() }) });

/** The path of a record's page, by its name. */
export type RecordPaths = (kind: 'ticket' | 'customer', name: string) => string;

/**
 * Everything that the service does in one Frappe Helpdesk, version 1.24 or later, over its REST API, by subject. Methods
 * whose name ends in `As` ask as a caller, all others as the service account, whose refusal is `unavailable` and never
 * `forbidden`. All of it shares its connections and what is known of the site.
 */
export class Helpdesk extends SitePart {
  readonly tickets = new Tickets(this.site);
  readonly ticketLists = new TicketLists(this.site);
  readonly assignments = new Assignments(this.site);
  readonly customers = new Customers(this.site);
  readonly customerSearch = new CustomerSearch(this.site);
  readonly snapshots = new Snapshots(this.site);
  readonly people = new People(this.site);
  readonly rights = new Rights(this.site, this.people);
  readonly whole = new WholeHelpdesk(this.site.service);

  constructor(options: SiteOptions) {
    super(new Site(options));
  }

  /** Its records of platform accounts, by where they are. */
  accountLinks(config: AccountLinkConfig): AccountLinks {
    return new AccountLinks(this.site, config);
  }

  /** Reads which fields the site has, so that later calls need not. Throws if the service account is refused. */
  async warm(signal: AbortSignal): Promise<void> {
    await this.site.fields.get(signal);
  }

  /**
   * Fields of the specification that the site lacks, as `DocType.fieldname`, under the site's names for them; null until
   * `warm` has succeeded.
   */
  missingFields(): string[] | null {
    const known = this.site.fields.known();
    if (known === undefined) return null;
    return (['HD Customer', 'HD Ticket'] as const).flatMap((doctype) =>
      desiredFields[doctype]
        .filter((desired) => foundAs(known.of(doctype), desired) === undefined)
        .map(({ fieldname }) => `${doctype}.${fieldname}`),
    );
  }

  /** The version of the helpdesk, as it calls itself; null if it does not say. */
  async version(signal: AbortSignal): Promise<string | null> {
    const method = 'frappe.utils.change_log.get_versions';
    return (await this.site.account.call(method, {}, Versions, signal)).message.helpdesk?.version ?? null;
  }

  /** The site's timestamp for an instant, in whole seconds: at most one second before it, never after it. */
  async stampOf(instant: number, signal: AbortSignal): Promise<string> {
    const stamp = (await this.site.zone.get(signal)).fromInstant(instant);
    if (stamp === null) throw new HelpdeskError('rejected', 'The helpdesk cannot store this time.');
    return stamp;
  }

  /**
   * Where agents see records: paths on the helpdesk's own origin (docs/helpdesk.md#the-ticket-page). The pages of
   * customers came with the members of a customer, in 1.28.
   */
  async readPaths(signal: AbortSignal): Promise<RecordPaths> {
    const hasPages = (await this.site.knownFields(signal)).has('HD Customer', 'contacts');
    const places = { ticket: '/helpdesk/tickets', customer: hasPages ? '/helpdesk/customers' : '/app/hd-customer' };
    return (kind, name) => `${places[kind]}/${encodeURIComponent(name)}`;
  }
}
