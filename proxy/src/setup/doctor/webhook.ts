import { type ComparedWebhook, compareWebhook, type FoundWebhook, readWebhook } from '#setup/compare-webhook.ts';
import { type Deadline, type HelpdeskReader, textOf } from '#setup/helpdesk-reader.ts';
import { attempt, type ReadResult } from '#setup/read-result.ts';
import { type AreaReport, areaReport, type FaultCode, finding } from './finding.ts';

/** Our webhook, and how many deliveries have failed in the last 24 hours. */
export type WebhookFacts = FoundWebhook & { failures: ReadResult<number> };

/** Null if there is none. `dayAgo`: the instant 24 hours ago, as the site writes it. */
export async function gatherWebhook(
  admin: HelpdeskReader,
  dayAgo: string,
  deadline: Deadline,
): Promise<WebhookFacts | null> {
  const found = await readWebhook(admin, deadline);
  return found && { ...found, failures: await attempt(countFailures(admin, found.document.name, dayAgo, deadline)) };
}

async function countFailures(admin: HelpdeskReader, webhook: string, since: string, deadline: Deadline) {
  const filters = [
    ['webhook', '=', webhook],
    ['creation', '>', since],
    ['error', '!=', ''],
  ];
  const args = { doctype: 'Webhook Request Log', filters: JSON.stringify(filters) };
  return Number(await admin.call('frappe.client.get_count', args, deadline()));
}

const provision = 'Run "deskside provision", which corrects it.';

/**
 * Says whether new tickets reach us (docs/helpdesk.md#webhooks).
 *
 * @param publicUrl null if it is not set
 * @param ours the proxy's secrets; empty if it has none to compare with
 */
export function judgeWebhook(
  webhook: WebhookFacts | null,
  publicUrl: string | null,
  ours: Parameters<typeof compareWebhook>[2],
): AreaReport {
  const area = 'Webhook';
  if (webhook === null) {
    const problem =
      'The helpdesk has no webhook that tells the proxy about new tickets; only the sweep finds them, and later.';
    return areaReport(area, { findings: [finding('webhook_missing', problem, 'Run "deskside provision".')] });
  }
  const { document, secret, failures } = webhook;
  const failing = failures.ok ? failures.value : 0;
  return areaReport(area, {
    findings: [
      ...wordsOf(webhook, compareWebhook(webhook, publicUrl, ours), ours.length > 0),
      failing > 0 &&
        finding(
          'webhook_deliveries_failing',
          `${failing} attempts to deliver to the proxy have failed in the last 24 hours.`,
          'Look at "Webhook Request Log" in the helpdesk; most often the proxy cannot be reached at PUBLIC_URL.',
        ),
    ],
    fine: `"${document.name}" is enabled, signed and points here.`,
    unchecked: [
      !secret.ok && `Whether its secret is ours: ${secret.message}`,
      !failures.ok && `Whether deliveries fail: ${failures.message}`,
      ours.length === 0 && 'Whether its secret is ours: HELPDESK_WEBHOOK_SECRET is not set.',
      publicUrl === null && 'Whether its address is ours: PUBLIC_URL is not set.',
    ],
  });
}

/** What keeps tickets from reaching us; other properties differ without harm. */
function wordsOf({ document }: FoundWebhook, { differing, secret }: ComparedWebhook, hasSecret: boolean) {
  const fault = (code: FaultCode, problem: string, remedy = provision) =>
    finding(code, `The webhook "${document.name}" ${problem}`, remedy);
  const { request_url, webhook_docevent } = differing;
  const isUnsigned = 'enable_security' in differing;
  const state = hasSecret && !isUnsigned ? secret : null;
  return [
    'enabled' in differing && fault('webhook_disabled', 'is disabled.'),
    request_url !== undefined &&
      fault('webhook_wrong_url', `does not lead to ${request_url}.`, `${provision} Or correct PUBLIC_URL.`),
    webhook_docevent !== undefined &&
      fault(
        'webhook_wrong_event',
        `is sent on ${textOf(document.webhook_docevent) || 'no event'}, not on ${webhook_docevent}.`,
      ),
    'condition' in differing &&
      fault(
        'webhook_conditional',
        'has a condition, so some tickets may be left out.',
        'Clear the field "Condition", unless this is intended.',
      ),
    'webhook_json' in differing && fault('webhook_body_differs', 'sends a body that the proxy does not know.'),
    isUnsigned && fault('webhook_unsigned', 'is not signed; the proxy refuses it.'),
    state === 'previous' &&
      fault(
        'webhook_secret_previous',
        'still signs with the previous secret.',
        'Run "deskside provision", then remove the previous secret.',
      ),
    state === 'unset' && fault('webhook_secret_differs', 'has no secret; the proxy refuses it.'),
    state === 'other' &&
      fault('webhook_secret_differs', 'has a secret other than HELPDESK_WEBHOOK_SECRET; the proxy refuses it.'),
  ];
}
