import { constants, type Stats } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '#config.ts';
import type { Upstream } from '#net/egress.ts';
import type { Clock } from '#runtime/memory.ts';
import { folderOf, isPostgres, openRecords, StoreError } from '#store/database.ts';
import * as notes from '#store/notes.ts';
import type { StateDb } from '#store/schema.ts';
import { describeHeard, heardOf } from '#store/tickets.ts';
import { type Examined, type Findings, fault, listed, ok, type Said, unchecked, warning } from './report.ts';

// What `doctor` checks of this machine: the files, the store, the clocks.

const dayMs = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Whether the file of settings and the data are for us alone, can be written, and have room. */
export async function* files({ config, file }: Examined): Findings {
  const settings = file === null ? null : await stat(file).catch(() => null);
  if (settings && (settings.mode & 0o007) !== 0)
    yield warning(`Other users of this machine can read ${file}, which holds secrets.`, `Run "sudo chmod o= ${file}".`);
  const databaseUrl = config.DATABASE_URL.reveal();
  if (isPostgres(databaseUrl)) return ok('The data is in PostgreSQL.');
  const folder = folderOf(databaseUrl);
  const nearest = await nearestExisting(folder);
  const found = await stat(nearest);
  const owner = nearest === folder ? found.uid : 0;
  if (!found.isDirectory() || !(await mayWrite(nearest, found, owner)))
    return fault(
      `The data folder ${folder} ${found.isDirectory() ? 'cannot be written to by the account of the service' : 'is not a folder'}.`,
      'Set DATABASE_URL to file:<folder>, and give the account that runs the proxy that folder (chown).',
    );
  const { locked, exposed } = await filesIn(nearest === folder ? folder : null, found);
  if (locked.length > 0)
    yield fault(
      `The account of the service cannot write to ${listed(locked)}.`,
      `Run "sudo chown -R --reference=${folder} ${folder}" and "sudo chmod -R u+rw ${folder}".`,
    );
  if (exposed.length > 0)
    yield warning(
      `Other users of this machine can read ${listed(exposed)}, which holds customer data.`,
      `Run "sudo chmod -R go-rwx ${folder}".`,
    );
  const { bavail, bsize, blocks } = await statfs(nearest);
  // Of a large disk a gibibyte is enough, of a small one a tenth.
  if (bavail * bsize < 2 ** 30 && bavail < blocks * 0.1)
    yield fault(
      `The disk of ${folder} has ${Math.floor((bavail * bsize) / 2 ** 20)} MiB left; once it is full, no ticket can be accepted.`,
      'Free up space: at least 1 GiB or a tenth of the disk.',
    );
  return ok(`${folder} can be written to, and there is enough space.`);
}

/** Of the data folder's files, those that the service cannot write, and those that others can read. Null: it is yet to be made. */
async function filesIn(folder: string | null, { uid, mode }: Stats): Promise<{ locked: string[]; exposed: string[] }> {
  if (folder === null) return { locked: [], exposed: [] };
  const locked: string[] = [];
  const exposed = (mode & 0o004) === 0 ? [] : [folder];
  for (const name of ['state.db', 'state.db-wal', 'state.db-shm']) {
    const path = join(folder, name);
    const file = await stat(path).catch(() => null);
    if (file === null) continue;
    if (!(await mayWrite(path, file, uid))) locked.push(path);
    if ((file.mode & 0o044) !== 0) exposed.push(path);
  }
  return { locked, exposed };
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

async function nearestExisting(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  const above = dirname(path);
  return found || above === path ? path : nearestExisting(above);
}

/** Reads our own records, which are closed after it; null if there are none yet. Throws StoreError. */
async function withRecords<T>({ config }: Examined, read: (db: StateDb) => Promise<T>): Promise<T | null> {
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
export async function backup(at: Examined): Promise<Said> {
  if (isPostgres(at.config.DATABASE_URL.reveal()))
    return unchecked('PostgreSQL is backed up with pg_dump, of which Deskside knows nothing.');
  const kept = await withRecords(at, async (db) => ({
    last: await notes.lastBackup(db),
    since: (await notes.installedAt(db)) ?? 0,
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
export async function lastWebhook(at: Examined): Promise<Said> {
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
export async function* ticketPage(at: Examined): Findings {
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
export async function* settings({ config }: Examined): Findings {
  if (Object.keys(config.OAUTH_CLIENT_IDS).length === 0)
    yield warning(
      'OAUTH_CLIENT_IDS is not set, so agents cannot sign in with the extension.',
      'Run "deskside provision", which makes the clients.',
    );
  return ok(`The ids of the sign-in clients are set. ${aboutDomains(config)}`);
}

/** Whether shops are found by their domain, and how that is switched on. */
export function aboutDomains({ rules: { platform_hosts: hosts } }: Config): string {
  return hosts.length === 0
    ? 'Intake by a shop’s domain is off: "platform_hosts" in rules.json, such as ["myplatform.example"], switches it on.'
    : `Shops are found by their domain under ${listed(hosts)} ("platform_hosts" in the rules).`;
}

/**
 * An upstream that also measures how far the other side's clock is ahead of ours, in milliseconds: by the `Date` header of
 * the fastest response. Accurate to a second.
 */
export function withClock(upstream: Upstream, clock: Clock): { upstream: Upstream; ahead(): number | null } {
  let best: { took: number; ahead: number } | null = null;
  return {
    ahead: () => best?.ahead ?? null,
    upstream: {
      origin: upstream.origin,
      async request(options) {
        const asked = clock();
        const response = await upstream.request(options);
        const took = clock() - asked;
        const told = Date.parse(response.headers.date ?? '');
        if (!Number.isNaN(told) && (best === null || took < best.took)) best = { took, ahead: told - asked - took / 2 };
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
export async function* clocks({ helpdesk, crm }: { helpdesk: number | null; crm: number | null }): Findings {
  if (helpdesk === null && crm === null) return unchecked('Neither the helpdesk nor the CRM reported its time.');
  const todo = 'Synchronise its clock (NTP); "timedatectl" shows whether it is.';
  if (isOff(helpdesk) && isOff(crm) && Math.abs(helpdesk - crm) <= toleranceMs) {
    const text = `This machine's clock is ${amount(-helpdesk)} compared with both the helpdesk's and the CRM's.`;
    return fault(text, todo);
  }
  for (const [whose, ahead] of Object.entries({ helpdesk, CRM: crm }))
    if (isOff(ahead)) yield fault(`The ${whose}'s clock is ${amount(ahead)} compared with ours.`, todo);
  return ok('The clocks agree within a minute.');
}

const toleranceMs = 60_000;
const isOff = (ahead: number | null): ahead is number => ahead !== null && Math.abs(ahead) > toleranceMs;

function amount(ahead: number): string {
  const minutes = Math.abs(ahead) / 60_000;
  const size = minutes < 120 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
  return `${size} ${ahead > 0 ? 'fast' : 'slow'}`;
}
