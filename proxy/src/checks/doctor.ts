import { createAdminClient } from '#adapters/helpdesk-frappe/admin/admin-client.ts';
import { serviceKeyOf, withServiceKeys } from '#adapters/helpdesk-frappe/client/service-keys.ts';
import { siteZone } from '#adapters/helpdesk-frappe/client/site-time.ts';
import { createRedactor } from '#adapters/log-json/redactor.ts';
import { openRecords, StoreError } from '#adapters/store-sql/store.ts';
import { crmAdapter } from '#config/crm-adapter.ts';
import { type Config, mustBePublic, secretsOf } from '#config/environment.ts';
import { createEgress, type Egress } from '#net/egress.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Secret } from '#ports/runtime/secret.ts';
import { createClockProbe } from '#setup/doctor/clock-probe.ts';
import { type DoctorSettings, diagnose, type Examined } from '#setup/doctor/diagnose.ts';
import type { Report } from '#setup/doctor/finding.ts';
import { cleaned } from '#setup/doctor/print-report.ts';
import type { OwnRecords } from '#setup/doctor/rivals.ts';
import type { ZoneOf } from '#setup/helpdesk-reader.ts';
import { Unreadable } from '#setup/read-result.ts';
import { meetPublicUrl } from './public-url.ts';

/** Longest wait for one response. */
const answerWithinMs = 15_000;

/** Part of the composition root: wires `doctor`'s checks to this configuration and runs them. `adminKey`: a System Manager's `key:secret`, or null. */
export async function examine(
  config: Config,
  {
    adminKey,
    clock = Date.now,
    withinMs = answerWithinMs,
    meet = meetPublicUrl,
  }: { adminKey: Secret | null; clock?: Clock; withinMs?: number; meet?: typeof meetPublicUrl },
): Promise<Report> {
  const egress = createEgress({ allowInsecure: config.ALLOW_INSECURE_UPSTREAMS });
  const { PUBLIC_URL } = config;
  try {
    return await diagnose({
      settings: settingsOf(config),
      ...helpdeskOf(config, { egress, adminKey, clock, withinMs }),
      publicUrl: () => (PUBLIC_URL === undefined ? null : meet({ ...config, PUBLIC_URL }, egress, withinMs)),
      crm: () =>
        crmAdapter.checkUp({
          webhookUrl: config.CRM_WEBHOOK_URL?.[0]?.reveal() ?? null,
          responsibleWebhookUrl: config.CRM_RESPONSIBLE_WEBHOOK_URL?.[0]?.reveal() ?? null,
          fieldMap: config.rules.crm_fields,
          mediumSegments: config.rules.medium_segments,
          upstream: (origin) =>
            egress.upstream(origin, { timeoutMs: withinMs, publicOnly: mustBePublic(config, origin) }),
          withinMs,
          clock,
        }),
      records: () => recordsOf(config.DATABASE_URL.reveal()),
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
): Pick<Examined, 'service' | 'admin' | 'helpdeskAhead'> {
  const options = { timeoutMs: withinMs, maxConnections: 4 };
  const { upstream, ahead } = createClockProbe(
    withServiceKeys(config, egress.upstream(config.HELPDESK_URL, options)),
    clock,
  );
  return {
    service: createAdminClient(upstream, serviceKeyOf(config)),
    admin: adminKey && createAdminClient(upstream, adminKey.reveal()),
    helpdeskAhead: ahead,
  };
}

async function recordsOf(databaseUrl: string): Promise<OwnRecords | null> {
  const unreadable = (error: unknown): never => {
    throw new Unreadable(error instanceof StoreError ? error.message : 'Our own records cannot be read.');
  };
  const records = await openRecords(databaseUrl).catch(unreadable);
  return (
    records && {
      sweepMark: { read: () => records.sweepMark.read().catch(unreadable) },
      decisions: {
        list: (ticket) => records.decisions.list(ticket).catch(unreadable),
        decided: (tickets) => records.decisions.decided(tickets).catch(unreadable),
      },
      missingAnchors: { list: () => records.missingAnchors.list().catch(unreadable) },
      upkeep: {
        lastBackup: () => records.upkeep.lastBackup().catch(unreadable),
        lastSignUp: () => records.upkeep.lastSignUp().catch(unreadable),
      },
      close: records.close,
    }
  );
}

function settingsOf(config: Config): DoctorSettings {
  const rules = config.rules;
  return {
    publicUrl: config.PUBLIC_URL ?? null,
    databaseUrl: config.DATABASE_URL.reveal(),
    webhookSecrets: config.HELPDESK_WEBHOOK_SECRET ?? [],
    scriptSecrets: config.HELPDESK_SCRIPT_SECRET ?? [],
    oauthClientIds: config.OAUTH_CLIENT_IDS,
    operatorUi: config.OPERATOR_UI,
    claims: { mode: rules.claims, isFixed: config.sourceOf('claims') === 'environment' },
    accountLinkDoctype: rules.account_link?.doctype ?? null,
    teams: [...new Set(Object.values(rules.teams))],
    crmEnabled: config.CRM_ENABLED,
  };
}

const zoneOf: ZoneOf = (name) => {
  try {
    return siteZone(name);
  } catch {
    return null;
  }
};

/** What `doctor` finds without an administrator's key, which the proxy never has. */
export async function findingsFor(config: Config, clock: Clock) {
  const hide = createRedactor(secretsOf(config), crmAdapter.maskSecrets);
  const { verdicts } = cleaned(await examine(config, { adminKey: null, clock }), hide);
  return {
    findings: verdicts.flatMap(({ area, findings }) => findings.map((finding) => ({ area, ...finding }))),
    not_checked: verdicts.flatMap(({ area, unchecked }) => unchecked.map((why) => ({ area, why }))),
  };
}
