import type { Secret } from '#config/secret.ts';
import { desiredWebhook, webhookName } from '#setup/desired-state.ts';
import { compareSecret, type SecretState } from './compare-secret.ts';
import { type Deadline, type HelpdeskReader, isOn, textOf } from './helpdesk-reader.ts';
import { attempt, type ReadResult } from './read-result.ts';

/** Our webhook as the helpdesk has it. */
export interface WebhookFacts {
  name: string;
  enabled: boolean;
  event: string;
  url: string;
  condition: string;
  body: string;
  signed: boolean;
  secret: ReadResult<SecretState>;
  /** Failed attempts in the last 24 hours. */
  failures: ReadResult<number>;
}

/**
 * Reads our webhook: the one that `provision` makes, or else one that leads to the same path. Null if there is none.
 *
 * @param dayAgo the instant 24 hours ago, as the site writes it
 */
export async function gatherWebhook(
  admin: HelpdeskReader,
  { ours, dayAgo }: { ours: readonly Secret[]; dayAgo: string },
  deadline: Deadline,
): Promise<WebhookFacts | null> {
  const filters = [['webhook_doctype', '=', 'HD Ticket']] as const;
  const all = await admin.list('Webhook', { fields: ['name', 'request_url', 'enabled'], filters }, deadline());
  const leadingToUs = all.filter(({ request_url }) => textOf(request_url).endsWith(path));
  const found =
    all.find(({ name }) => name === webhookName) ?? leadingToUs.find(({ enabled }) => isOn(enabled)) ?? leadingToUs[0];
  if (found === undefined) return null;
  const [webhook, secret, failures] = await Promise.all([
    admin.get('Webhook', found.name, deadline()),
    attempt(admin.password('Webhook', found.name, 'webhook_secret', deadline())),
    attempt(countFailures(admin, found.name, dayAgo, deadline)),
  ]);
  return (
    webhook && {
      name: found.name,
      enabled: isOn(webhook.enabled),
      event: textOf(webhook.webhook_docevent),
      url: textOf(webhook.request_url),
      condition: textOf(webhook.condition).trim(),
      body: textOf(webhook.webhook_json).trim(),
      signed: isOn(webhook.enable_security),
      secret: secret.ok ? { ok: true, value: compareSecret(secret.value, ours) } : secret,
      failures,
    }
  );
}

const path = new URL(desiredWebhook('https://host.example').request_url).pathname;

async function countFailures(admin: HelpdeskReader, webhook: string, since: string, deadline: Deadline) {
  const filters = [
    ['webhook', '=', webhook],
    ['creation', '>', since],
    ['error', '!=', ''],
  ];
  const args = { doctype: 'Webhook Request Log', filters: JSON.stringify(filters) };
  return Number(await admin.call('frappe.client.get_count', args, deadline()));
}
