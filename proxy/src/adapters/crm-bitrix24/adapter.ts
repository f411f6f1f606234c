import type { CrmAdapter } from '#adapters/crm-adapter.ts';
import { createBitrix24 } from './bitrix24.ts';
import { FieldMap } from './companies/field-map.ts';
import { checkUp, fieldsAt, tryAddress } from './doctor/check-up.ts';
import { maxBytes, ourLimits } from './limits.ts';
import { eventToken, readEvent } from './read-event.ts';
import { parseWebhook } from './secrets/parse-webhook.ts';
import { maskSecrets } from './secrets/secret-pattern.ts';

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
  checkUp,
  tryAddress,
  listFields: fieldsAt,
};
