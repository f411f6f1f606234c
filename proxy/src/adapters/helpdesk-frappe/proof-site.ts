import { OrgId } from '@deskside/shared/orgid';
import * as z from 'zod';
import type { ProofSite } from '#ports/operator/proof.ts';
import { webhookName } from '#setup/desired-state.ts';
import type { HelpdeskAdmin } from '#setup/helpdesk-admin.ts';
import { isOn, textOf } from '#setup/helpdesk-reader.ts';
import { attempt } from '#setup/read-result.ts';
import { unless } from './client/frappe-error.ts';

/** When a Notification is sent that a new ticket, or its deletion, sets off. */
const atOnce = ['New', 'Save', 'Value Change', 'Method', 'Custom'];
/** The tail of a Python error is what went wrong; its head is a traceback. */
const longestReason = 200;

const Rows = z.array(z.object({ custom_platform_orgid: z.coerce.string() }));

/**
 * The helpdesk as `prove` uses it.
 *
 * @param admin a System Manager's access: shows what else is set off and why the webhook was not sent, and deletes the copy
 *   of the deleted ticket; null if there is none
 */
export function createProofSite(
  { service, admin }: { service: HelpdeskAdmin; admin: HelpdeskAdmin | null },
  profile: ProofSite['profile'],
): ProofSite {
  return {
    profile,

    async alsoSetOff(signal) {
      if (admin === null) return null;
      const ofTickets = (field: string) =>
        [
          [field, '=', 'HD Ticket'],
          ['enabled', '=', 1],
        ] as const;
      const [webhooks, notifications, settings] = await Promise.all([
        admin.list('Webhook', { fields: ['name'], filters: ofTickets('webhook_doctype') }, signal),
        admin
          .list('Notification', { fields: ['name', 'event'], filters: ofTickets('document_type') }, signal)
          .catch(unless('not_found', [])),
        admin.get('HD Settings', 'HD Settings', signal),
      ]);
      return [
        ...webhooks.filter(({ name }) => name !== webhookName).map(({ name }) => `Webhook "${name}"`),
        ...notifications
          .filter(({ event }) => atOnce.includes(textOf(event)))
          .map(({ name }) => `Notification "${name}"`),
        ...(isOn(settings?.send_acknowledgement_email)
          ? ['the acknowledgement by e-mail, to the service account']
          : []),
      ];
    },

    async someOrgId(signal) {
      const query = {
        doctype: 'HD Customer',
        fields: '["custom_platform_orgid"]',
        filters: '[["custom_platform_orgid","!=",""]]',
        limit_page_length: '1',
      };
      // A site without the field refuses.
      const found = await attempt(service.call('frappe.client.get_list', query, signal));
      const rows = Rows.safeParse(found.ok ? found.value : []);
      return OrgId.safeParse(rows.data?.[0]?.custom_platform_orgid).data ?? null;
    },

    async insert(subject, signal) {
      const { user } = await service.caller(signal);
      return service.create('HD Ticket', { subject, raised_by: user }, signal);
    },

    async remove(ticket, signal) {
      await service.remove('HD Ticket', ticket, signal);
      await admin?.erase('HD Ticket', ticket, signal);
      return admin !== null;
    },

    webhookError: admin && ((ticket, signal) => webhookErrorOf(admin, ticket, signal)),
  };
}

/** Of this ticket alone: a deleted one's number may be given again, and what failed then is in the same log. */
async function webhookErrorOf(admin: HelpdeskAdmin, ticket: string, signal: AbortSignal): Promise<string | null> {
  const created = textOf((await admin.get('HD Ticket', ticket, signal))?.creation);
  const filters = [
    ['webhook', '=', webhookName],
    ['reference_document', '=', ticket],
    ['creation', '>=', created],
  ] as const;
  const log = await admin
    .list('Webhook Request Log', { fields: ['name', 'error'], filters }, signal)
    .catch(unless('forbidden', []));
  return reasonIn(log.map(({ error }) => textOf(error)).findLast((text) => text.trim() !== '') ?? '');
}

/** What went wrong, out of a Python error; null if there is none. */
export function reasonIn(error: string): string | null {
  const known =
    /certificate verify failed(?:: [\w '.-]+)?|Connection refused|Name or service not known|No route to host|timed out|\b[45]\d\d (?:Client|Server) Error: [\w -]+?(?= for url|$)/im;
  const found = known.exec(error)?.[0] ?? error.trim().split('\n').at(-1)?.trim() ?? '';
  return found === '' ? null : found.slice(0, longestReason).trim();
}
