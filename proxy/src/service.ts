import type { Hono } from 'hono';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { namedFields } from './helpdesk/fields.ts';
import { contextOf, type Process } from './make-context.ts';
import type { Readiness } from './runtime/readiness.ts';
import { revealed } from './runtime/secret.ts';
import { createApp } from './server/app.ts';
import type { AppEnv } from './server/middleware.ts';
import { readPageAnchors } from './server/page-anchors.ts';
import { version } from './version.ts';

/** The service under one configuration. What it has begun it ends, also when another one has taken its place. */
export interface Service {
  config: Config;
  ctx: Context;
  app: Hono<AppEnv>;
}

/** Everything that depends on settings that can change at run time. */
export function serviceOf(config: Config, lasting: Process, readiness: Pick<Readiness, 'checks'>): Service {
  const ctx = contextOf(lasting, config);
  const { metrics, writes, logger } = lasting;
  const pageAnchors = readPageAnchors(config.anchorsFile, logger);
  const app = createApp(ctx, {
    writes,
    metrics,
    readiness,
    discovery: {
      name: 'deskside',
      version,
      helpdesk_url: config.HELPDESK_URL,
      oauth_client_ids: config.OAUTH_CLIENT_IDS,
      ...(pageAnchors && { page_anchors: pageAnchors }),
    },
    crmEvents: config.CRM_EVENT_TOKEN && {
      tokens: revealed(config.CRM_EVENT_TOKEN),
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
