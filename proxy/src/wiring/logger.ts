import { createLogger } from '#adapters/log-pino/logger.ts';
import { createRedactor } from '#adapters/log-pino/redactor.ts';
import { crmAdapter } from '#config/crm-adapter.ts';
import { type Config, secretsOf } from '#config/environment.ts';
import type { Logger } from '#ports/logger.ts';

/** The service's log, in which no secret of the configuration appears. */
export function wireLogger(config: Config): Logger {
  return createLogger(config.LOG_LEVEL, createRedactor(secretsOf(config), crmAdapter.maskSecrets));
}
