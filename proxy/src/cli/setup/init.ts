import { randomBytes } from 'node:crypto';
import type { ClaimsMode } from '@deskside/shared/routing';
import { Command } from 'commander';
import { createAdminClient } from '#adapters/helpdesk-frappe/admin/admin-client.ts';
import { contentOf, needAdminKey, readAdminKey } from '#cli/admin-key.ts';
import { collect, never } from '#cli/arguments.ts';
import { environmentFile, installed } from '#cli/environment-file.ts';
import { loadConfig, overStoredSecrets } from '#cli/load-config.ts';
import { type Terminal, terminal } from '#cli/terminal/terminal.ts';
import { ConfigError, parseSome } from '#config/environment.ts';
import type { Rules } from '#config/rules.ts';
import { Environment } from '#config/variables.ts';
import { withEgress } from '#net/egress.ts';
import type { Secret } from '#ports/runtime/secret.ts';
import type { HelpdeskAdmin } from '#setup/helpdesk-admin.ts';
import { accountAt, planServiceAccount } from '#setup/init/service-account.ts';
import { ProvisionError, systemManager } from '#setup/provision/options.ts';
import type { PlanItem } from '#setup/provision/plan-item.ts';
import { attempt } from '#setup/read-result.ts';
import { problemsOfCrm } from './crm-fields.ts';
import { finishInit } from './finish-init.ts';
import { claimsOption, runProvision } from './provision.ts';
import { addToSettings, refuseUnwritable } from './settings-file.ts';

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

type Variables = Record<string, string | undefined>;

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
      process.exitCode = await runInit(options, { file, environment: process.env }, terminal());
    });
}

/**
 * The command without its process.
 *
 * @param at.file where the settings are, or will be; `environment`: what is set, this file included
 * @returns the exit code: 0 all is well, or as far as it can be taken from here; 1 something failed; 2 not confirmed
 * @throws what `sentenceOf` says
 */
async function runInit(
  options: InitOptions,
  { file, environment }: { file: string; environment: Variables },
  io: Terminal,
): Promise<number> {
  if (!options.plan) refuseUnwritable(file);
  const known = await overStoredSecrets(environment);
  const settings = await askSettings(options, { file, known }, io);
  const adminKey = await askAdminKey(options, environment, io);
  const { HELPDESK_URL, ALLOW_INSECURE_UPSTREAMS } = parseSome(checked, { ...known, ...settings });
  const { items, variables } = await withEgress({ ALLOW_INSECURE_UPSTREAMS }, (egress) => {
    const upstream = egress.upstream(HELPDESK_URL, { timeoutMs: answerWithinMs, maxConnections: 4 });
    return plan(options, { ...known, ...settings }, adminKey, (key) => createAdminClient(upstream, key));
  });
  const wanted = Object.entries({ ...settings, ...variables });
  const added = Object.fromEntries(wanted.filter(([name]) => !known[name]?.trim()));
  const complete = { ...environment, ...added };
  const config = await loadConfig(complete);
  const { teams } = config.rules;
  const refused = 'CRM_WEBHOOK_URL' in added ? await problemsOfCrm(config) : [];
  if (refused.length > 0) throw new ConfigError(`${refused.join('\n')}\nNothing was changed.`);
  const mapping = teamsOf(options.team);
  const code = await runProvision(
    { browsers: 'chrome,edge,firefox', extensionId: [], ...options },
    { ...complete, DESKSIDE_ADMIN_KEY: adminKey.reveal() },
    io,
    {
      first: [settingsItem(file, added), ...items, ...teamsItem(teams, mapping)],
      teams: [...new Set(Object.values({ ...teams, ...mapping }))],
    },
  );
  if (code !== 0 || options.plan) return code;
  return finishInit(await loadConfig(complete), { file, adminKey, options, io });
}

const checked = Environment.pick({
  HELPDESK_URL: true,
  PUBLIC_URL: true,
  CRM_WEBHOOK_URL: true,
  ALLOW_INSECURE_UPSTREAMS: true,
  MASTER_KEY: true,
  MASTER_KEY_FILE: true,
  DATABASE_URL: true,
  RULES_FILE: true,
}).required({ PUBLIC_URL: true, CRM_WEBHOOK_URL: true });

/** The three that somebody has to say: what is set already stays. */
async function askSettings(
  options: InitOptions,
  { file, known }: { file: string; known: Variables },
  io: Terminal,
): Promise<Record<string, string>> {
  const { helpdesk, publicUrl, crmWebhookFile } = options;
  const webhook = crmWebhookFile === undefined ? undefined : contentOf('--crm-webhook-file', crmWebhookFile);
  const three = [
    ['HELPDESK_URL', '--helpdesk', helpdesk, 'Address of the helpdesk, such as https://help.example.com'],
    [
      'CRM_WEBHOOK_URL',
      '--crm-webhook-file',
      webhook,
      "The CRM's webhook, with the scopes crm and user_basic (not shown)",
    ],
    ['PUBLIC_URL', '--public-url', publicUrl, 'Address of Deskside itself, such as https://deskside.example.com'],
  ] as const;
  const missing: string[] = [];
  const settings: Record<string, string> = {};
  for (const [name, flag, given, question] of three) {
    const set = known[name]?.trim();
    if (set && given !== undefined && set !== given)
      throw new ConfigError(
        `${flag}: ${name} is set already, to another value, and stays: change it where it is set, such as ${file}.`,
      );
    const isSecret = name === 'CRM_WEBHOOK_URL';
    const ask = isSecret ? io.askSecret : io.ask;
    const answer = set || given || ((await ask?.(`${question}: `)) ?? '').trim();
    if (answer === '') missing.push(`${name}: missing; give ${flag}`);
    settings[name] = isSecret ? answer : answer.replace(/\/+$/, '');
  }
  if (missing.length > 0) throw new ConfigError(missing.join('\n'));
  return settings;
}

async function askAdminKey({ adminKeyFile }: InitOptions, environment: Variables, io: Terminal): Promise<Secret> {
  const given = readAdminKey(adminKeyFile, environment.DESKSIDE_ADMIN_KEY);
  const question = "A System Manager's key:secret, used now and not kept (not shown): ";
  return given ?? needAdminKey(undefined, await io.askSecret?.(question));
}

/** The service account, its key, and the master key: what is to be made, and kept in the file besides the three. Writes nothing. */
async function plan(
  options: InitOptions,
  known: Variables,
  adminKey: Secret,
  clientOf: (key: string) => HelpdeskAdmin,
): Promise<{ items: PlanItem[]; variables: Record<string, string> }> {
  const admin = clientOf(adminKey.reveal());
  await systemManager(admin, never());
  for (const name of Object.values(teamsOf(options.team)))
    if ((await admin.get('HD Team', name, never())) === null)
      throw new ProvisionError(`--team: the helpdesk has no team "${name}".`);
  const [key, secret] = [known.HELPDESK_API_KEY?.trim(), known.HELPDESK_API_SECRET?.split(',')[0]?.trim()];
  const held = key && secret ? { key, secret } : null;
  const accepted = held && (await attempt(clientOf(`${held.key}:${held.secret}`).caller(never())));
  const user = options.serviceAccount ?? accountAt(known.HELPDESK_URL ?? '');
  const { items, apiKey } = await planServiceAccount(admin, { user, held, isAccepted: accepted?.ok ?? false }, never());
  const hasMasterKey = Boolean(known.MASTER_KEY?.trim() || known.MASTER_KEY_FILE?.trim());
  return {
    items,
    variables: {
      ...(held === null && { HELPDESK_API_KEY: apiKey.key, HELPDESK_API_SECRET: apiKey.secret }),
      ...(!hasMasterKey && { MASTER_KEY: randomBytes(32).toString('base64') }),
    },
  };
}

function settingsItem(file: string, added: Record<string, string>): PlanItem {
  const names = Object.keys(added).join(', ');
  if (names === '') return { what: file, state: 'exists', detail: '', step: null };
  const take = async () => {
    addToSettings(file, added);
    return null;
  };
  return { what: file, state: 'create', detail: names, step: { kind: 'own', take } };
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
