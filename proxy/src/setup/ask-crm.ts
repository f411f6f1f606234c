import { setTimeout as wait } from 'node:timers/promises';
import type { CrmErrorCode } from '@deskside/shared/status';
import type { Config } from '#config.ts';
import { CrmFailure, codeOfException, maxBytes, type Param, RestClient } from '#crm/rest.ts';
import { parseWebhook } from '#crm/webhook.ts';
import { certificateProblem, type Egress, EgressError } from '#net/egress.ts';
import { fault, type Said } from './report.ts';

/** The settings that hold a webhook. */
type WebhookSetting = 'CRM_WEBHOOK_URL' | 'CRM_RESPONSIBLE_WEBHOOK_URL';

/** A webhook's answer, or why there is none. */
type Answered = { ok: true; result: unknown } | { ok: false; code: CrmErrorCode; said: Said };

/** Calls one method; never throws. */
export type AskCrm = (method: string, params?: Record<string, Param>) => Promise<Answered>;

/** Whoever asks through the webhook of a setting; null if that is not set. */
export function askThrough(setting: WebhookSetting, config: Config, egress: Egress, withinMs: number): AskCrm | null {
  return askAt(setting, config[setting]?.[0]?.reveal() ?? '', egress, withinMs);
}

/**
 * The same through an address that is to stand in a setting; null if it is none. A portal that has just been asked too much by
 * everybody else is asked again.
 */
export function askAt(setting: WebhookSetting, address: string, egress: Egress, withinMs: number): AskCrm | null {
  const parsed = parseWebhook(address);
  if (!parsed.ok) return null;
  const { origin } = parsed.webhook;
  const client = new RestClient(egress.upstream(origin, { timeoutMs: withinMs, maxBytes }), [parsed.webhook]);
  return async (method, params = {}) => {
    for (let tries = 0; ; tries += 1) {
      const signal = AbortSignal.timeout(withinMs);
      try {
        return { ok: true, result: (await client.call(method, params, signal)).result };
      } catch (error) {
        const code = codeOfException(error, signal.aborted);
        if (code !== 'rate_limited' || tries === 8)
          return { ok: false, code, said: webhookFault(setting, new URL(origin).host, code, error) };
        await wait(1_000);
      }
    }
  };
}

function webhookFault(setting: WebhookSetting, host: string, code: CrmErrorCode, error: unknown): Said {
  const { certificate, reason } = error instanceof EgressError ? error : { certificate: null, reason: null };
  if (certificate) return { level: 'fault', ...certificateProblem(certificate, `the CRM in ${setting}`, setting) };
  if (code === 'unauthorized')
    return fault(
      `The CRM refuses the webhook in ${setting}: it was deleted, expired, renewed or blocked.`,
      `Create a new webhook in Bitrix24 and set ${setting} to its address.`,
    );
  if (code === 'insufficient_scope')
    return fault(
      `The owner of the webhook in ${setting} may not read companies.`,
      "Give the webhook's owner permission to read all companies in the CRM.",
    );
  if (code === 'unreachable' || code === 'timeout')
    return fault(
      `The CRM in ${setting} does not respond (${host}, ${reason ?? code}).`,
      `Check the host in ${setting} and the network; portals are reached over the internet, by https.`,
    );
  const what = error instanceof CrmFailure && error.isPage ? 'with a web page' : 'not as a Bitrix24 portal should';
  return fault(
    `The CRM in ${setting} (${host}) answers ${what} (${code}).`,
    'Open its address in a browser: the portal may have moved or closed, or a proxy or a sign-in page answers in its place.',
  );
}
