import { createAdminClient } from '#adapters/helpdesk-frappe/admin/admin-client.ts';
import { serviceKeyOf, withServiceKeys } from '#adapters/helpdesk-frappe/client/service-keys.ts';
import { siteZone } from '#adapters/helpdesk-frappe/client/site-time.ts';
import { createRedactor } from '#adapters/log-json/redactor.ts';
import { crmAdapter } from '#config/crm-adapter.ts';
import { type Config, secretsOf } from '#config/environment.ts';
import { type Egress, withEgress } from '#net/egress.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Secret } from '#ports/runtime/secret.ts';
import { diagnose, type Examined } from '#setup/doctor/diagnose.ts';
import type { Report } from '#setup/doctor/finding.ts';
import { cleaned } from '#setup/doctor/print-report.ts';
import type { DoctorSettings } from '#setup/doctor/settings.ts';
import type { ZoneOf } from '#setup/helpdesk-reader.ts';
import { createClockProbe } from './clock-probe.ts';
import { crmOf } from './crm-trial.ts';
import { recordsAt } from './own-records.ts';
import { meetPublicUrl } from './public-url.ts';

/** Longest wait for one response. */
const answerWithinMs = 15_000;

/**
 * Runs `doctor`'s checks under this configuration; no secret is in what they say.
 *
 * @param how.adminKey a System Manager's `key:secret`, or null: then less is checked
 */
export async function examine(
  config: Config,
  {
    adminKey,
    clock = Date.now,
    withinMs = answerWithinMs,
    meet = meetPublicUrl,
  }: { adminKey: Secret | null; clock?: Clock; withinMs?: number; meet?: typeof meetPublicUrl },
): Promise<Report> {
  const { PUBLIC_URL } = config;
  const secrets = [...secretsOf(config), ...(adminKey?.reveal().split(':').slice(1) ?? [])];
  const report = await withEgress(config, (egress) =>
    diagnose({
      settings: settingsOf(config),
      ...helpdeskOf(config, { egress, adminKey, clock, withinMs }),
      publicUrl: () => (PUBLIC_URL === undefined ? null : meet(config, egress, withinMs)),
      crm: () =>
        crmAdapter.checkUp({
          webhookUrl: config.CRM_WEBHOOK_URL?.[0]?.reveal() ?? null,
          responsibleWebhookUrl: config.CRM_RESPONSIBLE_WEBHOOK_URL?.[0]?.reveal() ?? null,
          fieldMap: config.rules.crm_fields,
          mediumSegments: config.rules.medium_segments,
          ...crmOf({ egress, clock }, withinMs),
        }),
      records: recordsAt(config.DATABASE_URL.reveal()),
      deadline: () => AbortSignal.timeout(withinMs),
      zoneOf,
      clock,
    }),
  );
  return cleaned(report, createRedactor(secrets, crmAdapter.maskSecrets));
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

function settingsOf(config: Config): DoctorSettings {
  const rules = config.rules;
  return {
    publicUrl: config.PUBLIC_URL ?? null,
    databaseUrl: config.DATABASE_URL.reveal(),
    webhookSecrets: config.HELPDESK_WEBHOOK_SECRET ?? [],
    scriptSecrets: config.HELPDESK_SCRIPT_SECRET ?? [],
    oauthClientIds: config.OAUTH_CLIENT_IDS,
    claims: rules.claims,
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
