import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { ClaimsMode } from '@deskside/shared/routing';
import { Command, Option } from 'commander';
import { createAdminClient } from '#adapters/helpdesk-frappe/admin/admin-client.ts';
import { createRedactor } from '#adapters/log-json/redactor.ts';
import { examine } from '#checks/doctor.ts';
import { meetPublicUrl } from '#checks/public-url.ts';
import { readAdminKey } from '#cli/admin-key.ts';
import { environmentFile, installed } from '#cli/environment-file.ts';
import { loadConfig, overStoredSecrets } from '#cli/load-config.ts';
import { type Terminal, terminal } from '#cli/terminal/terminal.ts';
import { crmAdapter } from '#config/crm-adapter.ts';
import { type Config, ConfigError, parseSome, secretsOf } from '#config/environment.ts';
import type { Rules } from '#config/rules.ts';
import { Environment } from '#config/variables.ts';
import { StartError } from '#http/server/listen.ts';
import { createEgress } from '#net/egress.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { Secret } from '#ports/runtime/secret.ts';
import { listed } from '#setup/doctor/finding.ts';
import { cleaned, printReport } from '#setup/doctor/print-report.ts';
import { judgePublicUrl, type MetAtPublicUrl } from '#setup/doctor/public-url.ts';
import { gatherTeams } from '#setup/doctor/teams.ts';
import type { HelpdeskAdmin } from '#setup/helpdesk-admin.ts';
import { accountAt, planServiceAccount } from '#setup/init/service-account.ts';
import { ProvisionError } from '#setup/provision/options.ts';
import type { PlanItem } from '#setup/provision/plan-item.ts';
import { attempt } from '#setup/read-result.ts';
import { runProve } from './prove.ts';
import { explain, runProvision } from './provision.ts';
import { addToSettings, refuseUnwritable } from './settings-file.ts';
import { startingWith, startService } from './start-service.ts';

/** Longest wait for one response, and for a service that has just been started. */
const answerWithinMs = 15_000;
const startWithinMs = 60_000;

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
  prove: boolean;
}

type Variables = Record<string, string | undefined>;
const never = () => new AbortController().signal;
const collect = (value: string, before: string[]) => [...before, value];

/** `deskside init`: from three settings to a service that is proved to work (docs/install.md). */
export function initCommand(): Command {
  return new Command('init')
    .description('Set Deskside up: settings, service account, what the helpdesk needs; a second run changes nothing')
    .option('--helpdesk <url>', 'address of the helpdesk (HELPDESK_URL)')
    .option('--public-url <url>', 'address at which the helpdesk and the browsers reach Deskside (PUBLIC_URL)')
    .option('--crm-webhook-file <path>', "file with the address of the CRM's webhook (CRM_WEBHOOK_URL)")
    .option('--admin-key-file <path>', "file with a System Manager's key:secret, used now and not kept")
    .option('--service-account <email>', 'user of the helpdesk that Deskside works as (default: deskside@<helpdesk>)')
    .option('--team <role=name>', 'a team that is there, for medium_scale, medium_grow or sme', collect, [])
    .addOption(
      new Option('--claims <mode>', 'what an org id is worth that only the sender vouches for').choices(
        ClaimsMode.options,
      ),
    )
    .option(
      '--no-protect-customer-orgid',
      'leave the org id of HD Customer to the portal customers who may write it (1.28)',
    )
    .option('--plan', 'show the plan and change nothing')
    .option('--yes', 'do not ask for confirmation')
    .option('--no-start', 'do not start the service, only say how')
    .option('--no-prove', 'do not make a ticket at the end')
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
 * @throws ConfigError, StartError, StoreError
 */
async function runInit(
  options: InitOptions,
  { file, environment }: { file: string; environment: Variables },
  io: Terminal,
): Promise<number> {
  if (!options.plan) refuseUnwritable(file);
  const known = await overStoredSecrets(environment);
  const settings = await askSettings(options, known, io);
  const adminKey = await askAdminKey(options, environment, io);
  const { ALLOW_INSECURE_UPSTREAMS } = parseSome(checked, { ...known, ...settings });
  const egress = createEgress({ allowInsecure: ALLOW_INSECURE_UPSTREAMS });
  let planned: Planned;
  try {
    const upstream = egress.upstream(settings.HELPDESK_URL, { timeoutMs: answerWithinMs, maxConnections: 4 });
    planned = await plan(options, { known, settings, adminKey, clientOf: (key) => createAdminClient(upstream, key) });
  } catch (error) {
    if (!(error instanceof HelpdeskError || error instanceof ProvisionError)) throw error;
    io.printError(error instanceof HelpdeskError ? explain(error) : error.message);
    return 1;
  } finally {
    await egress.close();
  }
  const wanted = Object.entries({ ...settings, ...planned.variables });
  const added = Object.fromEntries(wanted.filter(([name]) => !known[name]?.trim()));
  const complete = { ...environment, ...added };
  const { teams } = (await loadConfig(complete)).rules;
  const mapping = teamsOf(options.team);
  const { claims, yes } = options;
  const code = await runProvision(
    {
      browsers: 'chrome,edge,firefox',
      extensionId: [],
      protectCustomerOrgid: options.protectCustomerOrgid ?? true,
      ...(claims && { claims }),
      ...(yes && { yes }),
      ...(options.plan && { plan: true }),
    },
    { ...complete, DESKSIDE_ADMIN_KEY: adminKey.reveal() },
    io,
    {
      first: [settingsItem(file, added), ...planned.items, ...teamsItem(teams, mapping)],
      teams: [...new Set(Object.values({ ...teams, ...mapping }))],
    },
  );
  if (code !== 0 || options.plan) return code;
  const config = await loadConfig(complete);
  const finished = await finish(config, { file, adminKey, options, io });
  await sayWhoNeedsMembers(config, adminKey, io);
  return finished;
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

interface ThreeSettings {
  HELPDESK_URL: string;
  CRM_WEBHOOK_URL: string;
  PUBLIC_URL: string;
}

/** The three that somebody has to say: what is set already stays. */
async function askSettings(options: InitOptions, known: Variables, io: Terminal): Promise<ThreeSettings> {
  const missing: string[] = [];
  async function one(name: keyof ThreeSettings, flag: string, given: string | undefined, question: string) {
    const set = known[name]?.trim();
    if (set && given !== undefined && set !== given)
      throw new ConfigError(`${flag}: ${name} is set already, to another value, and stays: change it there.`);
    const ask = name === 'CRM_WEBHOOK_URL' ? io.askSecret : io.ask;
    const answer = set || given || (ask === null ? '' : (await ask(`${question}: `)).trim());
    if (answer === '') missing.push(`${name}: missing; give ${flag}`);
    return answer.replace(name === 'CRM_WEBHOOK_URL' ? /$^/ : /\/+$/, '');
  }
  const webhook =
    options.crmWebhookFile === undefined ? undefined : contentOf('--crm-webhook-file', options.crmWebhookFile);
  const settings = {
    HELPDESK_URL: await one(
      'HELPDESK_URL',
      '--helpdesk',
      options.helpdesk,
      'Address of the helpdesk, such as https://help.example.com',
    ),
    CRM_WEBHOOK_URL: await one(
      'CRM_WEBHOOK_URL',
      '--crm-webhook-file',
      webhook,
      "The CRM's webhook, with the scopes crm and user_basic (not shown)",
    ),
    PUBLIC_URL: await one(
      'PUBLIC_URL',
      '--public-url',
      options.publicUrl,
      'Address of Deskside itself, such as https://deskside.example.com',
    ),
  };
  if (missing.length > 0) throw new ConfigError(missing.join('\n'));
  return settings;
}

async function askAdminKey({ adminKeyFile }: InitOptions, environment: Variables, io: Terminal): Promise<Secret> {
  const given = readAdminKey(adminKeyFile, environment.DESKSIDE_ADMIN_KEY);
  if (given !== null) return given;
  const answer =
    io.askSecret === null
      ? ''
      : await io.askSecret("A System Manager's key:secret, used now and not kept (not shown): ");
  const key = readAdminKey(undefined, answer);
  if (key === null)
    throw new ConfigError("DESKSIDE_ADMIN_KEY or --admin-key-file: missing; expected a System Manager's key:secret.");
  return key;
}

function contentOf(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new ConfigError(`${flag}: expected the path of a readable file.`);
  }
}

interface Planned {
  items: PlanItem[];
  /** What the file of settings needs besides the three. */
  variables: Record<string, string>;
}

/** The service account, its key, and the master key. Writes nothing. */
async function plan(
  options: InitOptions,
  {
    known,
    settings,
    adminKey,
    clientOf,
  }: { known: Variables; settings: ThreeSettings; adminKey: Secret; clientOf: (key: string) => HelpdeskAdmin },
): Promise<Planned> {
  const admin = clientOf(adminKey.reveal());
  const { user: caller, hasRole } = await admin.caller(never());
  if (!hasRole('System Manager'))
    throw new ProvisionError(`${caller} is not a System Manager of the helpdesk. Use the key of an account that is.`);
  for (const name of Object.values(teamsOf(options.team)))
    if ((await admin.get('HD Team', name, never())) === null)
      throw new ProvisionError(`--team: the helpdesk has no team "${name}".`);
  const [key, secret] = [known.HELPDESK_API_KEY?.trim(), known.HELPDESK_API_SECRET?.split(',')[0]?.trim()];
  const held = key && secret ? { key, secret } : null;
  const accepted = held && (await attempt(clientOf(`${held.key}:${held.secret}`).caller(never())));
  const user = options.serviceAccount ?? accountAt(settings.HELPDESK_URL);
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

/** Starts the service or says how, then looks at everything and proves that a ticket comes through. */
async function finish(
  config: Config,
  { file, adminKey, options, io }: { file: string; adminKey: Secret; options: InitOptions; io: Terminal },
): Promise<number> {
  await offerFields(config, io);
  const starting = startingWith(file);
  let met = await meet(config, 0);
  if (met.kind !== 'us') {
    const failed = starting.isPossible && options.start ? await startService() : null;
    if (failed !== null) throw new StartError(failed);
    if (starting.isPossible && options.start) met = await meet(config, startWithinMs);
  }
  if (met.kind !== 'us') {
    const [found] = judgePublicUrl(config.PUBLIC_URL ?? '', met, Date.now()).findings;
    if (found) io.print(`\n${found.problem} ${found.remedy}`);
    io.print(
      `\nStart the service, if it does not run:\n  ${starting.command}\nand then see whether all of it works:\n  deskside init${file === installed.settings ? '' : ` --env-file ${file}`}`,
    );
    return starting.isPossible && options.start ? 1 : 0;
  }
  const hide = createRedactor([...secretsOf(config), adminKey.reveal().split(':')[1] ?? ''], crmAdapter.maskSecrets);
  const report = cleaned(await examine(config, { adminKey }), hide);
  const verdicts = report.verdicts.filter(({ findings, unchecked }) => findings.length + unchecked.length > 0);
  io.print(`\n${printReport({ ...report, verdicts })}\n`);
  if (!options.prove) return report.healthy ? 0 : 1;
  const code = await runProve(config, adminKey, { yes: options.yes ?? false }, io);
  return report.healthy ? code : 1;
}

/** A team that was just made has the administrator alone, who is seldom an agent. */
async function sayWhoNeedsMembers(config: Config, adminKey: Secret, io: Terminal): Promise<void> {
  const egress = createEgress({ allowInsecure: config.ALLOW_INSECURE_UPSTREAMS });
  const admin = createAdminClient(egress.upstream(config.HELPDESK_URL), adminKey.reveal());
  const names = [...new Set(Object.values(config.rules.teams))];
  const deadline = () => AbortSignal.timeout(answerWithinMs);
  const teams = await attempt(gatherTeams(admin, names, deadline)).finally(() => egress.close());
  const empty = teams.ok ? teams.value.filter(({ found }) => found?.assignable.length === 0) : [];
  if (empty.length > 0)
    io.print(
      `\nTo do now: add members who are active HD Agents to these teams, to whom no ticket can be assigned until then: ${listed(empty.map(({ name }) => `"${name}"`))}.`,
    );
}

/** What is met at PUBLIC_URL, once it is Deskside or after so long. */
async function meet(config: Config, withinMs: number): Promise<MetAtPublicUrl> {
  const { PUBLIC_URL } = config;
  if (PUBLIC_URL === undefined) return { kind: 'not_asked' };
  const until = Date.now() + withinMs;
  for (;;) {
    const egress = createEgress({ allowInsecure: config.ALLOW_INSECURE_UPSTREAMS });
    const met = await meetPublicUrl({ ...config, PUBLIC_URL }, egress, answerWithinMs).finally(() => egress.close());
    if (met.kind === 'us' || Date.now() >= until) return met;
    await wait(1_000);
  }
}

/** The CRM's own fields: which of them agents should see, is the operator's to say. */
async function offerFields(config: Config, io: Terminal): Promise<void> {
  const address = config.CRM_WEBHOOK_URL?.[0]?.reveal();
  if (address === undefined) return;
  const egress = createEgress({ allowInsecure: config.ALLOW_INSECURE_UPSTREAMS });
  const upstream = (origin: string) => egress.upstream(origin, { timeoutMs: answerWithinMs });
  const how = { upstream, withinMs: answerWithinMs, clock: Date.now };
  const fields = await crmAdapter.listFields(config.rules.crm_fields, address, how).finally(() => egress.close());
  const count = 'failed' in fields ? 0 : fields.filter(({ extra }) => extra !== null).length;
  if (count > 0)
    io.print(
      `\nThe CRM has ${count} more fields of companies that agents could see: "deskside crm-fields" lists them.`,
    );
}
