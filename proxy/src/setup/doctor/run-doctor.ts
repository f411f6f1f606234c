import { type Config, secretsOf } from '#config.ts';
import { crmAdapter } from '#crm/chosen-crm.ts';
import { createAdminClient } from '#helpdesk/admin-client.ts';
import { serviceKeyOf, withServiceKeys } from '#helpdesk/service-keys.ts';
import { siteZone } from '#helpdesk/site-time.ts';
import { type Egress, withEgress } from '#net/egress.ts';
import type { Clock } from '#runtime/clock.ts';
import { createRedactor } from '#runtime/redactor.ts';
import type { Secret } from '#runtime/secret.ts';
import type { ZoneOf } from '#setup/helpdesk-reader.ts';
import { createClockProbe } from './clock-probe.ts';
import { crmOf } from './crm-trial.ts';
import { diagnose, type Examined } from './diagnose.ts';
import type { Report } from './finding.ts';
import { recordsAt } from './own-records.ts';
import { cleaned } from './print-report.ts';
import { meetPublicUrl } from './probe-public-url.ts';
import type { DoctorSettings } from './settings.ts';

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
