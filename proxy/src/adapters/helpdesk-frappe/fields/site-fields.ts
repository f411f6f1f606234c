import type { FrappeClient } from '#adapters/helpdesk-frappe/client/client.ts';
import { FrappeError } from '#adapters/helpdesk-frappe/client/frappe-error.ts';
import { createMetadataCache, type MetadataCache } from '#adapters/helpdesk-frappe/client/metadata-cache.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import { type DoctypeFields, readDoctypeFields } from './doctype-meta.ts';
import { type Doctype, doctypes, olderNames, specificationFields } from './specification-fields.ts';

/** Which fields the site's DocTypes have. */
export interface SiteFields {
  has(doctype: Doctype, field: string): boolean;
  of(doctype: Doctype): DoctypeFields;
}

/** Discovers the fields and caches them. */
export interface SiteFieldsSource extends MetadataCache<SiteFields> {
  /** Fields of the specification that the site lacks, as `DocType.fieldname`; null until the fields are known. */
  missing(): string[] | null;
}

/** `service` is the service account's Authorization header. */
export function createSiteFields(deps: {
  client: FrappeClient;
  service: string;
  logger: Logger;
  clock: Clock;
}): SiteFieldsSource {
  const { client, service, logger, clock } = deps;
  const { get, renew, known } = createMetadataCache({
    subject: 'The fields of the helpdesk',
    read: readAll,
    logger,
    clock,
  });

  async function readAll(signal: AbortSignal): Promise<SiteFields> {
    const read = async (doctype: Doctype) =>
      [doctype, await readDoctypeFields(client, doctype, service, signal)] as const;
    const byDoctype = new Map(await Promise.all(doctypes.map(read)));
    const of = (doctype: Doctype): DoctypeFields => byDoctype.get(doctype) ?? new Map();
    return { of, has: (doctype, field) => of(doctype).has(field) };
  }

  return {
    get,
    renew,
    known,
    missing() {
      const fields = known();
      if (fields === undefined) return null;
      return (['HD Customer', 'HD Ticket'] as const).flatMap((doctype) =>
        specificationFields[doctype]
          .filter((field) => !fields.has(doctype, field) && !fields.has(doctype, olderNames[field] ?? field))
          .map((field) => `${doctype}.${field}`),
      );
    },
  };
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
