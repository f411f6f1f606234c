import type { Hono } from 'hono';
import { namedFields } from '#adapters/helpdesk-frappe/fields/ticket-fields.ts';
import type { Context } from '#app/context.ts';
import type { Readiness } from '#app/runtime/readiness.ts';
import { crmAdapter } from '#config/crm-adapter.ts';
import type { Config } from '#config/environment.ts';
import { createApp } from '#http/app.ts';
import type { AppEnv } from '#http/context.ts';
import { revealed } from '#ports/runtime/secret.ts';
import { version } from '#version.ts';
import { contextOf, type Process } from './context.ts';

/** The service under one configuration. What it has begun it ends, also when another one has taken its place. */
export interface Service {
  config: Config;
  ctx: Context;
  app: Hono<AppEnv>;
}

/** Everything that depends on settings that can change at run time. */
export function serviceOf(config: Config, lasting: Process, readiness: Pick<Readiness, 'checks'>): Service {
  const ctx = contextOf(lasting, config);
  const { metrics, writes } = lasting;
  const app = createApp(ctx, {
    writes,
    metrics,
    readiness,
    discovery: {
      name: 'deskside',
      version,
      helpdesk_url: config.HELPDESK_URL,
      oauth_client_ids: config.OAUTH_CLIENT_IDS,
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
  });
  return { config, ctx, app };
}
