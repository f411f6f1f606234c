import type { CrmAdapter } from '#adapters/crm-adapter.ts';
import { createBitrix24 } from './bitrix24.ts';
import { checkUp, tryAddress, unknownFields } from './doctor/check-up.ts';
import { FieldMap } from './field-map.ts';
import { parseWebhook } from './parse-webhook.ts';
import { ourLimits } from './published-limits.ts';
import { readEvent } from './read-event.ts';
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
  connect: createBitrix24,
  readEvent,
  checkUp,
  tryAddress,
  unknownFields,
};
