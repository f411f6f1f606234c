import type { Secret } from '#runtime/secret.ts';
import { compareSecret, type SecretState } from './compare-secret.ts';
import { afterInsertPath, desiredWebhook, webhookName } from './desired-state.ts';
import { differences } from './differences.ts';
import type { AdminDocument } from './helpdesk-admin.ts';
import { type Deadline, type HelpdeskReader, isOn, textOf } from './helpdesk-reader.ts';
import { attempt, type ReadResult } from './read-result.ts';

/** Our webhook as the helpdesk has it. */
export interface FoundWebhook {
  document: AdminDocument;
  secret: ReadResult<string | null>;
}

/** Reads our webhook: the one that `provision` makes, or else one that leads to the same path. Null if there is none. */
export async function readWebhook(admin: HelpdeskReader, deadline: Deadline): Promise<FoundWebhook | null> {
  const filters = [['webhook_doctype', '=', 'HD Ticket']] as const;
  const all = await admin.list('Webhook', { fields: ['name', 'request_url', 'enabled'], filters }, deadline());
  const leadingToUs = all.filter(({ request_url }) => textOf(request_url).endsWith(afterInsertPath));
  const found =
    all.find(({ name }) => name === webhookName) ?? leadingToUs.find(({ enabled }) => isOn(enabled)) ?? leadingToUs[0];
  if (found === undefined) return null;
  const [document, secret] = await Promise.all([
    admin.get('Webhook', found.name, deadline()),
    attempt(admin.password('Webhook', found.name, 'webhook_secret', deadline())),
  ]);
  return document && { document, secret };
}

export interface ComparedWebhook {
  /** The properties that differ, as they should be. */
  differing: Partial<ReturnType<typeof desiredWebhook>>;
  /** Null if it could not be read. */
  secret: SecretState | null;
}

/**
 * How the webhook differs from the desired one: `provision` mends it, `doctor` says it (docs/helpdesk.md#webhooks).
 *
 * @param publicUrl null if it is not known: then the address is not compared
 * @param ours the current secret, then possibly the previous one
 */
export function compareWebhook(
  { document, secret }: FoundWebhook,
  publicUrl: string | null,
  ours: readonly Secret[],
): ComparedWebhook {
  const desired = desiredWebhook(publicUrl ?? '');
  const { request_url: _, ...elsewhere } = desired;
  return {
    differing: differences<Partial<typeof desired>>(document, publicUrl === null ? elsewhere : desired),
    secret: secret.ok ? compareSecret(secret.value, ours) : null,
  };
}
