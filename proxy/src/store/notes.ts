import * as z from 'zod';
import type { TicketKey } from '#helpdesk/ticket-file.ts';
import type { StateDb } from './schema.ts';

// What else is remembered: a row for each thing, JSON. Shared by all processes. Times are epoch milliseconds. Throws if the store
// fails, or holds something else than we wrote.

/** The note under a key, and when it was made; undefined if there is none. */
function read(db: StateDb, key: string): Promise<{ note: string; at: number } | undefined> {
  return db.selectFrom('notes').select(['note', 'at']).where('key', '=', key).executeTakeFirst();
}

/** Replaces the note under a key. */
async function write(db: StateDb, key: string, at: number, note: unknown): Promise<void> {
  await db
    .insertInto('notes')
    .values({ key, note: JSON.stringify(note), at })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(({ ref }) => ({ note: ref('excluded.note'), at: ref('excluded.at') })),
    )
    .execute();
}

// How far the sweep over the helpdesk's tickets has got, in the helpdesk's own timestamps, opaque.

/** `from`: tickets created earlier are not ours. Null before the first sweep. */
export async function swept(db: StateDb): Promise<{ from: string; until: string } | null> {
  const [installed, until] = [await read(db, 'installed'), await read(db, 'swept')];
  if (installed === undefined || until === undefined) return null;
  return { from: z.string().parse(JSON.parse(installed.note)), until: z.string().parse(JSON.parse(until.note)) };
}

/** Notes where tickets begin to be ours, which stays, and that everything until then has been swept. */
export async function noteInstalled(db: StateDb, stamp: string, at: number): Promise<void> {
  await db
    .insertInto('notes')
    .values({ key: 'installed', note: JSON.stringify(stamp), at })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  await noteSwept(db, stamp, at);
}

export function noteSwept(db: StateDb, until: string, at: number): Promise<void> {
  return write(db, 'swept', at, until);
}

/** When this store was taken into use; null before the first sweep. */
export async function installedAt(db: StateDb): Promise<number | null> {
  return (await read(db, 'installed'))?.at ?? null;
}

/** When the state was last backed up; null if never. */
export async function lastBackup(db: StateDb): Promise<number | null> {
  return (await read(db, 'backup'))?.at ?? null;
}

export function noteBackup(db: StateDb, at: number): Promise<void> {
  return write(db, 'backup', at, {});
}

/** The ticket's values that the helpdesk has no field for, each with since when: as routing calls them. */
export async function fieldGap(db: StateDb): Promise<Record<string, number>> {
  const found = await read(db, 'field gap');
  return found ? z.record(z.string(), z.number()).parse(JSON.parse(found.note)) : {};
}

export function noteFieldGap(db: StateDb, gap: Record<string, number>, at: number): Promise<void> {
  return write(db, 'field gap', at, gap);
}

const RefusalNote = z.object({
  name: z.string(),
  creation: z.string(),
  modified: z.string(),
  refusal: z.string(),
  fields: z.array(z.string()),
});

/**
 * That the helpdesk refuses what we would write to a ticket: what it has against it, and names of the fields that it is about.
 * `modified`: the ticket's timestamp then.
 */
export type Refusal = z.output<typeof RefusalNote>;

const refusalKey = ({ name, creation }: TicketKey) => `refused ${name} ${creation}`;

export function noteRefusal(db: StateDb, refusal: Refusal, at: number): Promise<void> {
  return write(db, refusalKey(refusal), at, refusal satisfies z.input<typeof RefusalNote>);
}

/** What the helpdesk has against a ticket; null if nothing. */
export async function refusalOf(db: StateDb, ticket: TicketKey): Promise<Refusal | null> {
  const found = await read(db, refusalKey(ticket));
  return found ? RefusalNote.parse(JSON.parse(found.note)) : null;
}

/** Of all tickets: there are few, or somebody has been told. */
export async function refusals(db: StateDb): Promise<Refusal[]> {
  const rows = await db.selectFrom('notes').select('note').where('key', 'like', 'refused %').execute();
  return rows.map(({ note }) => RefusalNote.parse(JSON.parse(note)));
}

export async function endRefusal(db: StateDb, ticket: TicketKey): Promise<void> {
  await db.deleteFrom('notes').where('key', '=', refusalKey(ticket)).execute();
}

/** What an extension did not find on the helpdesk's page. `at`: when it was told, in epoch milliseconds. */
export interface MissingAnchor {
  anchor: string;
  extension: string;
  /** Version of the helpdesk; null if it is not known. */
  helpdesk: string | null;
  at: number;
}

const AnchorNote = z.object({ anchor: z.string(), extension: z.string(), helpdesk: z.string().nullable() });

/** Remembers it, unless the anchor was reported less than `quietMs` before: false. Of several at once one is true. */
export async function noteMissingAnchor(
  db: StateDb,
  { at, ...missing }: MissingAnchor,
  quietMs: number,
): Promise<boolean> {
  const recorded = await db
    .insertInto('notes')
    .values({ key: `anchor ${missing.anchor}`, note: JSON.stringify(missing satisfies z.input<typeof AnchorNote>), at })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(({ ref }) => ({ note: ref('excluded.note'), at: ref('excluded.at') }))
        .where('notes.at', '<=', at - quietMs),
    )
    .returning('key')
    .executeTakeFirst();
  return recorded !== undefined;
}

/** The last report about each anchor: there are no more than the extension looks for. */
export async function missingAnchors(db: StateDb): Promise<MissingAnchor[]> {
  const rows = await db.selectFrom('notes').select(['note', 'at']).where('key', 'like', 'anchor %').execute();
  return rows.map(({ note, at }) => ({ ...AnchorNote.parse(JSON.parse(note)), at }));
}

/** Throws unless the store can be read and written: counts in a note. */
export async function probe(db: StateDb): Promise<void> {
  await db
    .insertInto('notes')
    .values({ key: 'probe', note: '{}', at: 1 })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(({ eb }) => ({ at: eb('notes.at', '+', 1) })))
    .execute();
}

// How full the buckets of requests to the CRM are, as notes that every process on the store shares. A level is the moment
// at which the bucket will be empty, in epoch milliseconds.

const keyOf = (bucket: string) => `budget ${bucket}`;

/** Adds one request to a bucket if it will be empty by `latest`; says whether it has. Times in epoch milliseconds. */
export async function pour(
  db: StateDb,
  bucket: string,
  intervalMs: number,
  latest: number,
  now: number,
): Promise<boolean> {
  const poured = await db
    .insertInto('notes')
    .values({ key: keyOf(bucket), note: '{}', at: now + intervalMs })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(({ eb, case: either }) => ({
          at: eb(either().when('notes.at', '<', now).then(eb.val(now)).else(eb.ref('notes.at')).end(), '+', intervalMs),
        }))
        .where('notes.at', '<=', latest),
    )
    .returning('at')
    .executeTakeFirst();
  return poured !== undefined;
}

/** When the bucket will be empty; undefined if nothing was poured into it yet. */
export async function emptyAt(db: StateDb, bucket: string): Promise<number | undefined> {
  return (await read(db, keyOf(bucket)))?.at;
}

export function setEmptyAt(db: StateDb, bucket: string, at: number): Promise<void> {
  return write(db, keyOf(bucket), at, {});
}
