import { createBitrix24 } from './bitrix24.ts';
import type { CrmAdapter } from './crm-adapter.ts';
import { FieldMap } from './field-map.ts';
import { maxBytes, ourLimits } from './limits.ts';
import { parseWebhook } from './parse-webhook.ts';
import { eventToken, readEvent } from './read-event.ts';
import { maskSecrets } from './secret-pattern.ts';

/** Bitrix24, through incoming webhooks (docs/crm.md). */
export const bitrix24Adapter: CrmAdapter<FieldMap> = {
  FieldMap,
  addressProblem(address) {
    const parsed = parseWebhook(address);
    return parsed.ok ? null : parsed.problem;
  },
  secretsIn(address) {
    const parsed = parseWebhook(address);
    return parsed.ok ? [parsed.webhook.secret] : [];
  },
  maskSecrets,
  limits: ourLimits,
  maxBytes,
  connect: createBitrix24,
  eventToken,
  readEvent,
};
