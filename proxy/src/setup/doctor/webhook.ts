import { type ComparedWebhook, compareWebhook, type FoundWebhook, readWebhook } from '#setup/compare-webhook.ts';
import { type Deadline, type HelpdeskReader, textOf } from '#setup/helpdesk-reader.ts';
import { attempt, type ReadResult } from '#setup/read-result.ts';
import { type AreaReport, type DoctorFinding, finding } from './finding.ts';

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
    return {
      area,
      findings: [finding('webhook_missing', problem, 'Run "deskside provision".')],
      passed: [],
      unchecked: [],
    };
  }
  const findings = wordsOf(webhook, compareWebhook(webhook, publicUrl, ours), ours.length > 0);
  const { secret, failures } = webhook;
  if (failures.ok && failures.value > 0) {
    const problem = `${failures.value} attempts to deliver to the proxy have failed in the last 24 hours.`;
    const remedy = `Look at "Webhook Request Log" in the helpdesk; most often the proxy cannot be reached at PUBLIC_URL.`;
    findings.push(finding('webhook_deliveries_failing', problem, remedy));
  }
  const unchecked = [
    ...(secret.ok ? [] : [`Whether its secret is ours: ${secret.message}`]),
    ...(failures.ok ? [] : [`Whether deliveries fail: ${failures.message}`]),
    ...(ours.length > 0 ? [] : ['Whether its secret is ours: HELPDESK_WEBHOOK_SECRET is not set.']),
    ...(publicUrl === null ? ['Whether its address is ours: PUBLIC_URL is not set.'] : []),
  ];
  const passed = findings.length === 0 ? [`"${webhook.document.name}" is enabled, signed and points here.`] : [];
  return { area, findings, passed, unchecked };
}

/** What keeps tickets from reaching us; other properties differ without harm. */
function wordsOf(
  { document }: FoundWebhook,
  { differing, secret }: ComparedWebhook,
  hasSecret: boolean,
): DoctorFinding[] {
  const name = `The webhook "${document.name}"`;
  const findings: DoctorFinding[] = [];
  if ('enabled' in differing) findings.push(finding('webhook_disabled', `${name} is disabled.`, provision));
  if (differing.request_url !== undefined)
    findings.push(
      finding(
        'webhook_wrong_url',
        `${name} does not lead to ${differing.request_url}.`,
        `${provision} Or correct PUBLIC_URL.`,
      ),
    );
  if (differing.webhook_docevent !== undefined) {
    const event = textOf(document.webhook_docevent) || 'no event';
    const problem = `${name} is sent on ${event}, not on ${differing.webhook_docevent}.`;
    findings.push(finding('webhook_wrong_event', problem, provision));
  }
  if ('condition' in differing) {
    const problem = `${name} has a condition, so some tickets may be left out.`;
    findings.push(finding('webhook_conditional', problem, 'Clear the field "Condition", unless this is intended.'));
  }
  if ('webhook_json' in differing)
    findings.push(finding('webhook_body_differs', `${name} sends a body that the proxy does not know.`, provision));
  if ('enable_security' in differing)
    return [...findings, finding('webhook_unsigned', `${name} is not signed; the proxy refuses it.`, provision)];
  if (!hasSecret || secret === null || secret === 'current') return findings;
  if (secret === 'previous') {
    const problem = `${name} still signs with the previous secret.`;
    return [
      ...findings,
      finding('webhook_secret_previous', problem, 'Run "deskside provision", then remove the previous secret.'),
    ];
  }
  const what = secret === 'unset' ? 'has no secret' : 'has a secret other than HELPDESK_WEBHOOK_SECRET';
  return [...findings, finding('webhook_secret_differs', `${name} ${what}; the proxy refuses it.`, provision)];
}
