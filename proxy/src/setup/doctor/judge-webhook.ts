import { wantedWebhook } from '../wanted.ts';
import { type Finding, finding, type Verdict } from './finding.ts';
import type { WebhookFacts } from './gather-webhook.ts';

const provision = 'Run "provision", which puts it right.';

/**
 * Whether new tickets reach us (facts/frappe.md 6.3).
 *
 * @param publicUrl null where it is not set
 * @param secretSet whether the proxy has a secret to compare with
 */
export function judgeWebhook(webhook: WebhookFacts | null, publicUrl: string | null, secretSet: boolean): Verdict {
  const area = 'Webhook';
  if (webhook === null) {
    const problem =
      'The helpdesk has no webhook that tells the proxy of new tickets; only the sweep finds them, later.';
    return { area, findings: [finding('webhook_missing', problem, 'Run "provision".')], passed: [], unchecked: [] };
  }
  const findings = [...judgeTarget(webhook, publicUrl), ...judgeContent(webhook), ...judgeSecret(webhook, secretSet)];
  const { secret, failures } = webhook;
  if (failures.ok && failures.value > 0) {
    const problem = `${failures.value} tries to deliver to the proxy have failed in the last 24 hours.`;
    const remedy = `Look at "Webhook Request Log" in the helpdesk; most often the proxy cannot be reached at PUBLIC_URL.`;
    findings.push(finding('webhook_deliveries_failing', problem, remedy));
  }
  const unchecked = [
    ...(secret.ok ? [] : [`Whether its secret is ours: ${secret.message}`]),
    ...(failures.ok ? [] : [`Whether deliveries fail: ${failures.message}`]),
    ...(secretSet ? [] : ['Whether its secret is ours: HELPDESK_WEBHOOK_SECRET is not set.']),
    ...(publicUrl === null ? ['Whether its address is ours: PUBLIC_URL is not set.'] : []),
  ];
  const passed = findings.length === 0 ? [`"${webhook.name}" is enabled, signed and leads here.`] : [];
  return { area, findings, passed, unchecked };
}

function judgeTarget({ name, enabled, url, event }: WebhookFacts, publicUrl: string | null): Finding[] {
  const findings = [];
  if (!enabled) findings.push(finding('webhook_disabled', `The webhook "${name}" is disabled.`, provision));
  if (publicUrl !== null && url !== wantedWebhook(publicUrl).request_url) {
    const problem = `The webhook "${name}" does not lead to ${wantedWebhook(publicUrl).request_url}.`;
    findings.push(finding('webhook_wrong_url', problem, `${provision} Or correct PUBLIC_URL.`));
  }
  if (event !== 'after_insert') {
    const problem = `The webhook "${name}" is sent on ${event || 'no event'}, not on after_insert.`;
    findings.push(finding('webhook_wrong_event', problem, provision));
  }
  return findings;
}

function judgeContent({ name, condition, body }: WebhookFacts): Finding[] {
  const findings = [];
  if (condition !== '') {
    const problem = `The webhook "${name}" has a condition, so that some tickets may be left out.`;
    findings.push(finding('webhook_conditional', problem, 'Empty the field "Condition", unless this is meant.'));
  }
  if (body !== wantedWebhook('').webhook_json) {
    const problem = `The webhook "${name}" sends another body than the proxy knows.`;
    findings.push(finding('webhook_body_differs', problem, provision));
  }
  return findings;
}

function judgeSecret({ name, signed, secret }: WebhookFacts, secretSet: boolean): Finding[] {
  if (!signed)
    return [finding('webhook_unsigned', `The webhook "${name}" is not signed; the proxy refuses it.`, provision)];
  if (!secretSet || !secret.ok || secret.value === 'current') return [];
  if (secret.value === 'previous') {
    const problem = `The webhook "${name}" still signs with the previous secret.`;
    return [finding('webhook_secret_previous', problem, 'Run "provision", then take the previous secret out.')];
  }
  const what = secret.value === 'unset' ? 'has no secret' : 'has another secret than HELPDESK_WEBHOOK_SECRET';
  return [finding('webhook_secret_differs', `The webhook "${name}" ${what}; the proxy refuses it.`, provision)];
}
