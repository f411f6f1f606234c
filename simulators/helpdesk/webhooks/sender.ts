import { createHmac } from 'node:crypto';
import { allLevels } from '#helpdesk/access/permissions.ts';
import { AnswerTimeout, sendAsPython } from '#helpdesk/http/call.ts';
import { childRows, documentsOf, type FakeSite, lookup, newColumns } from '#helpdesk/site/site.ts';
import type { DocType } from '#helpdesk/store/doctype.ts';
import { asDict } from '#helpdesk/store/serialise.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import { pythonJson, renderTemplate } from './render.ts';

interface Delivery {
  webhook: string;
  user: string;
  /** Every field of the document as it was in memory when it was saved. */
  document: Record<string, unknown>;
}

interface Message {
  headers: Record<string, string>;
  body: string;
}

/** Seconds after a first, second and third try that failed otherwise than by time-out; the worker sleeps meanwhile. */
const pauses = [1, 4, 7];
const defaultTimeoutSeconds = 5;

/**
 * Queues what the site's enabled webhooks have to send about an event, some time after the commit. There is one worker, so
 * a receiver that hangs delays all others (docs/helpdesk.md#webhooks). The webhook changed last goes first.
 */
export function queueWebhooks(
  site: FakeSite,
  event: 'after_insert',
  doctype: DocType,
  document: StoredDocument,
  user: string,
): void {
  const webhooks = documentsOf(site, 'Webhook')
    .filter((webhook) => webhook.enabled === 1)
    .filter((webhook) => webhook.webhook_doctype === doctype.name && webhook.webhook_docevent === event)
    .sort((left, right) => (String(left.modified) < String(right.modified) ? 1 : -1));
  if (webhooks.length === 0) return;
  const fields = asDict(site.metadata, doctype, document, allLevels(doctype));
  for (const webhook of webhooks) {
    const delivery: Delivery = { webhook: webhook.name, user, document: fields };
    site.webhooks.add(site.settings.webhookDelayMs, () => deliver(site, delivery));
  }
}

/** Delivers, and then shows what came of each try: the helpdesk's job writes its log when it ends. */
async function deliver(site: FakeSite, delivery: Delivery): Promise<void> {
  const webhook = lookup(site, 'Webhook', delivery.webhook);
  if (webhook === undefined) return;
  const rows: StoredDocument[] = [];
  await tryToDeliver(site, delivery, webhook, (...outcome) => rows.push(logged(site, delivery, webhook, ...outcome)));
  for (const row of rows) site.store.put(site.metadata.get('Webhook Request Log'), row);
}

/** Up to three tries; after a time-out the next follows at once. A body that cannot be made is never sent. */
async function tryToDeliver(
  site: FakeSite,
  delivery: Delivery,
  webhook: StoredDocument,
  log: (message: Message | null, response: string | null, error: string) => void,
): Promise<void> {
  const message = compose(webhook, delivery.document);
  if (message === null) return log(null, null, 'json.decoder.JSONDecodeError');
  const timeoutMs = Number(webhook.timeout || defaultTimeoutSeconds) * 1000;
  const request = { method: String(webhook.request_method || 'POST'), url: String(webhook.request_url), ...message };
  for (const seconds of pauses) {
    const outcome = await sendAsPython({ ...request, signal: site.closing, timeoutMs }).catch(
      (error: unknown) => error as Error,
    );
    site.closing.throwIfAborted();
    if (outcome instanceof AnswerTimeout) {
      log(message, null, 'requests.exceptions.ReadTimeout');
      continue;
    }
    if (outcome instanceof Error) {
      log(message, null, 'requests.exceptions.ConnectionError');
    } else if (outcome.status >= 400) {
      log(message, '', `requests.exceptions.HTTPError: ${outcome.status}`);
    } else {
      return log(message, outcome.text, '');
    }
    await site.webhooks.pause(seconds * 1000 * site.settings.webhookPauseScale);
  }
}

/**
 * Body and own headers of a delivery: no Content-Type unless the webhook names one; the signature is made over the
 * body's bytes. Null where the template gives no JSON.
 */
export function compose(webhook: StoredDocument, document: Record<string, unknown>): Message | null {
  const body = bodyOf(webhook, document);
  if (body === null) return null;
  const headers = childRows(webhook, 'webhook_headers').map((row): [string, string] => [
    String(row.key),
    String(row.value),
  ]);
  if (webhook.enable_security === 1) {
    const signature = createHmac('sha256', String(webhook.webhook_secret)).update(body).digest('base64');
    headers.push(['X-Frappe-Webhook-Signature', signature]);
  }
  return { headers: Object.fromEntries(headers), body };
}

function bodyOf(webhook: StoredDocument, document: Record<string, unknown>): string | null {
  try {
    return pythonJson(renderTemplate(String(webhook.webhook_json || '{}'), document));
  } catch {
    return null;
  }
}

function logged(
  site: FakeSite,
  delivery: Delivery,
  webhook: StoredDocument,
  message: Message | null,
  response: string | null,
  error: string,
): StoredDocument {
  return {
    ...newColumns(site, delivery.user),
    webhook: webhook.name,
    reference_document: String(delivery.document.name),
    user: delivery.user,
    url: webhook.request_url,
    headers: message === null ? null : JSON.stringify(message.headers),
    data: message?.body ?? null,
    response,
    error,
  };
}
