import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { type AdminDocument, type HelpdeskAdmin, isOn, textOf } from '#helpdesk/admin.ts';
import { orgIdFields } from '#helpdesk/fields.ts';
import type { Item } from '#setup/items.ts';
import { type CheckInput, type Findings, fault, ok, warning } from '#setup/report.ts';
import { changeItem, describeDifferences, differences, erasing, making, type ProvisionRun } from './need.ts';

// The signed webhook that tells us of every new ticket (docs/helpdesk.md#webhooks).

export const webhookName = 'Deskside: new ticket';
const afterInsertPath = '/webhooks/helpdesk/ticket/after-insert';

/** Who made the ticket for whom, and what came with it. Org ids come beside it, by precedence (decision 5: order of org ids). */
const insertedFields = ['owner', 'modified_by', 'raised_by', 'contact', 'customer', 'agent_group', 'ticket_split_from'];

/** Whatever a sender typed stays one JSON text, and a field that the site lacks is null. */
const asJson = (fields: readonly string[]) => fields.map((field) => `"${field}":{{ doc.${field} | tojson }}`).join(',');

/** The ticket as its insert left it (docs/helpdesk.md#webhooks). */
const afterInsertBody =
  `{"event":"after_insert","name":{{ doc.name | string | tojson }},` +
  `"creation":{{ doc.creation | string | tojson }},"modified":{{ doc.modified | string | tojson }},` +
  `${asJson(insertedFields)},"org_ids":{${asJson(orgIdFields.map(({ field }) => field))}}}`;

/**
 * The signed webhook. Its body contains no dates and no Decimals: with one among the values, the helpdesk sends
 * nothing at all (docs/helpdesk.md#webhooks). The secret is not part of this.
 *
 * @param publicUrl origin at which the helpdesk reaches the proxy
 */
export const desiredWebhook = (publicUrl: string) =>
  ({
    webhook_doctype: 'HD Ticket',
    webhook_docevent: 'after_insert',
    enabled: 1,
    condition: '',
    request_url: `${publicUrl}${afterInsertPath}`,
    is_dynamic_url: 0,
    timeout: 5,
    request_method: 'POST',
    request_structure: 'JSON',
    enable_security: 1,
    webhook_json: afterInsertBody,
  }) as const;

/** Our webhook as the helpdesk has it; `secret`: null if none is set. */
export interface FoundWebhook {
  document: AdminDocument;
  secret: string | null;
}

/** The webhook that `provision` makes, or else one that leads to the same path. Null if there is none. */
export async function readWebhook(admin: HelpdeskAdmin): Promise<FoundWebhook | null> {
  const filters = [['webhook_doctype', '=', 'HD Ticket']] as const;
  const all = await admin.list('Webhook', { fields: ['name', 'request_url', 'enabled'], filters });
  const leadingToUs = all.filter(({ request_url }) => textOf(request_url).endsWith(afterInsertPath));
  const found =
    all.find(({ name }) => name === webhookName) ?? leadingToUs.find(({ enabled }) => isOn(enabled)) ?? leadingToUs[0];
  if (found === undefined) return null;
  const [document, secret] = await Promise.all([
    admin.get('Webhook', found.name),
    admin.password('Webhook', found.name, 'webhook_secret'),
  ]);
  return document && { document, secret };
}

/** What differs from the webhook as it should be. `secrets`: those that the proxy takes; the first is the one to be written. */
function changesOf({ document, secret }: FoundWebhook, publicUrl: string, secrets: readonly string[]) {
  const isKnown = secrets.length === 0 || (secret !== null && secrets.includes(secret));
  return { ...differences(document, desiredWebhook(publicUrl)), ...(!isKnown && { webhook_secret: secrets[0] }) };
}

/**
 * The webhook after the insert, and where we have no secret for it yet, one: that of the webhook which is there, so that
 * another run does not change it, else a new one. The secret is never shown.
 */
export async function planWebhook(run: ProvisionRun): Promise<Item[]> {
  const { admin, settings, own } = run;
  const what = `Webhook "${webhookName}"`;
  const read = await readWebhook(admin);
  // One of another name, which leads to us as well, is not ours to change.
  const found = read?.document.name === webhookName ? read : null;
  const theirs = found?.secret && found.secret.length >= 16 && !found.secret.includes(',') ? found.secret : null;
  const ours = settings.HELPDESK_WEBHOOK_SECRET?.[0]?.reveal();
  const secret = ours ?? theirs ?? randomBytes(24).toString('hex');
  const keeping: Item = {
    what: 'Setting HELPDESK_WEBHOOK_SECRET',
    state: 'create',
    detail: secret === theirs ? 'that of the webhook which is there' : 'new',
    make: async () => own.keep({ HELPDESK_WEBHOOK_SECRET: secret }),
  };
  const items = ours === undefined ? [keeping] : [];
  const desired = desiredWebhook(settings.PUBLIC_URL);
  const { request_url: detail } = desired;
  if (found === null) {
    const make = making(run, 'Webhook', { __newname: webhookName, ...desired, webhook_secret: secret });
    return [...items, { what, state: 'create', detail, make }];
  }
  const changes = changesOf(found, settings.PUBLIC_URL, [secret]);
  const item = changeItem(run, 'Webhook', { what, name: webhookName, changes, detail });
  const before = textOf(found.document.request_url);
  if ('request_url' in changes && before !== '')
    item.warning = `The webhook leads to ${before} now. If another Deskside runs there, it hears of no new ticket from then on.`;
  return [...items, item];
}

export const removeWebhook = (run: ProvisionRun): Promise<Item[]> =>
  erasing(run, 'Webhook', [['name', '=', webhookName]]);

/** That the helpdesk is another Deskside's, by whom its webhook names; null if it is this one's, or nobody's. */
export function whoElse(webhook: FoundWebhook | null, publicUrl: string): string | null {
  const to = webhook?.document.name === webhookName ? textOf(webhook.document.request_url) : '';
  if (to === '' || to === desiredWebhook(publicUrl).request_url) return null;
  return `The webhook in the helpdesk leads to ${to}: another Deskside is in use, and not this one at ${publicUrl}.`;
}

/** Whether new tickets are told to us. */
export async function* checkWebhook({ config }: CheckInput, admin: HelpdeskAdmin): Findings {
  const found = await readWebhook(admin);
  if (found === null)
    return fault(
      'The helpdesk has no webhook that tells the proxy about new tickets; only the sweep finds them, and later.',
      'Run "deskside provision".',
    );
  const what = `The webhook "${found.document.name}"`;
  const secrets = (config.HELPDESK_WEBHOOK_SECRET ?? []).map((one) => one.reveal());
  const { webhook_secret, ...changes } = changesOf(found, config.PUBLIC_URL ?? '', secrets);
  const differs = [
    ...describeDifferences(found.document, changes),
    ...(webhook_secret === undefined ? [] : ['its secret is not HELPDESK_WEBHOOK_SECRET']),
  ];
  if (differs.length > 0)
    yield fault(
      `${what} is not as the proxy needs it, so that tickets are left out or refused: ${differs.join(', ')}.`,
      `Run "deskside provision", which corrects it${'request_url' in changes ? ', or correct PUBLIC_URL' : ''}.`,
    );
  const failure = await lastFailure(admin, found.document.name);
  if (failure !== '')
    yield warning(
      `The helpdesk's last attempt to deliver to the proxy has failed. Its error: ${failure}`,
      'Look at "Webhook Request Log" in the helpdesk; most often the proxy cannot be reached at PUBLIC_URL from there.',
    );
  return ok(`${what} is enabled, signed and points here.`);
}

const Errors = z.array(z.object({ error: z.string().nullish() }));

/** What went wrong with the newest delivery; '' if nothing did. */
async function lastFailure(admin: HelpdeskAdmin, webhook: string): Promise<string> {
  const query = {
    doctype: 'Webhook Request Log',
    filters: JSON.stringify([['webhook', '=', webhook]]),
    fields: '["error"]',
    order_by: 'creation desc',
    limit_page_length: '1',
  };
  const [last] = Errors.safeParse(await admin.call('frappe.client.get_list', query)).data ?? [];
  return errorIn(last?.error);
}

/** What went wrong, of the traceback that the helpdesk notes. */
export function errorIn(traceback: unknown): string {
  return textOf(traceback).trim().split('\n').at(-1)?.slice(0, 300) ?? '';
}
