import { Command } from 'commander';
import { readAdminKey } from '#commands/admin-key.ts';
import { untilInterrupted } from '#commands/arguments.ts';
import { type Config, parseConfig, secretsOf } from '#config.ts';
import { maskSecrets } from '#crm/webhook.ts';
import { createAdminClient } from '#helpdesk/admin.ts';
import { serviceKeyOf, withServiceKeys } from '#helpdesk/credentials.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { withEgress } from '#net/egress.ts';
import type { Clock } from '#runtime/clock.ts';
import { createRedactor } from '#runtime/redactor.ts';
import type { Secret } from '#runtime/secret.ts';
import { checkCrm } from './check-crm.ts';
import * as helpdesk from './check-helpdesk.ts';
import * as here from './check-here.ts';
import {
  type Checked,
  type Examined,
  fault,
  helpdeskFault,
  isHealthy,
  jsonReport,
  ok,
  printReport,
  run,
  unchecked,
  whyUnread,
} from './report.ts';
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
    .action(async ({ adminKeyFile, ticket, json }: { adminKeyFile?: string; ticket?: boolean; json?: boolean }) => {
      const config = parseConfig(process.env);
      const adminKey = readAdminKey(adminKeyFile, process.env.DESKSIDE_ADMIN_KEY);
      const report = await examine(config, adminKey);
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
 * @param adminKey a System Manager's `key:secret`, or null: then less is checked
 */
export async function examine(
  config: Config,
  adminKey: Secret | null,
  { clock = Date.now, withinMs = 15_000 }: { clock?: Clock; withinMs?: number } = {},
): Promise<Checked[]> {
  const report = await withEgress(config, async (egress) => {
    const limits = { timeoutMs: withinMs, maxConnections: 4 };
    const upstream = withServiceKeys(config, egress.upstream(config.HELPDESK_URL, limits));
    const measured = here.withClock(upstream, clock);
    const at: Examined = {
      config,
      egress,
      service: createAdminClient(measured.upstream, serviceKeyOf(config)),
      admin: adminKey && createAdminClient(measured.upstream, adminKey.reveal()),
      deadline: () => AbortSignal.timeout(withinMs),
      withinMs,
      clock,
    };
    const [ofMachine, ofHelpdesk, crm] = await Promise.all([checkMachine(at), checkHelpdesk(at), checkCrm(at)]);
    const clocks = here.clocks({ helpdesk: measured.ahead(), crm: crm.ahead });
    return [...ofMachine, ...ofHelpdesk, ...crm.checked, { check: 'Clocks', said: clocks }];
  });
  const secrets = [...secretsOf(config), ...(adminKey?.reveal().split(':').slice(1) ?? [])];
  const redact = createRedactor(secrets, maskSecrets);
  return report.map(({ check, said }) => ({
    check,
    said: said.map((one) => ({ ...one, text: redact(one.text), todo: redact(one.todo) })),
  }));
}

function checkMachine(at: Examined): Promise<Checked[]> {
  return Promise.all([
    run('Address', async () => (await here.meetDeskside(at.config, at.egress, at.withinMs)).said),
    run('Secrets', () => here.secrets(at)),
    run('Data folder', () => here.dataFolder(at)),
    run('Backup', () => here.backup(at)),
    run('Last webhook', () => here.lastWebhook(at)),
    run('Claims', () => helpdesk.claims(at)),
    run('Platform domain', () => here.platformDomain(at)),
  ]);
}

async function checkHelpdesk(at: Examined): Promise<Checked[]> {
  const administrators = checkAsAdministrator(at);
  const me = await helpdesk.whoIs(at).catch((error: unknown) => {
    if (error instanceof HelpdeskError || error instanceof DOMException) return error;
    throw error;
  });
  if ('isAgent' in me) return [...(await checkAsService(at, me)), ...(await administrators)];
  const said = helpdeskFault(me);
  const isRefused = me instanceof HelpdeskError && (me.kind === 'unauthenticated' || me.kind === 'forbidden');
  if (isRefused) return [{ check: 'Service account', said: [said] }, ...(await administrators)];
  await administrators;
  return [{ check: 'Helpdesk', said: [said, unchecked('Everything else about it.')] }];
}

async function checkAsService(at: Examined, me: helpdesk.ServiceUser): Promise<Checked[]> {
  const site = [run('Helpdesk', () => helpdesk.version(at)), run('Time zone', () => helpdesk.timeZone(at))];
  const lacksRole = fault(
    `${me.user} is not an agent, so the helpdesk shows it no tickets.`,
    `Give ${me.user} the roles Agent and Agent Manager; System Manager alone is not an agent.`,
  );
  if (!me.isAgent) return Promise.all([...site, { check: 'Service account', said: [lacksRole] }]);
  return Promise.all([
    ...site,
    run('Service account', () => helpdesk.serviceAccount(at, me)),
    run('Fields', () => helpdesk.fields(at, me)),
    run('Contacts', () => helpdesk.contacts(at)),
    run('Customers', () => helpdesk.customers(at)),
    run('Teams', () => helpdesk.teams(at)),
    run('Ticket page', () => here.ticketPage(at)),
  ]);
}

async function checkAsAdministrator(at: Examined): Promise<Checked[]> {
  const key = await run("Administrator's key", () => administratorsKey(at));
  if (key.said.some(({ level }) => level !== 'ok')) return [key];
  return Promise.all([
    run('Webhook', () => helpdesk.webhook(at)),
    run('Before Insert script', () => helpdesk.beforeInsert(at)),
    run('Other automation', () => helpdesk.automations(at)),
    run('Sign-in', () => helpdesk.signIn(at)),
  ]);
}

async function administratorsKey({ admin, deadline }: Examined) {
  const needs = 'Webhook, Before Insert script and sign-in';
  if (admin === null)
    return unchecked(`${needs} need a System Manager's key (--admin-key-file or DESKSIDE_ADMIN_KEY).`);
  try {
    const caller = await admin.caller(deadline());
    if (caller.hasRole('System Manager')) return ok(`${caller.user} is a System Manager.`);
    return fault(`${caller.user} is not a System Manager.`, 'Use a System Manager’s key.');
  } catch (error) {
    if (error instanceof HelpdeskError && error.kind === 'unauthenticated')
      return fault("The helpdesk refuses the administrator's key.", 'Create a new key in the helpdesk.');
    return unchecked(`${needs}: ${whyUnread(error)}`);
  }
}
