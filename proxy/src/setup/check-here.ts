import { constants, type Stats } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Discovery } from '@deskside/shared/contract';
import { jsonOf } from '@deskside/shared/json';
import * as z from 'zod';
import type { Config } from '#config.ts';
import { certificateEnd } from '#net/certificate-end.ts';
import { type Egress, EgressError, type Upstream } from '#net/egress.ts';
import type { Clock } from '#runtime/clock.ts';
import { folderOf, isPostgres } from '#store/database-url.ts';
import * as notes from '#store/notes.ts';
import type { StateDb } from '#store/schema.ts';
import { openRecords, StoreError } from '#store/store.ts';
import { describeHeard, heardOf } from '#store/tickets.ts';
import { version } from '#version.ts';
import { certificateFault, type Examined, fault, listed, ok, type Said, unchecked, warning } from './report.ts';

// What `doctor` checks of this machine: the address, the secrets, the store, the clocks.

const dayMs = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** What answers at PUBLIC_URL. `absent`: nobody yet, so perhaps the service only has to be started. */
export interface Met {
  who: 'us' | 'other version' | 'absent' | 'other';
  said: Said;
}

const Answer = z.object({ success: z.literal(true), data: Discovery });

/** Asks what is at PUBLIC_URL, as a browser would before anybody has signed in. */
export async function meetDeskside(
  { PUBLIC_URL: origin, HELPDESK_URL }: Pick<Config, 'HELPDESK_URL' | 'PUBLIC_URL'>,
  egress: Egress,
  timeoutMs: number,
): Promise<Met> {
  const other = (said: Said): Met => ({ who: 'other', said });
  if (origin === undefined)
    return other(
      fault(
        'PUBLIC_URL is not set, so the address at which the helpdesk and the browsers reach the proxy is unknown.',
        'Set PUBLIC_URL to that address, such as https://deskside.example.com.',
      ),
    );
  if (!isSafe(origin))
    return other(
      fault(
        `PUBLIC_URL is ${origin}: keys, tickets and CRM data would cross the network in the clear.`,
        'Put a web server with a certificate in front of the proxy and set PUBLIC_URL to its https address.',
      ),
    );
  const { host } = new URL(origin);
  const foreign = (text: string) =>
    other(fault(text, 'Correct PUBLIC_URL, or the address to which the web server there sends on.'));
  try {
    const upstream = egress.upstream(origin, { timeoutMs, maxConnections: 1, direct: true });
    const signal = AbortSignal.timeout(timeoutMs);
    const { status, text } = await upstream.request({ method: 'GET', path: '/.well-known/deskside', signal });
    if ([502, 503, 504].includes(status))
      return {
        who: 'absent',
        said: fault(
          `The web server at ${host} answers, but not the proxy behind it (HTTP ${status}).`,
          'Start the service, and compare HOST and PORT with the address to which that web server sends on.',
        ),
      };
    const answer = Answer.safeParse(jsonOf(text));
    if (status !== 200 || !answer.success)
      return foreign(`What answers at ${host} is not Deskside: ${status === 200 ? 'another page' : `HTTP ${status}`}.`);
    const { helpdesk_url, version: theirs } = answer.data.data;
    if (helpdesk_url !== HELPDESK_URL)
      return foreign(`The Deskside at ${host} is another one: it serves ${helpdesk_url}.`);
    if (theirs !== version)
      return {
        who: 'other version',
        said: warning(
          `The Deskside at ${host} is version ${theirs}, this is ${version}.`,
          'Restart the service after an upgrade, or run the command of the same version.',
        ),
      };
    return { who: 'us', said: await sayUntil(origin, signal) };
  } catch (error) {
    if (!(error instanceof EgressError) && !(error instanceof DOMException)) throw error;
    return notMet(new URL(origin), error);
  }
}

async function sayUntil(origin: string, signal: AbortSignal): Promise<Said> {
  const ends = origin.startsWith('https:') ? await certificateEnd(origin, signal).catch(() => null) : null;
  if (ends === null) return ok(`The proxy answers at ${origin}.`);
  return ends - Date.now() < 14 * dayMs
    ? warning(
        `The certificate at ${origin} ends on ${dayOf(ends)}.`,
        'Renew it; a reverse proxy often does so by itself.',
      )
    : ok(`The proxy answers at ${origin}, with a certificate until ${dayOf(ends)}.`);
}

function notMet({ host, hostname }: URL, error: EgressError | DOMException): Met {
  const other = (said: Said): Met => ({ who: 'other', said });
  const { code, certificate, reason, message } =
    error instanceof EgressError ? error : { code: 'timeout', certificate: null, reason: null, message: '' };
  if (certificate) {
    const said = certificateFault(certificate, `PUBLIC_URL (${host})`, 'PUBLIC_URL');
    const others = ' The helpdesk has to trust it too (REQUESTS_CA_BUNDLE), and so do the browsers.';
    return other(certificate === 'untrusted' ? { ...said, todo: said.todo + others } : said);
  }
  if (code === 'timeout' || reason === 'ETIMEDOUT' || reason === 'UND_ERR_CONNECT_TIMEOUT')
    return other(
      fault(
        `PUBLIC_URL: there is no response from ${host}.`,
        'Look for a firewall between, and whether that machine is running.',
      ),
    );
  if (reason === 'ENOTFOUND' || reason === 'EAI_AGAIN')
    return other(
      fault(
        `PUBLIC_URL: no such name as ${hostname} (${reason}).`,
        'Correct PUBLIC_URL, or enter the name into the DNS.',
      ),
    );
  if (reason === 'ECONNREFUSED')
    return {
      who: 'absent',
      said: fault(
        `PUBLIC_URL: nobody listens at ${host}.`,
        'Start the web server in front of the proxy, or correct PUBLIC_URL.',
      ),
    };
  return other(
    fault(`PUBLIC_URL: ${host} cannot be reached. ${message}`, 'Check the network between, and the web server there.'),
  );
}

/** Loopback traffic never leaves the machine. */
function isSafe(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

/** What others need to trust the proxy, or to sign in. */
export async function secrets({ config }: Examined): Promise<Said[]> {
  const said: Said[] = [];
  if (config.HELPDESK_WEBHOOK_SECRET === undefined)
    said.push(
      fault(
        'HELPDESK_WEBHOOK_SECRET is not set, so the proxy accepts no events about new tickets.',
        'Run "deskside provision", which makes one.',
      ),
    );
  if (Object.keys(config.OAUTH_CLIENT_IDS).length === 0)
    said.push(
      warning(
        'OAUTH_CLIENT_IDS is not set, so agents cannot sign in with the extension.',
        'Run "deskside provision", which makes the clients.',
      ),
    );
  return said.length > 0 ? said : [ok('The secret of the webhook and the ids of the clients are set.')];
}

/** Whether the data can be stored, readable by us alone, and with enough room. */
export async function dataFolder({ config }: Examined): Promise<Said[]> {
  const databaseUrl = config.DATABASE_URL.reveal();
  if (isPostgres(databaseUrl))
    return [unchecked('The data is in PostgreSQL; the proxy reports at startup whether it can be used.')];
  const folder = folderOf(databaseUrl);
  const nearest = await nearestExisting(folder);
  const found = await stat(nearest);
  const isMissing = nearest !== folder;
  const unusable = (what: string) =>
    fault(
      `The data folder ${folder} ${what}.`,
      'Set DATABASE_URL to file:<folder>, and give the account that runs the proxy that folder (chown).',
    );
  if (!found.isDirectory()) return [unusable('is not a folder')];
  if (!(await mayWrite(nearest, found, isMissing ? 0 : found.uid)))
    return [unusable('cannot be written to by the account of the service')];
  const said = isMissing ? [] : await filesIn(folder, found);
  const { bavail, bsize, blocks } = await statfs(nearest);
  // Of a large disk a gibibyte is enough, of a small one a tenth.
  if (bavail * bsize < 2 ** 30 && bavail < blocks * 0.1)
    said.push(
      fault(
        `The disk of ${folder} has ${Math.floor((bavail * bsize) / 2 ** 20)} MiB left; once it is full, no ticket can be accepted.`,
        'Free up space: at least 1 GiB or a tenth of the disk.',
      ),
    );
  if (said.length > 0) return said;
  return [
    ok(
      `${folder} ${isMissing ? 'will be created at the first start' : 'can be written to'}, and there is enough space.`,
    ),
  ];
}

/** What is wrong with the owner or the rights of the data folder's files. */
async function filesIn(folder: string, { uid, mode }: Stats): Promise<Said[]> {
  const said: Said[] = [];
  const locked: string[] = [];
  const exposed = (mode & 0o004) === 0 ? [] : [folder];
  for (const name of ['state.db', 'cache.db'].flatMap((name) => [name, `${name}-wal`, `${name}-shm`])) {
    const path = join(folder, name);
    const file = await stat(path).catch(() => null);
    if (file === null) continue;
    if (!(await mayWrite(path, file, uid))) locked.push(path);
    if ((file.mode & 0o044) !== 0) exposed.push(path);
  }
  if (locked.length > 0)
    said.push(
      fault(
        `The account of the service cannot write to ${locked.join(', ')}.`,
        `Run "sudo chown -R --reference=${folder} ${folder}" and "sudo chmod -R u+rw ${folder}".`,
      ),
    );
  if (exposed.length > 0)
    said.push(
      warning(
        `Other users of this machine can read ${exposed.join(', ')}, which holds customer data.`,
        `Run "sudo chmod -R go-rwx ${folder}".`,
      ),
    );
  return said;
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
export async function withRecords<T>(databaseUrl: string, read: (db: StateDb) => Promise<T>): Promise<T | null> {
  const db = await openRecords(databaseUrl);
  if (db === null) return null;
  try {
    return await read(db);
  } catch (error) {
    throw error instanceof StoreError ? error : new StoreError('Our own records cannot be read.');
  } finally {
    await db.destroy();
  }
}

/** Whether what cannot be had from anywhere else has been backed up lately (docs/backup.md#backup). */
export async function backup({ config, clock }: Examined): Promise<Said> {
  const databaseUrl = config.DATABASE_URL.reveal();
  if (isPostgres(databaseUrl))
    return unchecked('PostgreSQL is backed up with pg_dump, of which Deskside knows nothing.');
  const kept = await withRecords(databaseUrl, async (db) => ({
    last: await notes.lastBackup(db),
    since: (await notes.installedAt(db)) ?? 0,
  }));
  if (kept === null) return ok('There is nothing yet that "deskside backup" would back up.');
  const todo = 'Run "deskside backup" every night and keep what it makes on another machine.';
  // One night that failed is not worth a warning, two are.
  const isLate = clock() - (kept.last ?? kept.since) > 2 * dayMs;
  if (kept.last === null)
    return isLate
      ? warning('The store has never been backed up.', todo)
      : ok('There is no backup yet: the store is younger than two days.');
  return !isLate
    ? ok(`The last backup is of ${dayOf(kept.last)}.`)
    : warning(`The last backup is ${Math.floor((clock() - kept.last) / dayMs)} days old.`, todo);
}

/** Whether webhooks come: a dead one delays tickets by the sweep's half minute, and nothing else tells. */
export async function lastWebhook({ config }: Examined): Promise<Said> {
  const heard = await withRecords(config.DATABASE_URL.reveal(), heardOf);
  if (heard === null) return ok('No ticket has come yet.');
  const { text, isFault } = describeHeard(heard);
  return isFault
    ? fault(
        text,
        'Look at the webhook in the helpdesk: is it enabled, and what does its "Webhook Request Log" say? With a System Manager\'s key "deskside doctor" looks itself.',
      )
    : ok(text);
}

/** What extensions have lately not found on the helpdesk's page (docs/monitoring.md#after-an-update-of-the-helpdesk). */
export async function ticketPage({ config, clock }: Examined): Promise<Said[]> {
  const missing = await withRecords(config.DATABASE_URL.reveal(), notes.missingAnchors);
  const lately = (missing ?? []).filter(({ at }) => at >= clock() - 7 * dayMs);
  if (lately.length === 0) return [ok('Every extension has lately found its place on the ticket page.')];
  return lately.map(({ anchor, extension, helpdesk, at }) =>
    warning(
      `Extension ${extension} has not found "${anchor}" on the ticket page of Helpdesk ${helpdesk ?? '(version unknown)'}, last on ${dayOf(at)}.`,
      'Install a newer extension; if there is none, write anchors.json (docs/monitoring.md#anchorsjson) and report both versions.',
    ),
  );
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
export function clocks({ helpdesk, crm }: { helpdesk: number | null; crm: number | null }): Said[] {
  if (helpdesk === null && crm === null) return [unchecked('Neither the helpdesk nor the CRM reported its time.')];
  const todo = 'Synchronise its clock (NTP); "timedatectl" shows whether it is.';
  if (isOff(helpdesk) && isOff(crm) && Math.abs(helpdesk - crm) <= toleranceMs) {
    const text = `This machine's clock is ${amount(-helpdesk)} compared with both the helpdesk's and the CRM's.`;
    return [fault(text, todo)];
  }
  const said = Object.entries({ helpdesk, CRM: crm }).flatMap(([whose, ahead]) =>
    isOff(ahead) ? [fault(`The ${whose}'s clock is ${amount(ahead)} compared with ours.`, todo)] : [],
  );
  return said.length > 0 ? said : [ok('The clocks agree within a minute.')];
}

const toleranceMs = 60_000;
const isOff = (ahead: number | null): ahead is number => ahead !== null && Math.abs(ahead) > toleranceMs;

function amount(ahead: number): string {
  const minutes = Math.abs(ahead) / 60_000;
  const size = minutes < 120 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
  return `${size} ${ahead > 0 ? 'fast' : 'slow'}`;
}

/** The hosts by which a shop is found. */
export async function platformDomain({ config }: Examined): Promise<Said> {
  const { platform_hosts: hosts } = config.rules;
  return hosts.length === 0
    ? ok('No "platform_hosts" in the rules: shops are not found by a domain of the platform.')
    : ok(`Shops are found by their domain under ${listed(hosts)}.`);
}
