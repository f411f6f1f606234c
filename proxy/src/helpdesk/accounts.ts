import type { AccountLink } from '@deskside/shared/profile';
import * as z from 'zod';
import { HelpdeskError, isForbidden } from './errors.ts';
import type { Site } from './site.ts';

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
const rememberMs = 10 * 60_000;

const Row = z.looseObject({ customer: z.string() });

/**
 * The site's records of platform accounts (docs/decisions.md 6). A DocType that does not exist, lacks a field, or is
 * closed to the service account is not an error (docs/decisions.md 16): it is reported once, and not requested again for
 * ten minutes.
 */
export class AccountLinks {
  private readonly site: Site;
  private readonly config: AccountLinkConfig;
  private unavailableSince = Number.NEGATIVE_INFINITY;

  constructor(site: Site, config: AccountLinkConfig) {
    this.site = site;
    this.config = config;
  }

  /** Whether the site has such records, as far as known by now; if not, there is no need to read them. */
  areThere(): boolean {
    return this.site.clock() - this.unavailableSince >= rememberMs;
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
      const rows = await this.site.service.list(doctype, query, Row, signal);
      return rows.filter((row) => row.customer === customer).map(toLink);
    } catch (error) {
      if (!(error instanceof HelpdeskError) || !isLacking(error)) throw error;
      this.unavailableSince = this.site.clock();
      const reason = { doctype, kind: isForbidden(error) ? 'forbidden' : error.kind };
      this.site.logger.warn(
        reason,
        'The platform accounts of customers cannot be read; profiles are shown without them',
      );
      return [];
    }
  }
}

function isLacking(error: HelpdeskError): boolean {
  return error.kind === 'not_found' || error.kind === 'rejected' || isForbidden(error);
}

function toLink(row: z.output<typeof Row>): AccountLink {
  const text = (key: keyof AccountLink) => {
    const value = row[`link_${key}`];
    return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : null;
  };
  return {
    user: text('user'),
    email: text('email'),
    haravan_userid: text('haravan_userid'),
    haravan_orgid: text('haravan_orgid'),
    haravan_orgname: text('haravan_orgname'),
    last_login: text('last_login'),
  };
}
