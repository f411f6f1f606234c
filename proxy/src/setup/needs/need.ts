import type { Browser } from '@deskside/shared/contract';
import type * as z from 'zod';
import type { Config } from '#config.ts';
import type { HelpdeskAdmin } from '#helpdesk/admin.ts';
import { HelpdeskError, unless } from '#helpdesk/errors.ts';
import type { Item } from '#setup/items.ts';
import type { OwnSettings } from '#setup/provision/own-settings.ts';

// What the files of this room share. Each is about one thing that Deskside needs in the helpdesk: what it should be, how the
// site differs, what `provision` makes of that, what `doctor` says of it, and what `--remove` takes away again.

/** What a run goes by, and what it finds out on its way. */
export interface ProvisionRun {
  admin: HelpdeskAdmin;
  own: OwnSettings;
  settings: Pick<Config, 'HELPDESK_WEBHOOK_SECRET'> & {
    PUBLIC_URL: string;
    /** Of our own account. */
    apiKey: string | undefined;
    /** Null without the Before Insert script. */
    scriptSecret: string | null;
    extensionIds: Record<Browser, string>;
    withSnapshots: boolean;
  };
  /** Whose key it is, and whether it shows the Server Scripts. */
  user: string;
  seesScripts: boolean;
  teams: readonly string[];
  /** Ids of the OAuth clients, as far as they are there. */
  clientIds: Partial<Record<Browser, string>>;
}

export const making =
  ({ admin }: ProvisionRun, doctype: string, document: object) =>
  async () => {
    await admin.create(doctype, document);
  };

/** Brings a document that is there into its desired state. */
export function changeItem(
  { admin }: ProvisionRun,
  doctype: string,
  { what, name, changes, detail }: { what: string; name: string; changes: object; detail: string },
): Item {
  const names = Object.keys(changes);
  if (names.length === 0) return { what, state: 'exists', detail };
  return { what, state: 'change', detail: names.join(', '), make: () => admin.update(doctype, name, changes) };
}

/** The desired values that a document lacks. An unset field counts as empty or 0; surrounding whitespace is ignored. */
export function differences<Desired extends Record<string, string | number>>(
  found: Record<string, unknown>,
  desired: Desired,
): Partial<Desired> {
  const plain = (value: unknown) => String(value ?? '').trim();
  const same = (value: unknown, other: string | number) =>
    typeof other === 'number' ? Number(value ?? 0) === other : plain(value) === plain(other);
  return Object.fromEntries(
    Object.entries(desired).filter(([field, value]) => !same(found[field], value)),
  ) as Partial<Desired>;
}

/** What such values are now, as parts of a sentence. A long one is not cut, or half a secret in it would not be masked. */
export function describeDifferences(found: Record<string, unknown>, changes: Record<string, unknown>): string[] {
  return Object.keys(changes).map((field) => {
    const value = found[field] ?? '';
    const isShort = !Array.isArray(value) && String(value).length <= 100;
    return isShort ? `${field} is ${value === '' ? 'empty' : String(value)}` : `${field} differs`;
  });
}

/** Deletes all documents that the filters let through; nothing if there are none. */
export async function erasing(
  { admin }: ProvisionRun,
  doctype: string,
  filters: readonly (readonly [string, string, unknown])[],
): Promise<Item[]> {
  const listed = admin.list(doctype, { fields: ['name'], filters });
  // A Frappe that has no such DocType.
  const found = (await listed.catch(unless(['not_found'], []))).map(({ name }) => name);
  const make = async () => {
    for (const name of found) await admin.erase(doctype, name);
  };
  // Names of sign-ins are tokens themselves, and shown nowhere.
  const detail = doctype.startsWith('OAuth') ? `${found.length}` : found.join(', ');
  return found.length === 0 ? [] : [{ what: doctype, state: 'delete', detail, make }];
}

/** What the helpdesk answers, in the shape that it should have. Throws HelpdeskError. */
export async function call<T>(
  service: HelpdeskAdmin,
  method: string,
  args: Record<string, string>,
  schema: z.ZodType<T>,
): Promise<T> {
  const parsed = schema.safeParse(await service.call(method, args));
  if (parsed.success) return parsed.data;
  throw new HelpdeskError('bad_answer', `Calling ${method}: the response has an unexpected shape.`);
}
