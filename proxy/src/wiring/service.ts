import { createHmac } from 'node:crypto';
import type { Hono } from 'hono';
import { serviceKeyOf } from '#adapters/helpdesk-frappe/client/service-keys.ts';
import { namedFields } from '#adapters/helpdesk-frappe/fields/ticket-fields.ts';
import { createFrappeSignIn, createReadRoles } from '#adapters/helpdesk-frappe/sign-in.ts';
import type { Context, OperatorContext } from '#app/context.ts';
import { createShowExpiring } from '#app/operator/list-expiring.ts';
import { createOperatorGate, type OperatorGate } from '#app/operator/operator-gate.ts';
import { createShowHealth } from '#app/operator/show-health.ts';
import type { Readiness } from '#app/runtime/readiness.ts';
import { findingsFor } from '#checks/doctor.ts';
import { withProofSite } from '#checks/proof-site.ts';
import { crmAdapter } from '#config/crm-adapter.ts';
import type { Config } from '#config/environment.ts';
import { createApp } from '#http/app.ts';
import type { AppEnv } from '#http/context.ts';
import type { OperatorPage } from '#http/operator/operator-routes.ts';
import { readPage } from '#http/operator/page.ts';
import { revealed } from '#ports/runtime/secret.ts';
import { operatorRedirectUri } from '#setup/desired-state.ts';
import { version } from '#version.ts';
import { contextOf, type Process } from './context.ts';

/** The service under one configuration. What it has begun it ends, also when another one has taken its place. */
export interface Service {
  config: Config;
  ctx: Context;
  app: Hono<AppEnv>;
}

/** What operators work with that lasts, and the page itself, if it is switched on. */
interface ForOperators extends Pick<OperatorContext, 'operatorGate' | 'readDay' | 'recentCrm' | 'settings'> {
  page: OperatorPage | undefined;
}

/** Everything that depends on settings that can change at run time. */
export function serviceOf(
  config: Config,
  lasting: Process,
  { page, ...operators }: ForOperators,
  readiness: Pick<Readiness, 'checks'>,
): Service {
  const ctx = contextOf(lasting, config);
  const { clock, metrics, writes } = lasting;
  const { recentCrm } = operators;
  // Extensions of earlier days would not understand the page's.
  const { operator: _, ...clientIdsOfBrowsers } = config.OAUTH_CLIENT_IDS;
  const app = createApp(
    {
      ...ctx,
      ...operators,
      showExpiring: createShowExpiring(ctx),
      showHealth: createShowHealth({ examine: () => findingsFor(config, clock), recentCrm, clock }),
      withProofSite: (work) => withProofSite(config, null, work),
    },
    {
      writes,
      metrics,
      readiness,
      discovery: {
        name: 'deskside',
        version,
        helpdesk_url: config.HELPDESK_URL,
        oauth_client_ids: clientIdsOfBrowsers,
      },
      crmEvents: config.CRM_EVENT_TOKEN && {
        tokens: revealed(config.CRM_EVENT_TOKEN),
        eventToken: crmAdapter.eventToken,
        readEvent: crmAdapter.readEvent,
      },
      ticketEvents: config.HELPDESK_WEBHOOK_SECRET && { secrets: revealed(config.HELPDESK_WEBHOOK_SECRET) },
      beforeInsert: config.HELPDESK_SCRIPT_SECRET && {
        secrets: revealed(config.HELPDESK_SCRIPT_SECRET),
        fieldNames: namedFields,
      },
      exposed: config.METRICS_TOKEN && { exposition: metrics, tokens: revealed(config.METRICS_TOKEN) },
      operator: page,
    },
  );
  return { config, ctx, app };
}

/** The operator page as browsers have it; undefined unless it is switched on. */
export async function operatorPage(config: Config): Promise<OperatorPage | undefined> {
  if (!config.OPERATOR_UI) return undefined;
  return {
    signInKey: createHmac('sha256', serviceKeyOf(config)).update('operator sign-in').digest('base64url'),
    origin: config.PUBLIC_URL,
    files: await readPage(),
  };
}

/** Lets operators in; undefined while signing in is not set up. */
export function operatorGate(
  config: Config,
  { upstream, store, pools, clock }: Pick<Process, 'upstream' | 'store' | 'pools' | 'clock'>,
): OperatorGate | undefined {
  const clientId = config.OAUTH_CLIENT_IDS.operator;
  const origin = config.PUBLIC_URL;
  if (clientId === undefined || origin === undefined) return undefined;
  return createOperatorGate({
    helpdesk: createFrappeSignIn({ upstream, clientId, redirectUri: operatorRedirectUri(origin) }),
    readRoles: createReadRoles(upstream, `token ${serviceKeyOf(config)}`),
    sessions: store.operatorSessions,
    pools,
    clock,
  });
}
