import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { FrappeClient } from './client.ts';
import { type DoctypeFields, readDoctypeFields } from './doctype-fields.ts';
import { FrappeError } from './frappe-error.ts';
import { type Remembered, remember } from './remembered.ts';
import { type Doctype, doctypes, specificationFields } from './specification-fields.ts';

/** Which fields the site's DocTypes have. */
export interface SiteFields {
  has(doctype: Doctype, field: string): boolean;
  of(doctype: Doctype): DoctypeFields;
}

/** Discovers the fields and remembers them. */
export interface SiteFieldsSource extends Pick<Remembered<SiteFields>, 'get' | 'renew'> {
  /** Fields of the specification that the site lacks, as `DocType.fieldname`; null until they are known. */
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
  const { get, renew, known } = remember({ subject: 'The fields of the helpdesk', read: readAll, logger, clock });

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
    missing() {
      const fields = known();
      if (fields === undefined) return null;
      return (['HD Customer', 'HD Ticket'] as const).flatMap((doctype) =>
        specificationFields[doctype]
          .filter((field) => !fields.has(doctype, field))
          .map((field) => `${doctype}.${field}`),
      );
    },
  };
}

/** Runs a reading that names fields, once more with fresh knowledge where one of them has gone since it was gained. */
export async function withFields<F, T>(
  source: Pick<Remembered<F>, 'get' | 'renew'>,
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
