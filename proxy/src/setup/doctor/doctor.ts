import { Command } from 'commander';
import { environmentFile, readAdminKey } from '#commands/settings.ts';
import { untilInterrupted } from '#commands/terminal.ts';
import { type Config, parseConfig, secretsOf } from '#config.ts';
import { maskSecrets } from '#crm/rest.ts';
import { HelpdeskAdmin } from '#helpdesk/admin.ts';
import { serviceKeyOf, withServiceKeys } from '#helpdesk/credentials.ts';
import { HelpdeskError, helpdeskProblem } from '#helpdesk/errors.ts';
import { withEgress } from '#net/egress.ts';
import { createRedactor } from '#runtime/log.ts';
import type { Clock } from '#runtime/memory.ts';
import type { Secret } from '#runtime/secret.ts';
import { checkScript } from '#setup/needs/before-insert.ts';
import { checkClaims } from '#setup/needs/claims.ts';
import { checkFields } from '#setup/needs/fields.ts';
import { checkContacts, checkCustomers, checkShares } from '#setup/needs/rights.ts';
import { checkSignIn } from '#setup/needs/sign-in.ts';
import { checkTeams } from '#setup/needs/teams.ts';
import { checkWebhook } from '#setup/needs/webhook.ts';
import {
  type CheckInput,
  type CheckReport,
  fault,
  isHealthy,
  jsonReport,
  ok,
  printReport,
  type Remark,
  run,
  unchecked,
  whyUnread,
} from '#setup/report.ts';
import { checkCrm } from './crm.ts';
import * as helpdesk from './helpdesk.ts';
import * as machine from './machine.ts';
import { meetDeskside } from './meet-deskside.ts';
import { printProof, proveWithTicket } from './ticket-proof.ts';

/** `deskside doctor`: says in plain words what is wrong and how to fix it. Writes nothing anywhere without `--ticket`. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check the helpdesk, the CRM and this machine: say what is wrong and how to fix it')
    .option(
      '--admin-key-file <path>',
      "file with a System Manager's key:secret (default: DESKSIDE_ADMIN_KEY), for more checks",
    )
    .option('--ticket', 'make a ticket as well, see it come through, and delete it')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', '\nExits with 0 if nothing is wrong (warnings do not count), otherwise with 1.')
    .action(async (options: { adminKeyFile?: string; ticket?: boolean; json?: boolean }, command: Command) => {
      const { adminKeyFile, ticket, json } = options;
      const file = environmentFile(command.optsWithGlobals<{ envFile?: string }>().envFile);
      const config = parseConfig(process.env);
      const adminKey = readAdminKey(adminKeyFile, process.env.DESKSIDE_ADMIN_KEY);
      const report = await examine(config, file, adminKey);
      const proof = ticket ? await proveWithTicket(config, adminKey, untilInterrupted()) : null;
      const said = [printReport(report), ...(proof ? [printProof(proof)] : [])].join('\n\n');
      process.stdout.write(`${json ? jsonReport(report, proof ? { ticket: proof } : {}) : said}\n`);
      process.exitCode = isHealthy(report) && (proof?.problems ?? []).length === 0 ? 0 : 1;
    });
}

/**
 * Runs all checks at once; no secret is in what they say. One that cannot be made says so, and keeps no other from being
 * made.
 *
 * @param file where the settings are; null for the environment alone
 * @param adminKey a System Manager's `key:secret`, or null: then less is checked
 */
export async function examine(
  config: Config,
  file: string | null,
  adminKey: Secret | null,
  { clock = Date.now, withinMs = 15_000 }: { clock?: Clock; withinMs?: number } = {},
): Promise<CheckReport[]> {
  const report = await withEgress(config, async (egress) => {
    const limits = { timeoutMs: withinMs, maxConnections: 4 };
    const upstream = withServiceKeys(config, egress.upstream(config.HELPDESK_URL, limits));
    const measured = machine.withClock(upstream, clock);
    const service = new HelpdeskAdmin(measured.upstream, serviceKeyOf(config));
    const admin = adminKey && new HelpdeskAdmin(measured.upstream, adminKey.reveal());
    const at: CheckInput = { config, file, egress, service, withinMs, clock };
    const [ofMachine, ofService, ofAdministrator, crm] = await Promise.all([
      checkMachine(at),
      checkAsService(at),
      checkAsAdministrator(at, admin),
      checkCrm(at),
    ]);
    const clocks = await run('Clocks', machine.clocks({ helpdesk: measured.ahead(), CRM: crm.ahead }));
    return [...ofMachine, ...ofService, ...ofAdministrator, ...crm.checked, clocks];
  });
  const secrets = [...secretsOf(config), ...(adminKey?.reveal().split(':').slice(1) ?? [])];
  const redact = createRedactor(secrets, maskSecrets);
  return report.map(({ check, said }) => ({
    check,
    said: said.map((one) => ({ ...one, text: redact(one.text), todo: redact(one.todo) })),
  }));
}

function checkMachine(at: CheckInput): Promise<CheckReport[]> {
  return Promise.all([
    run(
      'Address',
      meetDeskside(at.config, at.egress, at.withinMs).then(({ said }) => said),
    ),
    run('Settings', machine.settings(at)),
    run('Files', machine.files(at)),
    run('Backup', machine.backup(at)),
    run('Last webhook', machine.lastWebhook(at)),
    run('Ticket page', machine.ticketPage(at)),
  ]);
}

async function checkAsService(at: CheckInput): Promise<CheckReport[]> {
  const me = await helpdesk.whoIs(at).catch((error: unknown) => {
    if (error instanceof HelpdeskError || error instanceof DOMException) return error;
    throw error;
  });
  if (!('isAgent' in me)) {
    const isRefused = me instanceof HelpdeskError && (me.kind === 'unauthenticated' || me.kind === 'forbidden');
    const said: Remark[] = [{ level: 'fault', ...helpdeskProblem(me) }, unchecked('Everything else about it.')];
    return [{ check: isRefused ? 'Service account' : 'Helpdesk', said }];
  }
  const always = [run('Helpdesk', helpdesk.version(at)), run('Service account', helpdesk.serviceAccount(at, me))];
  if (!me.isAgent) return Promise.all(always);
  return Promise.all([
    ...always,
    run('Fields', checkFields(at)),
    run('Contacts', checkContacts(at)),
    run('Customers', checkCustomers(at)),
    run('Teams', checkTeams(at)),
  ]);
}

async function checkAsAdministrator(at: CheckInput, admin: HelpdeskAdmin | null): Promise<CheckReport[]> {
  const key = await run("Administrator's key", administratorsKey(admin));
  if (admin === null || key.said.some(({ level }) => level !== 'ok')) return [key];
  return Promise.all([
    run('Claims', checkClaims(at, admin)),
    run('Shares', checkShares(admin)),
    run('Webhook', checkWebhook(at, admin)),
    run('Before Insert script', checkScript(at, admin)),
    run('Other automation', helpdesk.automations(admin)),
    run('Sign-in', checkSignIn(at, admin)),
  ]);
}

async function administratorsKey(admin: HelpdeskAdmin | null): Promise<Remark> {
  const needs = 'Webhook, Before Insert script, sign-in, shares and who may sign up';
  if (admin === null)
    return unchecked(`${needs} need a System Manager's key (--admin-key-file or DESKSIDE_ADMIN_KEY).`);
  try {
    const { user, hasRole } = await admin.caller();
    if (hasRole('System Manager')) return ok(`${user} is a System Manager.`);
    return fault(`${user} is not a System Manager.`, 'Use a System Manager’s key.');
  } catch (error) {
    if (error instanceof HelpdeskError && error.kind === 'unauthenticated')
      return fault("The helpdesk refuses the administrator's key.", 'Create a new key in the helpdesk.');
    return unchecked(`${needs}: ${whyUnread(error)}`);
  }
}
