import { existsSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { createBitrixClient } from './adapters/crm-bitrix24/client.ts';
import { codeOfException } from './adapters/crm-bitrix24/crm-failure.ts';
import { parseWebhook, sameWebhook } from './adapters/crm-bitrix24/parse-webhook.ts';
import { createAdminClient } from './adapters/helpdesk-frappe/admin/admin-client.ts';
import { createFrappeClient } from './adapters/helpdesk-frappe/client.ts';
import { readDoctypeFields } from './adapters/helpdesk-frappe/doctype-fields.ts';
import { siteZone } from './adapters/helpdesk-frappe/site-time.ts';
import { type Config, ConfigError, parseConfig, secretsOf } from './config.ts';
import { createEgress, type Egress } from './net/egress.ts';
import type { Clock } from './ports/clock.ts';
import { HelpdeskError } from './ports/helpdesk.ts';
import { createRedactor } from './redact.ts';
import { Secret } from './secret.ts';
import { createClockProbe } from './setup/doctor/clock-probe.ts';
import { type DoctorSettings, diagnose, type Patient } from './setup/doctor/diagnose.ts';
import type { Report } from './setup/doctor/finding.ts';
import type { AskCrm } from './setup/doctor/gather-crm.ts';
import type { ReadLengths } from './setup/doctor/gather-fields.ts';
import type { ZoneOf } from './setup/doctor/helpdesk-reader.ts';
import { cleaned, jsonReport, printReport } from './setup/doctor/print-report.ts';

/** Longest wait for one answer. */
const answerWithinMs = 15_000;

/** `proxy doctor`: says in plain words what is wrong and how to mend it. Writes nothing anywhere. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check helpdesk, CRM and this machine; says what is wrong and how to mend it, and changes nothing')
    .option(
      '--admin-key-file <path>',
      'file with key:secret of a System Manager (else DESKSIDE_ADMIN_KEY), to see more',
    )
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nEnds with 0 where nothing is wrong (warnings count as nothing), otherwise with 1.')
    .action(async ({ adminKeyFile, json }: { adminKeyFile?: string; json?: boolean }) => {
      if (existsSync('.env')) process.loadEnvFile('.env');
      const config = parseConfig(process.env);
      const adminKey = readAdminKey(adminKeyFile, process.env.DESKSIDE_ADMIN_KEY);
      const hide = createRedactor([...secretsOf(config), ...(adminKey?.reveal().split(':').slice(1) ?? [])]);
      const report = cleaned(await examine(config, { adminKey }), hide);
      process.stdout.write(`${json ? jsonReport(report) : printReport(report)}\n`);
      process.exitCode = report.healthy ? 0 : 1;
    });
}

/** Wires the checks to this configuration and runs them. `adminKey`: a System Manager's `key:secret`, or null. */
export async function examine(
  config: Config,
  {
    adminKey,
    clock = Date.now,
    withinMs = answerWithinMs,
  }: { adminKey: Secret | null; clock?: Clock; withinMs?: number },
): Promise<Report> {
  const egress = createEgress({ allowInsecure: config.ALLOW_INSECURE_UPSTREAMS });
  try {
    return await diagnose({
      settings: settingsOf(config),
      ...helpdeskOf(config, { egress, adminKey, clock, withinMs }),
      crm: crmOf(config, egress, withinMs),
      deadline: () => AbortSignal.timeout(withinMs),
      zoneOf,
      clock,
    });
  } finally {
    await egress.close();
  }
}

function helpdeskOf(
  config: Config,
  { egress, adminKey, clock, withinMs }: { egress: Egress; adminKey: Secret | null; clock: Clock; withinMs: number },
): Pick<Patient, 'service' | 'lengths' | 'admin' | 'helpdeskAhead'> {
  const options = { timeoutMs: withinMs, maxConnections: 4 };
  const { upstream, ahead } = createClockProbe(egress.upstream(config.HELPDESK_URL, options), clock);
  const key = `${config.HELPDESK_API_KEY.reveal()}:${config.HELPDESK_API_SECRET.reveal()}`;
  const client = createFrappeClient(upstream);
  const lengths: ReadLengths = async (doctype, signal) => {
    const fields = await readDoctypeFields(client, doctype, `token ${key}`, signal).catch((error: unknown) => {
      if (error instanceof HelpdeskError && error.kind === 'not_found') return new Map();
      throw error;
    });
    return new Map([...fields].map(([name, { length }]) => [name, length]));
  };
  return {
    service: createAdminClient(upstream, key),
    lengths,
    admin: adminKey && createAdminClient(upstream, adminKey.reveal()),
    helpdeskAhead: ahead,
  };
}

function settingsOf(config: Config): DoctorSettings {
  const rules = config.RULES_FILE;
  return {
    publicUrl: config.PUBLIC_URL ?? null,
    databaseUrl: config.DATABASE_URL.reveal(),
    webhookSecrets: config.HELPDESK_WEBHOOK_SECRET ?? [],
    scriptSecrets: config.HELPDESK_SCRIPT_SECRET ?? [],
    oauthClientIds: config.OAUTH_CLIENT_IDS,
    teams: [...new Set(Object.values(rules.teams))],
    crm: { enabled: config.CRM_ENABLED, fieldMap: rules.crm_fields, mediumSegments: rules.medium_segments },
  };
}

const zoneOf: ZoneOf = (name) => {
  try {
    return siteZone(name);
  } catch {
    return null;
  }
};

function crmOf(config: Config, egress: Egress, withinMs: number): Patient['crm'] {
  const read = (url: Secret | undefined) => {
    const parsed = url && parseWebhook(url.reveal());
    return parsed?.ok ? parsed.webhook : null;
  };
  const [lookup, responsible] = [read(config.CRM_WEBHOOK_URL), read(config.CRM_RESPONSIBLE_WEBHOOK_URL)];
  const ask = (webhook: NonNullable<typeof lookup>): AskCrm => {
    const client = createBitrixClient(egress.upstream(webhook.origin, { timeoutMs: withinMs }), webhook);
    return async (method, params) => {
      const signal = AbortSignal.timeout(withinMs);
      try {
        return { ok: true, result: (await client.call(method, params, signal)).result };
      } catch (error) {
        return { ok: false, code: codeOfException(error, signal.aborted) };
      }
    };
  };
  const same = lookup !== null && responsible !== null && sameWebhook(lookup, responsible);
  return {
    lookup: lookup && ask(lookup),
    responsible: same ? 'same' : responsible && ask(responsible),
    onePortal: lookup?.origin === responsible?.origin,
  };
}

/** The administrator's key, from a file or else the environment; null where neither is given. Never quoted. */
function readAdminKey(file: string | undefined, variable: string | undefined): Secret | null {
  let key = variable;
  if (file !== undefined) {
    try {
      key = readFileSync(file, 'utf8');
    } catch {
      throw new ConfigError('--admin-key-file: expected the path of a readable file.');
    }
  }
  if (key === undefined || key.trim() === '') return null;
  if (/^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/.test(key.trim())) return new Secret(key.trim());
  const source = file === undefined ? 'DESKSIDE_ADMIN_KEY' : '--admin-key-file';
  throw new ConfigError(`${source}: expected an API key and secret in the form key:secret.`);
}
