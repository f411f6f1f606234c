import type { ClaimsMode } from '@deskside/shared/routing';
import { Command } from 'commander';
import * as z from 'zod';
import { contentOf, needAdminKey, readAdminKey } from '#commands/admin-key.ts';
import { collect, never } from '#commands/arguments.ts';
import { environmentFile, installed, readVariables, type Variables } from '#commands/environment-file.ts';
import { type Terminal, terminal } from '#commands/terminal.ts';
import { type Config, ConfigError, parseConfig, parseSome, readSome } from '#config.ts';
import { createAdminClient } from '#helpdesk/admin.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { withEgress } from '#net/egress.ts';
import type { Rules } from '#rules.ts';
import type { Secret } from '#runtime/secret.ts';
import { Environment } from '#variables.ts';
import { askThrough, webhook } from './check-crm.ts';
import { finishInit } from './finish-init.ts';
import type { HelpdeskAdmin } from './helpdesk-admin.ts';
import { accountAt, planServiceAccount } from './init/service-account.ts';
import { ProvisionError, systemManager } from './provision/options.ts';
import type { PlanItem } from './provision/plan-item.ts';
import { claimsOption, runProvision } from './provision-command.ts';
import { readIntegrationsSettings } from './read-integrations-settings.ts';
import { makeAccount, startingWith } from './start-service.ts';
import { refuseUnwritable, writeSettings } from './write-settings-file.ts';

/** Longest wait for one response. */
const answerWithinMs = 15_000;

interface InitOptions {
  helpdesk?: string;
  publicUrl?: string;
  crmWebhookFile?: string;
  adminKeyFile?: string;
  serviceAccount?: string;
  team: string[];
  claims?: ClaimsMode;
  protectCustomerOrgid?: boolean;
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
    .option('--team <role=name>', 'a team that is there, for medium_scale, medium_grow or sme', collect, [])
    .addOption(claimsOption())
    .option(
      '--no-protect-customer-orgid',
      'leave the org id of HD Customer to the portal customers who may write it (1.28)',
    )
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

/**
 * The command without its process.
 *
 * @param at.file where the settings are, or will be; `known`: what is set, this file included
 * @returns the exit code: 0 all is well, or as far as it can be taken from here; 1 something failed; 2 not confirmed
 * @throws what `sentenceOf` says
 */
async function runInit(
  options: InitOptions,
  { file, known }: { file: string; known: Variables },
  io: Terminal,
): Promise<number> {
  if (!options.plan) refuseUnwritable(file);
  const ask = asking({ file, known }, io);
  const helpdesk = await ask('HELPDESK_URL', options.helpdesk);
  if (helpdesk === null) await ask.needRest(options);
  const { HELPDESK_URL, ALLOW_INSECURE_UPSTREAMS } = parseSome(reached, { ...known, HELPDESK_URL: helpdesk ?? '' });
  const adminKey = await askAdminKey(options, known, io);
  const { items, settings, taken } = await withEgress({ ALLOW_INSECURE_UPSTREAMS }, async (egress) => {
    const upstream = egress.upstream(HELPDESK_URL, { timeoutMs: answerWithinMs, maxConnections: 4 });
    const clientOf = (key: string) => createAdminClient(upstream, key);
    const admin = clientOf(adminKey.reveal());
    await systemManager(admin, never());
    const taken = await takeFromHelpdesk(admin, known, io);
    const three = { HELPDESK_URL, ...(await ask.needRest(options, taken)) };
    const { items, variables } = await plan(options, { ...known, ...three }, admin, clientOf);
    return { items, settings: { ...taken, ...three, ...variables }, taken };
  });
  const added = Object.fromEntries(Object.entries(settings).filter(([name]) => !known[name]?.trim()));
  const complete = { ...known, ...added };
  const config = parseConfig(complete);
  const { teams } = config.rules;
  if ('CRM_WEBHOOK_URL' in added) await refuseUselessWebhook(config);
  const mapping = teamsOf(options.team);
  let isChanged = Object.keys(added).length > 0;
  const code = await runProvision(
    { browsers: 'chrome,edge,firefox', extensionId: [], ...options },
    { file, variables: { ...complete, DESKSIDE_ADMIN_KEY: adminKey.reveal() } },
    io,
    {
      first: [settingsItem(file, added, Object.keys(taken)), ...items, ...teamsItem(teams, mapping)],
      teams: [...new Set(Object.values({ ...teams, ...mapping }))],
      onWritten: () => (isChanged = true),
    },
  );
  if (code !== 0 || options.plan) return code;
  const inForce = parseConfig(readVariables(file, { over: complete, mayMiss: true }));
  return finishInit(inForce, { file, adminKey, options, isChanged, io });
}

/** Throws ConfigError if no company can be looked up with the CRM's webhook. */
async function refuseUselessWebhook(config: Config): Promise<void> {
  const said = await withEgress(config, async (egress) => {
    const ask = askThrough('CRM_WEBHOOK_URL', config, egress, answerWithinMs);
    return ask && webhook(ask);
  });
  if (said?.level === 'fault') throw new ConfigError(`${said.text} ${said.todo}\nNothing was changed.`);
}

const reached = Environment.pick({ HELPDESK_URL: true, ALLOW_INSECURE_UPSTREAMS: true });

/** The three that somebody has to say: their options and questions. */
const three = {
  HELPDESK_URL: ['--helpdesk', 'Address of the helpdesk, such as https://help.example.com'],
  CRM_WEBHOOK_URL: ['--crm-webhook-file', "The CRM's webhook, with the scopes crm and user_basic (not shown)"],
  PUBLIC_URL: ['--public-url', 'Address of Deskside itself, such as https://deskside.example.com'],
} as const;

/** Asks for the three. What is set already stays; null for what nobody says. */
function asking({ file, known }: { file: string; known: Variables }, io: Terminal) {
  const missing: string[] = [];

  async function ask(name: keyof typeof three, given: string | undefined, taken = ''): Promise<string | null> {
    const [flag, question] = three[name];
    const set = known[name]?.trim();
    if (set && given !== undefined && set !== given)
      throw new ConfigError(
        `${flag}: ${name} is set already, to another value, and stays: change it where it is set, such as ${file}.`,
      );
    const isSecret = name === 'CRM_WEBHOOK_URL';
    const answered = set || given || taken || ((await (isSecret ? io.askSecret : io.ask)?.(`${question}: `)) ?? '');
    if (answered.trim() === '') missing.push(`${name}: missing; give ${flag}`);
    return answered.trim() === '' ? null : isSecret ? answered.trim() : answered.trim().replace(/\/+$/, '');
  }

  /** The other two. Throws ConfigError if one of the three is missing. */
  async function needRest({ crmWebhookFile, publicUrl }: InitOptions, taken: Variables = {}) {
    const given = crmWebhookFile === undefined ? undefined : contentOf('--crm-webhook-file', crmWebhookFile);
    const CRM_WEBHOOK_URL = await ask('CRM_WEBHOOK_URL', given, taken.CRM_WEBHOOK_URL);
    const PUBLIC_URL = await ask('PUBLIC_URL', publicUrl);
    if (CRM_WEBHOOK_URL === null || PUBLIC_URL === null || missing.length > 0)
      throw new ConfigError(missing.join('\n'));
    return { CRM_WEBHOOK_URL, PUBLIC_URL };
  }

  return Object.assign(ask, { needRest });
}

/**
 * What the helpdesk's own "Integrations Settings" hold of settings that are not set yet. What cannot be used is said and
 * left out.
 *
 * @throws HelpdeskError
 */
async function takeFromHelpdesk(admin: HelpdeskAdmin, known: Variables, io: Terminal): Promise<Record<string, string>> {
  const taken: Record<string, string> = {};
  for (const { name, field, value } of (await readIntegrationsSettings(admin, never())) ?? []) {
    if (known[name]?.trim()) continue;
    const { ALLOW_INSECURE_UPSTREAMS } = known;
    const { problems } = readSome(z.object({ [name]: Environment.shape[name] }), {
      [name]: value,
      ALLOW_INSECURE_UPSTREAMS,
    });
    if (problems.length === 0) taken[name] = value;
    else io.print(`Integrations Settings: ${field} is left out. ${problems.join('. ')}.`);
  }
  return taken;
}

async function askAdminKey({ adminKeyFile }: InitOptions, environment: Variables, io: Terminal): Promise<Secret> {
  const given = readAdminKey(adminKeyFile, environment.DESKSIDE_ADMIN_KEY);
  const question = "A System Manager's key:secret, used now and not kept (not shown): ";
  return given ?? needAdminKey(undefined, await io.askSecret?.(question));
}

/** The service account and its key: what is to be made, and kept in the file besides the three. Writes nothing. */
async function plan(
  options: InitOptions,
  known: Variables,
  admin: HelpdeskAdmin,
  clientOf: (key: string) => HelpdeskAdmin,
): Promise<{ items: PlanItem[]; variables: Record<string, string> }> {
  for (const name of Object.values(teamsOf(options.team)))
    if ((await admin.get('HD Team', name, never())) === null)
      throw new ProvisionError(`--team: the helpdesk has no team "${name}".`);
  const [key, secret] = [known.HELPDESK_API_KEY?.trim(), known.HELPDESK_API_SECRET?.split(',')[0]?.trim()];
  const held = key && secret ? { key, secret } : null;
  const isAccepted = held !== null && (await isKnown(clientOf(`${held.key}:${held.secret}`)));
  const user = options.serviceAccount ?? accountAt(known.HELPDESK_URL ?? '');
  const { items, apiKey } = await planServiceAccount(admin, { user, held, isAccepted }, never());
  return {
    items,
    variables: held === null ? { HELPDESK_API_KEY: apiKey.key, HELPDESK_API_SECRET: apiKey.secret } : {},
  };
}

/** Whether the helpdesk knows the key. Throws HelpdeskError for any other answer. */
async function isKnown(client: HelpdeskAdmin): Promise<boolean> {
  return client.caller(never()).then(
    () => true,
    (error: unknown) => {
      if (error instanceof HelpdeskError && error.kind === 'unauthenticated') return false;
      throw error;
    },
  );
}

/** @param taken names that come from the helpdesk */
function settingsItem(file: string, added: Record<string, string>, taken: readonly string[]): PlanItem {
  const names = Object.keys(added);
  if (names.length === 0) return { what: file, state: 'exists', detail: '', step: null };
  const found = names.filter((name) => taken.includes(name)).join(', ');
  const detail = `${names.join(', ')}${found === '' ? '' : ` (from Integrations Settings: ${found})`}`;
  const take = async () => {
    if (startingWith(file).isPossible) await makeAccount();
    writeSettings(file, added);
    return null;
  };
  return { what: file, state: 'create', detail, step: { kind: 'own', take } };
}

type TeamRules = Rules['teams'];

function teamsOf(given: readonly string[]): Partial<TeamRules> {
  const pairs = given.map((pair) => {
    const [, role, name] = /^(medium_scale|medium_grow|sme)=(.+)$/.exec(pair) ?? [];
    if (role === undefined || name === undefined)
      throw new ConfigError(
        '--team: expected medium_scale, medium_grow or sme, "=" and a team, such as sme="First Line".',
      );
    return [role, name.trim()];
  });
  return Object.fromEntries(pairs);
}

function teamsItem(teams: TeamRules, mapping: Partial<TeamRules>): PlanItem[] {
  const wanted = { ...teams, ...mapping };
  if (JSON.stringify(wanted) === JSON.stringify(teams)) return [];
  const step = { kind: 'setting', name: 'teams', value: JSON.stringify(wanted) } as const;
  return [{ what: 'Rule teams', state: 'change', detail: Object.values(wanted).join(', '), step }];
}
