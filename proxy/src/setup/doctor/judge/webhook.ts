import { desiredWebhook } from '#setup/desired-state.ts';
import { type AreaReport, type DoctorFinding, finding } from '#setup/doctor/finding.ts';
import type { WebhookFacts } from '#setup/doctor/gather/webhook.ts';

const provision = 'Run "provision", which corrects it.';

/**
 * Judges whether new tickets reach us (docs/helpdesk.md#webhooks).
 *
 * @param publicUrl null if it is not set
 * @param secretSet whether the proxy has a secret to compare with
 */
export function judgeWebhook(webhook: WebhookFacts | null, publicUrl: string | null, secretSet: boolean): AreaReport {
  const area = 'Webhook';
  if (webhook === null) {
    const problem =
      'The helpdesk has no webhook that tells the proxy about new tickets; only the sweep finds them, and later.';
    return { area, findings: [finding('webhook_missing', problem, 'Run "provision".')], passed: [], unchecked: [] };
  }
  const findings = [...judgeTarget(webhook, publicUrl), ...judgeContent(webhook), ...judgeSecret(webhook, secretSet)];
  const { secret, failures } = webhook;
  if (failures.ok && failures.value > 0) {
    const problem = `${failures.value} attempts to deliver to the proxy have failed in the last 24 hours.`;
    const remedy = `Look at "Webhook Request Log" in the helpdesk; most often the proxy cannot be reached at PUBLIC_URL.`;
    findings.push(finding('webhook_deliveries_failing', problem, remedy));
  }
  const unchecked = [
    ...(secret.ok ? [] : [`Whether its secret is ours: ${secret.message}`]),
    ...(failures.ok ? [] : [`Whether deliveries fail: ${failures.message}`]),
    ...(secretSet ? [] : ['Whether its secret is ours: HELPDESK_WEBHOOK_SECRET is not set.']),
    ...(publicUrl === null ? ['Whether its address is ours: PUBLIC_URL is not set.'] : []),
  ];
  const passed = findings.length === 0 ? [`"${webhook.name}" is enabled, signed and points here.`] : [];
  return { area, findings, passed, unchecked };
}

function judgeTarget({ name, enabled, url, event }: WebhookFacts, publicUrl: string | null): DoctorFinding[] {
  const findings = [];
  if (!enabled) findings.push(finding('webhook_disabled', `The webhook "${name}" is disabled.`, provision));
  if (publicUrl !== null && url !== desiredWebhook(publicUrl).request_url) {
    const problem = `The webhook "${name}" does not lead to ${desiredWebhook(publicUrl).request_url}.`;
    findings.push(finding('webhook_wrong_url', problem, `${provision} Or correct PUBLIC_URL.`));
  }
  if (event !== 'after_insert') {
    const problem = `The webhook "${name}" is sent on ${event || 'no event'}, not on after_insert.`;
    findings.push(finding('webhook_wrong_event', problem, provision));
  }
  return findings;
}

function judgeContent({ name, condition, body }: WebhookFacts): DoctorFinding[] {
  const findings = [];
  if (condition !== '') {
    const problem = `The webhook "${name}" has a condition, so some tickets may be left out.`;
    findings.push(finding('webhook_conditional', problem, 'Clear the field "Condition", unless this is intended.'));
  }
  if (body !== desiredWebhook('').webhook_json) {
    const problem = `The webhook "${name}" sends a body that the proxy does not know.`;
    findings.push(finding('webhook_body_differs', problem, provision));
  }
  return findings;
}

function judgeSecret({ name, signed, secret }: WebhookFacts, secretSet: boolean): DoctorFinding[] {
  if (!signed)
    return [finding('webhook_unsigned', `The webhook "${name}" is not signed; the proxy refuses it.`, provision)];
  if (!secretSet || !secret.ok || secret.value === 'current') return [];
  if (secret.value === 'previous') {
    const problem = `The webhook "${name}" still signs with the previous secret.`;
    return [finding('webhook_secret_previous', problem, 'Run "provision", then remove the previous secret.')];
  }
  const what = secret.value === 'unset' ? 'has no secret' : 'has a secret other than HELPDESK_WEBHOOK_SECRET';
  return [finding('webhook_secret_differs', `The webhook "${name}" ${what}; the proxy refuses it.`, provision)];
}
