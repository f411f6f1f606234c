import { createAlertWebhook } from '#adapters/alert-webhook/alert-webhook.ts';
import { type AlertDesk, createAlertDesk } from '#app/alerts/alert-desk.ts';
import { runRegularly } from '#app/runtime/duties/run-regularly.ts';
import type { Config } from '#config/environment.ts';
import { alertKindOf } from '#domain/alerts/alert-causes.ts';
import type { Egress } from '#net/egress.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { LogFields, Logger } from '#ports/runtime/logger.ts';
import type { Metrics } from '#ports/runtime/metrics.ts';
import type { Store } from '#store/store.ts';
import { version } from '#version.ts';

const tendEveryMs = 4_000;
/** How long a process that ends waits for what it still has to tell. */
const lastWordsMs = 2_000;

/** The desk, and a log in which every line with an alert reaches it. */
export interface Alerts extends Pick<AlertDesk, 'active' | 'end' | 'tend'> {
  logger: Logger;
  /** Waits for what is being told, at most two seconds. */
  told(): Promise<void>;
  stop(): Promise<void>;
}

/** Whatever the service logs as an alert leaves the log, if there is a webhook for it. */
export function wireAlerts(parts: {
  config: Pick<Config, 'ALERT_WEBHOOK_URL' | 'HELPDESK_URL'>;
  egress: Egress;
  leases: Store['leases'];
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'alertRaised'>;
}): Alerts {
  const { config, egress, logger } = parts;
  const address = config.ALERT_WEBHOOK_URL && new URL(config.ALERT_WEBHOOK_URL.reveal());
  const channel = address
    ? createAlertWebhook({
        upstream: egress.upstream(address.origin, { maxConnections: 1, maxBytes: 64 * 1024 }),
        path: address.pathname + address.search,
        installation: new URL(config.HELPDESK_URL).host,
        version,
        logger,
      })
    : null;
  const desk = createAlertDesk({ ...parts, channel });
  const stopped = new AbortController();
  const tending = runRegularly({ name: 'alerts', everyMs: tendEveryMs, logger, stopped: stopped.signal }, desk.tend);
  return {
    ...desk,
    logger: heardBy(desk, logger),
    told: async () => channel?.sent(lastWordsMs),
    async stop() {
      stopped.abort();
      await tending.ended;
      await desk.stop();
      channel?.stop();
    },
  };
}

/** A log in which every line with an alert reaches the desk, and every line with its end. */
function heardBy(desk: Pick<AlertDesk, 'raise' | 'end'>, logger: Logger): Logger {
  const hear = (write: keyof Logger) => (fields: LogFields, message: string) => {
    logger[write](fields, message);
    if (fields.alert) desk.raise(fields.alert, alertKindOf(fields.kind));
    if (fields.alert_ended) desk.end(fields.alert_ended, alertKindOf(fields.kind));
  };
  return { debug: hear('debug'), info: hear('info'), warn: hear('warn'), error: hear('error') };
}
