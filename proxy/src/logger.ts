import { type Config, secretsOf } from './config.ts';
import { maskSecrets } from './crm/webhook.ts';
import { createLogger } from './runtime/json-logger.ts';
import type { LogFields, Logger } from './runtime/logger.ts';
import type { Metrics } from './runtime/metrics-port.ts';
import { createRedactor } from './runtime/redactor.ts';

/** The service's log, in which no secret of any configuration that was ever in force appears. */
export interface ServiceLog {
  logger: Logger;
  /** From now on hides the secrets of this configuration, too. */
  hide(config: Config): void;
}

export function wireLogger(config: Config): ServiceLog {
  const secrets = new Set<string>();
  let redact = (text: string) => text;
  const hide = (current: Config) => {
    for (const secret of secretsOf(current)) secrets.add(secret);
    redact = createRedactor([...secrets], maskSecrets);
  };
  hide(config);
  return { logger: createLogger(config.LOG_LEVEL, (line) => redact(line)), hide };
}

/** The same log, of which every line with a fault, or the end of one, is in the metrics as well. */
export function countFaults(logger: Logger, metrics: Pick<Metrics, 'faultNoted' | 'faultEnded'>): Logger {
  const counting = (level: keyof Logger) => (fields: LogFields, message: string) => {
    logger[level](fields, message);
    const part = typeof fields.kind === 'string' ? fields.kind : '';
    if (fields.fault) metrics.faultNoted(fields.fault, part);
    if (fields.fault_ended) metrics.faultEnded(fields.fault_ended, part);
  };
  return { debug: counting('debug'), info: counting('info'), warn: counting('warn'), error: counting('error') };
}
