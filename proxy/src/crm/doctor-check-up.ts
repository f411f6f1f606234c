import { setTimeout as wait } from 'node:timers/promises';
import { EgressError } from '#net/egress.ts';
import type { AreaReport, DoctorFinding } from '#setup/doctor/finding.ts';
import { createBitrixClient } from './client.ts';
import type { CrmCheckUp, CrmTrial } from './crm-adapter.ts';
import { codeOfException } from './crm-failure.ts';
import { type AskCrm, gatherCrm, gatherHook } from './doctor-gather.ts';
import { judgeCrm, judgeHook } from './doctor-judge.ts';
import type { FieldMap } from './field-map.ts';
import { listFields } from './list-fields.ts';
import { parseWebhook, sameWebhook, type Webhook } from './parse-webhook.ts';

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

/** See the port. `address` is one that `addressProblem` has nothing against. */
export async function tryAddress(address: string, how: CrmTrial): Promise<DoctorFinding[]> {
  const webhook = webhookIn(address);
  return webhook === null ? [] : judgeHook(await gatherCrm(patiently(asking(webhook, how)), how.clock));
}

/** See the port. */
export async function fieldsAt(fieldMap: FieldMap, address: string, how: CrmTrial) {
  const webhook = webhookIn(address);
  return webhook === null ? { failed: 'bad_answer' } : listFields(patiently(asking(webhook, how)), fieldMap);
}

const retryMs = 1_000;
const retries = 8;

/** A portal that has just been asked too much by everybody else is asked again. */
function patiently(ask: AskCrm): AskCrm {
  return async (method, params) => {
    for (let tries = 0; ; tries += 1) {
      const answer = await ask(method, params);
      if (answer.ok || answer.code !== 'rate_limited' || tries === retries) return answer;
      await wait(retryMs);
    }
  };
}

function webhookIn(address: string | null): Webhook | null {
  const parsed = address === null ? null : parseWebhook(address);
  return parsed?.ok ? parsed.webhook : null;
}

function asking(webhook: Webhook, { upstream, withinMs }: CrmTrial): AskCrm {
  const client = createBitrixClient(upstream(webhook.origin), [webhook]);
  return async (method, params) => {
    const signal = AbortSignal.timeout(withinMs);
    try {
      return { ok: true, result: (await client.call(method, params, signal)).result };
    } catch (error) {
      const code = codeOfException(error, signal.aborted);
      const { host } = new URL(webhook.origin);
      if (!(error instanceof EgressError)) return { ok: false, code, cause: `${host}, ${code}` };
      const { certificate, reason } = error;
      return { ok: false, code, cause: `${host}, ${reason ?? code}`, ...(certificate && { certificate }) };
    }
  };
}
