import { constants, type Stats } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Upstream } from '#net/egress.ts';
import type { Clock } from '#runtime/memory.ts';
import { aboutDomains } from '#setup/needs/claims.ts';
import { type CheckInput, type Findings, fault, listed, ok, type Remark, unchecked, warning } from '#setup/report.ts';
import { describeHeard, heardOf } from '#store/backlog.ts';
import { folderOf, isPostgres, openRecords, StoreError } from '#store/database.ts';
import * as notes from '#store/notes.ts';
import type { StateDb } from '#store/schema.ts';

// What `doctor` checks of this machine: the files, the store, the clocks.

const dayMs = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Whether the file of settings and the data are for us alone, and can be written. */
export async function* files({ config, file }: CheckInput): Findings {
  const settings = file === null ? null : await stat(file).catch(() => null);
  if (settings && (settings.mode & 0o007) !== 0)
    yield warning(`Other users of this machine can read ${file}, which holds secrets.`, `Run "sudo chmod o= ${file}".`);
  const databaseUrl = config.DATABASE_URL.reveal();
  if (isPostgres(databaseUrl)) return ok('The data is in PostgreSQL.');
  const folder = folderOf(databaseUrl);
  const owner = (await stat(folder).catch(() => null))?.uid;
  if (owner === undefined) return ok(`${folder} is yet to be made.`);
  const locked: string[] = [];
  const exposed: string[] = [];
  for (const path of [folder, ...['state.db', 'state.db-wal', 'state.db-shm'].map((name) => join(folder, name))]) {
    const found = await stat(path).catch(() => null);
    if (found === null) continue;
    if (!(await mayWrite(path, found, owner))) locked.push(path);
    if ((found.mode & (found.isDirectory() ? 0o004 : 0o044)) !== 0) exposed.push(path);
  }
  if (locked.length > 0)
    yield fault(
      `The account of the service cannot write to ${listed(locked)}.`,
      `Run "sudo chown -R --reference=${folder} ${folder}" and "sudo chmod -R u+rwX ${folder}".`,
    );
  if (exposed.length > 0)
    yield warning(
      `Other users of this machine can read ${listed(exposed)}, which holds customer data.`,
      `Run "sudo chmod -R go-rwx ${folder}".`,
    );
  const { bavail, bsize } = await statfs(folder);
  return aboutRoom(folder, bavail * bsize);
}

/** What a full disk would look like: a store that answers for as long as its log has room. */
const leastRoom = 50 * 1024 * 1024;

/** Whether there is room for what is to be written. */
export function aboutRoom(folder: string, bytes: number): Remark {
  if (bytes >= leastRoom) return ok(`${folder} can be written to.`);
  const left = `${Math.floor(bytes / 1024 / 1024)} MB`;
  return fault(`The disk of ${folder} is full, or nearly so: ${left} are left.`, 'Free up space, or give it more.');
}

/**
 * Whether the service can write there: this account, or where root asks, who may do anything, the account that the folder
 * belongs to.
 */
async function mayWrite(path: string, { uid, mode }: Stats, owner: number): Promise<boolean> {
  if (process.getuid?.() === 0 && owner !== 0) return uid === owner && (mode & 0o200) !== 0;
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Reads our own records, which are closed after it; null if there are none yet. Throws StoreError. */
export async function withRecords<T>({ config }: CheckInput, read: (db: StateDb) => Promise<T>): Promise<T | null> {
  const db = await openRecords(config.DATABASE_URL.reveal());
  if (db === null) return null;
  try {
    return await read(db);
  } catch (error) {
    throw error instanceof StoreError ? error : new StoreError('Our own records cannot be read.');
  } finally {
    await db.destroy();
  }
}

/** Whether what cannot be had from anywhere else has been backed up lately (docs/operate.md#backup). */
export async function backup(at: CheckInput): Promise<Remark> {
  if (isPostgres(at.config.DATABASE_URL.reveal()))
    return unchecked('PostgreSQL is backed up with pg_dump, of which Deskside knows nothing.');
  const kept = await withRecords(at, async (db) => ({
    last: await notes.lastBackup(db),
    since: (await notes.installedAt(db)) ?? at.clock(),
  }));
  if (kept === null) return ok('There is nothing yet that "deskside backup" would back up.');
  const todo = 'Run "deskside backup" every night and keep what it makes on another machine.';
  const age = at.clock() - (kept.last ?? kept.since);
  // One night that failed is not worth a warning, two are.
  if (age <= 2 * dayMs)
    return ok(
      kept.last === null
        ? 'There is no backup yet: the store is younger than two days.'
        : `The last backup is of ${dayOf(kept.last)}.`,
    );
  const never = 'The store has never been backed up.';
  return warning(kept.last === null ? never : `The last backup is ${Math.floor(age / dayMs)} days old.`, todo);
}

/** Whether webhooks come: a dead one delays tickets by the sweep's half minute, and nothing else tells. */
export async function lastWebhook(at: CheckInput): Promise<Remark> {
  if (at.config.HELPDESK_WEBHOOK_SECRET === undefined)
    return fault(
      'HELPDESK_WEBHOOK_SECRET is not set, so the proxy accepts no events about new tickets.',
      'Run "deskside provision", which makes one.',
    );
  const heard = await withRecords(at, heardOf);
  if (heard === null) return ok('No ticket has come yet.');
  const { text, isFault } = describeHeard(heard);
  const todo =
    'Look at the webhook in the helpdesk: is it enabled, and what does its "Webhook Request Log" say? With a System Manager\'s key "deskside doctor" looks itself.';
  return isFault ? fault(text, todo) : ok(text);
}

/** What extensions have lately not found on the helpdesk's page (docs/operate.md#after-an-update-of-the-helpdesk). */
export async function* ticketPage(at: CheckInput): Findings {
  const missing = await withRecords(at, notes.missingAnchors);
  const lately = (missing ?? []).filter((one) => one.at >= at.clock() - 7 * dayMs);
  for (const { anchor, extension, helpdesk, at } of lately)
    yield warning(
      `Extension ${extension} has not found "${anchor}" on the ticket page of Helpdesk ${helpdesk ?? '(version unknown)'}, last on ${dayOf(at)}.`,
      'Install a newer extension; if there is none, write anchors.json (docs/operate.md#after-an-update-of-the-helpdesk) and report both versions.',
    );
  return ok('Every extension has lately found its place on the ticket page.');
}

/** Whether browsers have a way to sign in, and shops are found by their domain. */
export async function* settings({ config }: CheckInput): Findings {
  if (Object.keys(config.OAUTH_CLIENT_IDS).length === 0)
    yield warning(
      'OAUTH_CLIENT_IDS is not set, so agents cannot sign in with the extension.',
      'Run "deskside provision", which makes the clients.',
    );
  return ok(`The ids of the sign-in clients are set. ${aboutDomains(config.rules.platform_hosts)}`);
}

/** An upstream that also says how far the other side's clock is ahead of ours, in milliseconds, by its last response. */
export function withClock(upstream: Upstream, clock: Clock): { upstream: Upstream; ahead(): number | null } {
  let ahead: number | null = null;
  return {
    ahead: () => ahead,
    upstream: {
      origin: upstream.origin,
      async request(options) {
        const response = await upstream.request(options);
        const told = Date.parse(response.headers.date ?? '');
        if (!Number.isNaN(told)) ahead = told - clock();
        return response;
      },
    },
  };
}

/**
 * Clocks more than a minute apart. If both servers differ in the same way, ours is the wrong one.
 *
 * @param ahead how far each server's clock is ahead of ours, in milliseconds; null if unknown
 */
export async function* clocks(ahead: { helpdesk: number | null; CRM: number | null }): Findings {
  const told = Object.entries(ahead).filter((one): one is [string, number] => one[1] !== null);
  if (told.length === 0) return unchecked('Neither the helpdesk nor the CRM reported its time.');
  for (const [whose, ms] of told)
    if (Math.abs(ms) > 60_000)
      yield fault(
        `The ${whose}'s clock is ${Math.round(Math.abs(ms) / 60_000)} min ${ms > 0 ? 'fast' : 'slow'} compared with ours.`,
        'Synchronise it (NTP), or ours where both servers differ in the same way: "timedatectl" shows whether it is.',
      );
  return ok('The clocks agree within a minute.');
}
