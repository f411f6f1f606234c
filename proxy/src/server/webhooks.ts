import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { TicketName } from '@deskside/shared/input';
import { parseOrgId } from '@deskside/shared/orgid';
import type { Context as HonoContext } from 'hono';
import * as z from 'zod';
import type { Context } from '#context.ts';
import { readEvent } from '#crm/crm.ts';
import { namedFields } from '#helpdesk/fields.ts';
import { decideBeforeInsert } from '#routing/before-insert.ts';
import { receiveTicketEvent } from '#routing/inbox.ts';
import { judgeClaimsAgain } from '#routing/retry.ts';
import { AppError } from '#runtime/app-error.ts';
import { jsonOf } from '#runtime/json.ts';
import type { Insert } from '#store/tickets.ts';
import type { AppEnv } from './middleware.ts';
import { bytesOf } from './serve-endpoint.ts';

// Callers who have a secret instead of a credential of the helpdesk.

/** Says whether a text is one of these. Compares with all, and hashes of equal length, so that timing reveals nothing. */
export function isOneOf(expected: readonly string[]): (given: string) => boolean {
  const digests = expected.map(digestOf);
  return (text) => {
    const wanted = digestOf(text);
    return digests.map((digest) => timingSafeEqual(digest, wanted)).includes(true);
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** @param errorCode for the log line */
export function refuse(c: HonoContext<AppEnv>, errorCode: string, message: string, status: 401 | 403 = 403): Response {
  c.set('errorCode', errorCode);
  const data = { code: 'unauthenticated', request_id: c.get('requestId') };
  return c.json({ success: false, data, message }, status);
}

const name = z.union([z.string(), z.int()]).transform((value) => String(value).trim());
const text = z
  .union([z.string(), z.int()])
  .nullish()
  // PostgreSQL cannot store NUL, and no name or address holds one.
  .transform(
    (value) =>
      String(value ?? '')
        .replaceAll('\0', '')
        .trim() || null,
  );
/** The ticket as its insert left it; a webhook that somebody made by hand may say its name and creation alone. */
const InsertFields = z
  .object({
    creation: z.string().min(1),
    owner: z.string().min(1),
    raised_by: text,
    contact: text,
    agent_group: text,
    ticket_split_from: text,
    org_ids: z.record(z.string(), text),
  })
  .transform(
    ({ creation, owner, raised_by, contact, agent_group, ticket_split_from, org_ids }): Insert => ({
      creation,
      owner,
      raisedBy: raised_by,
      contact,
      agentGroup: agent_group,
      splitFrom: ticket_split_from,
      orgIds: [...new Set(Object.values(org_ids).flatMap((value) => parseOrgId(value) ?? []))],
    }),
  );
const TicketEvent = z.looseObject({ name: name.pipe(TicketName), creation: z.string().min(1) });
const UnsavedFields = z.object({
  key: z.string().trim().min(8).pipe(TicketName),
  owner: text,
  custom_orgid: text,
  agent_group: text,
  customer_segment: text.optional().default(null),
  customer_shop_plan: text.optional().default(null),
});

/**
 * POST /webhooks/helpdesk/ticket/after-insert: an event about a new ticket, signed over its body
 * (docs/helpdesk.md#webhooks). Stored before it is answered with 202; a wrong signature is 403. The content type is not
 * usable.
 *
 * @param secrets the valid ones, in the clear; likewise below
 */
export function afterInsertRoute(ctx: Context, secrets: readonly string[]) {
  return async (c: HonoContext<AppEnv>) => {
    const signature = c.req.header('x-frappe-webhook-signature') ?? '';
    if (!/^[A-Za-z0-9+/]{43}=$/.test(signature)) return wrongSecret(c);
    const body = await bytesOf(c);
    if (!isOneOf(secrets.map((secret) => signatureOf(secret, body)))(signature)) return wrongSecret(c);
    const event = parse(TicketEvent, body, 'name', 'Expected JSON with name and creation of an HD Ticket.');
    const inserted =
      'owner' in event ? parse(InsertFields, body, 'owner', 'Expected what the webhook of "provision" says.') : null;
    const outcome = await receiveTicketEvent(ctx, event, inserted);
    const message = outcome === 'accepted' ? 'Accepted.' : 'Known already.';
    return c.json({ success: true, data: { ticket: event.name }, message }, 202);
  };
}

/**
 * POST /webhooks/helpdesk/ticket/before-insert: answers the fields to set on a ticket that is about to be inserted, if
 * any. A script cannot sign, so it sends a secret header (docs/api.md#webhooks).
 */
export function beforeInsertRoute(ctx: Context, secrets: readonly string[]) {
  const isKnown = isOneOf(secrets);

  return async (c: HonoContext<AppEnv>) => {
    if (!isKnown(c.req.header('x-deskside-secret') ?? '')) return wrongSecret(c);
    const body = await bytesOf(c);
    const unsaved = parse(UnsavedFields, body, 'key', "Expected JSON with the ticket's key.");
    const { key, owner, custom_orgid, agent_group, customer_segment: segment } = unsaved;
    const fields = await decideBeforeInsert(ctx, {
      key,
      owner,
      orgId: parseOrgId(custom_orgid),
      agentGroup: agent_group,
      customer: segment === null ? null : { segment, shopPlan: unsaved.customer_shop_plan },
    });
    const message = fields === null ? 'Left to the pipeline.' : 'Routed.';
    return c.json({ success: true, data: { fields: fields === null ? {} : namedFields(fields) }, message });
  };
}

function signatureOf(secret: string, body: Buffer): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}

function parse<T>(schema: z.ZodType<T>, body: Buffer, field: string, message: string): T {
  const json = jsonOf(body.toString());
  if (json === undefined) throw new AppError('bad_input', [{ field: 'body', message: 'Expected JSON.' }]);
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const at = parsed.error.issues[0]?.path.join('.') || field;
  throw new AppError('bad_input', [{ field: at, message }]);
}

function wrongSecret(c: HonoContext<AppEnv>): Response {
  return refuse(c, 'wrong_webhook_secret', 'The signature or secret is wrong.');
}

/** An event of the CRM or the helpdesk is a few hundred bytes; anything larger than this is not one. */
export const maxEventBytes = 16 * 1024;

/**
 * POST /webhooks/crm/company: the CRM announces a change (docs/crm.md#events). A wrong application token is 403; events
 * that do not concern us are accepted too, since nobody reads the response.
 */
export function crmEventRoute(ctx: Context, tokens: readonly string[]) {
  const isKnown = isOneOf(tokens);

  return async (c: HonoContext<AppEnv>) => {
    const form = new URLSearchParams((await bytesOf(c)).toString());
    if (!isKnown(form.get('auth[application_token]') ?? ''))
      return refuse(c, 'wrong_event_token', 'The application token is wrong.');
    const event = readEvent(form);
    // A ticket that was decided on a claim to a changed company may be vouched for now.
    if (event !== null && ctx.crm !== null) await judgeClaimsAgain(ctx, await ctx.crm.noteEvent(event));
    return c.json({ success: true, data: {}, message: 'Noted.' });
  };
}
