import { createLogger } from '#adapters/log-json/logger.ts';
import { createRedactor } from '#adapters/log-json/redactor.ts';
import { crmAdapter } from '#config/crm-adapter.ts';
import { type Config, secretsOf } from '#config/environment.ts';
import type { Logger } from '#ports/runtime/logger.ts';

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
    redact = createRedactor([...secrets], crmAdapter.maskSecrets);
  };
  hide(config);
  return { logger: createLogger(config.LOG_LEVEL, (line) => redact(line)), hide };
}
