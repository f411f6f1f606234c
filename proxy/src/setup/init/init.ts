import type { ClaimsMode } from '@deskside/shared/routing';
import { Command } from 'commander';
import * as z from 'zod';
import {
  contentOf,
  environmentFile,
  installed,
  readAdminKey,
  readVariables,
  type Variables,
} from '#commands/settings.ts';
import { sentenceOf, type Terminal, terminal } from '#commands/terminal.ts';
import { ConfigError, Environment, parseConfig, parseSome, readSome } from '#config.ts';
import { HelpdeskAdmin } from '#helpdesk/admin.ts';
import { type Egress, withEgress } from '#net/egress.ts';
import { Rules } from '#rules.ts';
import { Secret } from '#runtime/secret.ts';
import { askAt, webhook } from '#setup/doctor/crm.ts';
import { meetDeskside } from '#setup/doctor/meet-deskside.ts';
import type { Item } from '#setup/items.ts';
import { refuseUnwritable, writeSettings } from '#setup/provision/own-settings.ts';
import { claimsOption, runProvision, systemManager } from '#setup/provision/provision.ts';
import { run } from '#setup/report.ts';
import { finishInit } from './finish.ts';
import { accountAt, planServiceAccount, platformHostOf, readIntegrationsSettings } from './helpdesk.ts';
import { makeAccount, startingWith } from './systemd.ts';

/** Longest wait for one response. */
const answerWithinMs = 15_000;
/** Somebody waits at the terminal for an answer to be tried. */
const tryWithinMs = 5_000;

interface InitOptions {
  helpdesk?: string;
  publicUrl?: string;
  crmWebhookFile?: string;
  adminKeyFile?: string;
  serviceAccount?: string;
  claims?: ClaimsMode;
  plan?: boolean;
  yes?: boolean;
  start: boolean;
  ticket: boolean;
}

/** `deskside init`: from three settings to a service that works (docs/install.md). */
export function initCommand(): Command {
  return new Command('init')
    .description('Set Deskside up: settings, service account, what the helpdesk needs; a second run changes nothing')
    .option('--helpdesk <url>', 'address of the helpdesk (HELPDESK_URL)')
    .option('--public-url <url>', 'address at which the helpdesk and the browsers reach Deskside (PUBLIC_URL)')
    .option('--crm-webhook-file <path>', "file with the address of the CRM's webhook (CRM_WEBHOOK_URL)")
    .option('--admin-key-file <path>', "file with a System Manager's key:secret, used now and not kept")
    .option('--service-account <email>', 'user of the helpdesk that Deskside works as (default: deskside@<helpdesk>)')
    .addOption(claimsOption())
    .option('--plan', 'show the plan and change nothing')
    .option('--yes', 'do not ask for confirmation')
    .option('--no-start', 'do not start the service, only say how')
    .option('--no-ticket', 'do not make a ticket at the end')
    .addHelpText('after', '\nExits with 0 if all is well, 1 if something failed, 2 if it was not confirmed.')
    .action(async (options: InitOptions, command: Command) => {
      const { envFile } = command.optsWithGlobals<{ envFile?: string }>();
      const file = environmentFile(envFile) ?? installed.settings;
      process.exitCode = await runInit(options, { file, known: process.env }, terminal());
    });
}

/** What the questions are about: where the answers go, and what is known already, the file included. */
interface InitSession {
  options: InitOptions;
  file: string;
  known: Variables;
  io: Terminal;
  /** What is to be kept in the file; `taken`: what of it comes from the helpdesk; `kept`: what of it already is. */
  added: Set<string>;
  taken: Set<string>;
  kept: string[];
}

/**
 * The command without its process.
 *
 * @param at.file where the settings are, or will be; `known`: what is set, this file included
 * @returns the exit code: 0 all is well, or as far as it can be taken from here; 1 something failed; 2 not confirmed
 * @throws what `sentenceOf` says
 */
export async function runInit(
  options: InitOptions,
  { file, known }: { file: string; known: Variables },
  io: Terminal,
): Promise<number> {
  if (!options.plan) refuseUnwritable(file);
  const asking: InitSession = { options, file, known: { ...known }, io, added: new Set(), taken: new Set(), kept: [] };
  const { ALLOW_INSECURE_UPSTREAMS } = parseSome(Environment.pick({ ALLOW_INSECURE_UPSTREAMS: true }), known);
  return withEgress({ ALLOW_INSECURE_UPSTREAMS }, async (egress) => {
    const clientAt = (url: string, key: string, timeoutMs = answerWithinMs) =>
      new HelpdeskAdmin(egress.upstream(url, { timeoutMs, maxConnections: 4 }), key);
    const helpdesk = await askFor(asking, 'HELPDESK_URL', options.helpdesk, (url) => {
      io.print(`  Asking ${url} …`);
      return whyNoHelpdesk(clientAt(url, 'x:x', tryWithinMs));
    });
    const clientOf = (key: string) => clientAt(helpdesk, key);
    const adminKey = await askAdminKey(asking, clientOf);
    const admin = clientOf(adminKey.reveal());
    await takeFromHelpdesk(asking, admin);
    const { crmWebhookFile: hook } = options;
    const given = hook === undefined ? undefined : contentOf('--crm-webhook-file', hook);
    await askFor(asking, 'CRM_WEBHOOK_URL', given, async (address) => {
      const ask = askAt('CRM_WEBHOOK_URL', address, egress, tryWithinMs);
      const [said] = ask ? (await run('CRM', webhook(ask))).said : [];
      return said?.level === 'fault' ? `${said.text} ${said.todo}` : null;
    });
    await askFor(asking, 'PUBLIC_URL', options.publicUrl, (PUBLIC_URL) =>
      whyNotPublic(asking, { HELPDESK_URL: helpdesk, PUBLIC_URL }, egress),
    );
    const platformHosts = await askPlatformHosts(asking, admin);
    const account = await serviceAccountItems(asking, admin, clientOf);
    return setUp(asking, { account, platformHosts, adminKey });
  });
}

/** The three that somebody has to say: their options and questions. */
const three = {
  HELPDESK_URL: ['--helpdesk', 'Address of the helpdesk, such as https://help.example.com'],
  CRM_WEBHOOK_URL: ['--crm-webhook-file', "The CRM's webhook, with the scopes crm and user_basic (not shown)"],
  PUBLIC_URL: ['--public-url', 'Address of Deskside itself, such as https://deskside.example.com'],
} as const;

/**
 * One of the three: as it is set, as the option says, or as somebody answers, who is asked again until it will do. An answer is
 * kept in the file at once, so that another run asks only what is missing.
 *
 * @param check why the value will not do, as a sentence; null if it will
 * @throws ConfigError where nobody can be asked, too
 */
async function askFor(
  asking: InitSession,
  name: keyof typeof three,
  given: string | undefined,
  check: (value: string) => Promise<string | null>,
): Promise<string> {
  const { file, known, io, added, options } = asking;
  const [flag, question] = three[name];
  const set = known[name]?.trim();
  const written = given === undefined ? undefined : asAddress(name, given);
  if (set && written !== undefined && set !== written)
    throw new ConfigError(
      `${flag}: ${name} is set already, to another value, and stays: change it where it is set, such as ${file}.`,
    );
  if (set) return set;
  const ask = name === 'CRM_WEBHOOK_URL' ? io.askSecret : io.ask;
  for (;;) {
    const value = written ?? asAddress(name, (await ask?.(`${question}: `)) ?? '');
    if (value === '') throw new ConfigError(`${name}: missing; give ${flag}`);
    const problem = whyUnfit(asking, name, value) ?? (await check(value));
    if (problem !== null && written !== undefined) throw new ConfigError(`${flag}: ${problem}\n${notChanged(asking)}`);
    if (problem !== null) {
      io.print(`  ${problem}`);
      continue;
    }
    known[name] = value;
    added.add(name);
    if (written === undefined && !options.plan) await keepAnswer(asking, name, value);
    return value;
  }
}

/** So that another run asks only what is missing. */
async function keepAnswer({ file, io, kept }: InitSession, name: string, value: string): Promise<void> {
  await keep(file, { [name]: value });
  kept.push(name);
  io.print(`  ${name} is kept in ${file}.`);
}

/** A bare host name is taken as https. */
function asAddress(name: keyof typeof three, text: string): string {
  const value = text.trim();
  if (value === '' || name === 'CRM_WEBHOOK_URL') return value;
  return (/^https?:/i.test(value) ? value : `https://${value}`).replace(/\/+$/, '');
}

/** Why a value is none for this setting; null if it is. */
function whyUnfit({ known }: InitSession, name: keyof typeof Environment.shape, value: string): string | null {
  const { ALLOW_INSECURE_UPSTREAMS } = known;
  const schema = z.object({ [name]: Environment.shape[name] });
  const { problems } = readSome(schema, { [name]: value, ALLOW_INSECURE_UPSTREAMS });
  return problems.length === 0 ? null : `${problems.join('. ')}.`;
}

/** Where every shop of the platform has a domain: asked where neither a rule nor the customers say it; null: nobody was asked. */
async function askPlatformHosts({ known, io }: InitSession, admin: HelpdeskAdmin): Promise<string[] | null> {
  const { RULES_FILE } = parseSome(Environment.pick({ RULES_FILE: true }), known);
  if (RULES_FILE.platform_hosts !== undefined || io.ask === null) return null;
  // The plan names it.
  const shown = Rules.shape.platform_hosts.safeParse([await platformHostOf(admin)]);
  if (shown.success) return shown.data;
  for (;;) {
    const answer = await io.ask('The platform’s host, below which every shop has a domain (empty: none): ');
    const hosts = Rules.shape.platform_hosts.safeParse(answer.split(',').flatMap((host) => host.trim() || []));
    if (hosts.success) return hosts.data;
    io.print('  Expected host names such as myplatform.example, with commas between.');
  }
}

/** What of Deskside's own address would not do whatever starts there; what only is not there yet is said. */
async function whyNotPublic(
  { io }: InitSession,
  at: Parameters<typeof meetDeskside>[0],
  egress: Egress,
): Promise<string | null> {
  io.print(`  Asking ${at.PUBLIC_URL} …`);
  const { who, said } = await meetDeskside(at, egress, tryWithinMs);
  if (who === 'unsafe' || who === 'another') return `${said.text} ${said.todo}`;
  if (who !== 'us' && who !== 'absent') io.print(`  ${said.text} ${said.todo}`);
  return null;
}

async function whyNoHelpdesk(nobody: HelpdeskAdmin): Promise<string | null> {
  // A helpdesk does not know this key; everything else is no helpdesk, or none that answers.
  return nobody.caller().then(
    () => null,
    (error: { kind?: string }) => (error.kind === 'unauthenticated' ? null : sentenceOf(error)),
  );
}

/** Of a System Manager; whoever sits there is asked again until the helpdesk knows it. Throws what `sentenceOf` says. */
async function askAdminKey(
  { options, known, io }: InitSession,
  clientOf: (key: string) => HelpdeskAdmin,
): Promise<Secret> {
  const given = readAdminKey(options.adminKeyFile, known.DESKSIDE_ADMIN_KEY);
  if (given !== null) {
    await systemManager(clientOf(given.reveal()));
    return given;
  }
  const question = "A System Manager's key:secret, used now and not kept (not shown): ";
  for (;;) {
    const answered = ((await io.askSecret?.(question)) ?? '').trim();
    if (answered === '')
      throw new ConfigError("DESKSIDE_ADMIN_KEY or --admin-key-file: missing; expected a System Manager's key:secret.");
    try {
      const key = readAdminKey(undefined, answered);
      if (key !== null) await systemManager(clientOf(key.reveal()));
      return key ?? new Secret('');
    } catch (error) {
      io.print(`  ${sentenceOf(error)}`);
    }
  }
}

/** What the helpdesk's own "Integrations Settings" hold of settings that are not set yet. What cannot be used is said and left out. */
async function takeFromHelpdesk(asking: InitSession, admin: HelpdeskAdmin): Promise<void> {
  const { known, io, added, taken, options } = asking;
  for (const { name, field, value } of await readIntegrationsSettings(admin)) {
    const isSaid = name === 'CRM_WEBHOOK_URL' && options.crmWebhookFile !== undefined;
    if (known[name]?.trim() || isSaid) continue;
    const problem = whyUnfit(asking, name, value);
    if (problem === null) {
      known[name] = value;
      added.add(name);
      taken.add(name);
    } else io.print(`Integrations Settings: ${field} is left out. ${problem}`);
  }
}

/** The service account and its key: what is to be made, and kept in the file besides the three. Writes nothing. */
async function serviceAccountItems(
  { options, known, added }: InitSession,
  admin: HelpdeskAdmin,
  clientOf: (key: string) => HelpdeskAdmin,
): Promise<Item[]> {
  const [key, secret] = [known.HELPDESK_API_KEY?.trim(), known.HELPDESK_API_SECRET?.split(',')[0]?.trim()];
  const held = key && secret ? { key, secret } : null;
  const user = options.serviceAccount ?? accountAt(known.HELPDESK_URL ?? '');
  const { items, apiKey } = await planServiceAccount(admin, { user, held, clientOf });
  if (held === null || apiKey.secret !== held.secret || apiKey.key !== held.key) {
    Object.assign(known, { HELPDESK_API_KEY: apiKey.key, HELPDESK_API_SECRET: apiKey.secret });
    added.add('HELPDESK_API_KEY').add('HELPDESK_API_SECRET');
  }
  return items;
}

/** What is to be made besides what `provision` makes, and by whose key. */
interface Agreed {
  account: Item[];
  platformHosts: string[] | null;
  adminKey: Secret;
}

async function setUp(asking: InitSession, { account, platformHosts, adminKey }: Agreed): Promise<number> {
  const { options, file, known, io, added, taken } = asking;
  const before = readVariables(file, { over: {}, mayMiss: true });
  // The service has no environment of ours.
  if (known.ALLOW_INSECURE_UPSTREAMS?.trim() && !before.ALLOW_INSECURE_UPSTREAMS) added.add('ALLOW_INSECURE_UPSTREAMS');
  const names = [...added].filter((name) => before[name] !== known[name]);
  const values = Object.fromEntries(names.map((name) => [name, known[name] ?? '']));
  const found = names.filter((name) => taken.has(name)).join(', ');
  const detail = `${names.join(', ')}${found === '' ? '' : ` (from Integrations Settings: ${found})`}`;
  const settings: Item = { what: file, state: 'create', detail, make: () => keep(file, values) };
  const first: Item[] = [names.length === 0 ? { what: file, state: 'exists' } : settings, ...account];
  const teams = [...new Set(Object.values(parseConfig(known).rules.teams))];
  const variables = { ...known, DESKSIDE_ADMIN_KEY: adminKey.reveal() };
  const more = { first, teams, platformHosts, unchanged: notChanged(asking) };
  const provisioned = await runProvision({ ...options, extensionId: [] }, { file, variables }, io, more);
  if (provisioned.code !== 0 || options.plan) return provisioned.code;
  const inForce = parseConfig(readVariables(file, { over: whatStays(known, file, before), mayMiss: true }));
  const isChanged = provisioned.isWritten || added.size > 0;
  return finishInit(inForce, { file, adminKey, options, isChanged, io });
}

/** What is true where nothing is made. */
function notChanged({ file, kept }: InitSession): string {
  if (kept.length === 0) return 'Nothing was changed.';
  const account = startingWith(file).isPossible ? ', and this machine has the account "deskside"' : '';
  return `The helpdesk was not changed. ${file} keeps what you have answered: ${kept.join(', ')}${account}.`;
}

/** What is known, but for what this run has written into the file since: there it is newer. */
function whatStays(known: Variables, file: string, before: Variables): Variables {
  const now = readVariables(file, { over: {}, mayMiss: true });
  return Object.fromEntries(Object.entries(known).filter(([name]) => now[name] === before[name]));
}

async function keep(file: string, values: Record<string, string>): Promise<void> {
  if (startingWith(file).isPossible) await makeAccount();
  writeSettings(file, values);
}
