import type { AccountLink } from '@deskside/shared/profile';
import * as z from 'zod';
import type { ListQuery } from './client.ts';
import { type AccountLinks, HelpdeskError } from './helpdesk.ts';
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
 * Reads the accounts, latest login first. A DocType that does not exist, lacks a field, or is closed to the service
 * account is not an error (docs/decisions.md 17): it is reported once, and not requested again for ten minutes.
 */
export function createAccountLinks(
  at: Pick<Site, 'client' | 'service' | 'logger' | 'clock'>,
  config: AccountLinkConfig,
): AccountLinks {
  const { client, service, logger, clock } = at;
  let unavailableSince = Number.NEGATIVE_INFINITY;
  const areThere = () => clock() - unavailableSince >= rememberMs;
  return {
    areThere,

    async of(customer, signal) {
      if (!areThere()) return [];
      const mapped = Object.entries(config.fields).flatMap(([key, field]) => (field === null ? [] : [{ key, field }]));
      const query = {
        fields: [`${config.customer_field} as customer`, ...mapped.map(({ key, field }) => `${field} as link_${key}`)],
        filters: [[config.customer_field, '=', customer]],
        limit: maxLinks,
        ...(config.fields.last_login !== null && { orderBy: `${config.fields.last_login} desc` }),
      };
      const rows = await list(query, Row, signal);
      return rows.filter((row) => row.customer === customer).map(toLink);
    },
  };

  async function list<T>(query: ListQuery, row: z.ZodType<T>, signal: AbortSignal) {
    const { doctype } = config;
    return client.list(doctype, query, row, service, signal).catch((error: unknown) => {
      if (!(error instanceof HelpdeskError) || !['not_found', 'forbidden', 'rejected'].includes(error.kind))
        throw error;
      unavailableSince = clock();
      const reason = { doctype, kind: error.kind };
      logger.warn(reason, 'The platform accounts of customers cannot be read; profiles are shown without them');
      return [];
    });
  }
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
