import type { CrmCheckUp } from '#adapters/crm-adapter.ts';
import { createBitrixClient } from '#adapters/crm-bitrix24/client.ts';
import { codeOfException } from '#adapters/crm-bitrix24/crm-failure.ts';
import type { FieldMap } from '#adapters/crm-bitrix24/field-map.ts';
import { parseWebhook, sameWebhook, type Webhook } from '#adapters/crm-bitrix24/parse-webhook.ts';
import type { AreaReport } from '#setup/doctor/finding.ts';
import { type AskCrm, gatherCrm, gatherHook } from './gather.ts';
import { judgeCrm } from './judge.ts';

/** Asks both webhooks what they may do, and compares the portal's fields with the field map. Read-only. */
export async function checkUp(
  options: CrmCheckUp<FieldMap>,
): Promise<{ report: AreaReport; clockAhead: number | null }> {
  const [lookup, responsible] = [webhookIn(options.webhookUrl), webhookIn(options.responsibleWebhookUrl)];
  const isSame = lookup !== null && responsible !== null && sameWebhook(lookup, responsible);
  const [looked, owners] = await Promise.all([
    lookup && gatherCrm(asking(lookup, options), options.clock),
    responsible && !isSame ? gatherHook(asking(responsible, options)) : null,
  ]);
  const world = {
    lookup: looked,
    responsible: isSame ? ('same' as const) : owners,
    onePortal: lookup?.origin === responsible?.origin,
  };
  return { report: judgeCrm(world, options), clockAhead: looked?.clockAhead ?? null };
}

function webhookIn(address: string | null): Webhook | null {
  const parsed = address === null ? null : parseWebhook(address);
  return parsed?.ok ? parsed.webhook : null;
}

function asking(webhook: Webhook, { upstream, withinMs }: CrmCheckUp<FieldMap>): AskCrm {
  const client = createBitrixClient(upstream(webhook.origin), [webhook]);
  return async (method, params) => {
    const signal = AbortSignal.timeout(withinMs);
    try {
      return { ok: true, result: (await client.call(method, params, signal)).result };
    } catch (error) {
      return { ok: false, code: codeOfException(error, signal.aborted) };
    }
  };
}
