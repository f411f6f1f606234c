import type { Clock } from '#runtime/clock.ts';
import type { Logger } from '#runtime/logger.ts';
import { desiredFields, foundAs } from '#setup/desired-state.ts';
import type { FrappeClient } from './client.ts';
import { type DoctypeFields, readDoctypeFields } from './doctype-meta.ts';
import { FrappeError } from './frappe-error.ts';
import { HelpdeskError } from './helpdesk.ts';
import { createMetadataCache, type MetadataCache } from './metadata-cache.ts';

/** DocTypes whose fields are discovered before they are read or written. */
const doctypes = ['HD Ticket', 'HD Customer', 'Contact'] as const;
type Doctype = (typeof doctypes)[number];

/** Which fields the site's DocTypes have. */
export interface SiteFields {
  has(doctype: Doctype, field: string): boolean;
  of(doctype: Doctype): DoctypeFields;
}

/** Discovers the fields and caches them. `service` is the service account's Authorization header. */
export function createSiteFields(deps: {
  client: FrappeClient;
  service: string;
  logger: Logger;
  clock: Clock;
}): MetadataCache<SiteFields> {
  const { client, service, logger, clock } = deps;
  return createMetadataCache({
    subject: 'The fields of the helpdesk',
    async read(signal) {
      const read = async (doctype: Doctype) =>
        [doctype, await readDoctypeFields(client, doctype, service, signal)] as const;
      const byDoctype = new Map(await Promise.all(doctypes.map(read)));
      const of = (doctype: Doctype): DoctypeFields => byDoctype.get(doctype) ?? new Map();
      return { of, has: (doctype, field) => of(doctype).has(field) };
    },
    logger,
    clock,
  });
}

/** Fields of the specification that the site lacks, as `DocType.fieldname`. */
export function missingIn(fields: SiteFields): string[] {
  return (['HD Customer', 'HD Ticket'] as const).flatMap((doctype) =>
    desiredFields[doctype]
      .filter((desired) => foundAs(fields.of(doctype), desired) === undefined)
      .map(({ fieldname }) => `${doctype}.${fieldname}`),
  );
}

/** The same for callers: a refusal of the service account must not look as if they had been refused. */
export function forCallers({ get, renew, known }: MetadataCache<SiteFields>): MetadataCache<SiteFields> {
  const hidden = (read: Promise<SiteFields>) =>
    read.catch((error: unknown) => {
      if (!(error instanceof HelpdeskError) || error.kind === 'timeout') throw error;
      throw new HelpdeskError('unavailable', `The service account cannot read the fields. ${error.message}`);
    });
  return { get: (signal) => hidden(get(signal)), renew: (signal) => hidden(renew(signal)), known };
}

/** Runs a read that names fields, and once more with freshly discovered fields if one of them has disappeared. */
export async function withFields<F, T>(
  source: Pick<MetadataCache<F>, 'get' | 'renew'>,
  signal: AbortSignal,
  read: (fields: F) => Promise<T>,
): Promise<T> {
  try {
    return await read(await source.get(signal));
  } catch (error) {
    if (!(error instanceof FrappeError && error.excType === 'DataError')) throw error;
    return read(await source.renew(signal));
  }
}
