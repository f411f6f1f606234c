import * as z from 'zod';
import { among } from '#adapters/helpdesk-frappe/client/among.ts';
import { deskAmong } from '#adapters/helpdesk-frappe/reads/people/desk.ts';
import type { WebsiteRights } from '#adapters/helpdesk-frappe/reads/people/website-rights.ts';
import type { Site } from '#adapters/helpdesk-frappe/site.ts';

type Rights = Site & Pick<WebsiteRights, 'customersAreClosed'>;

/** More than manage anything; bounds the size of a response. */
const limit = 500;

const text = z.string().nullish();
const CustomerRow = z.object({ name: z.string(), modified_by: z.string(), member: text, manages: z.unknown() });
const ContactRow = z.object({ name: z.string(), user: text });
const History = z.object({
  docinfo: z.object({ info_logs: z.array(z.object({ owner: z.string(), comment_type: z.string() })) }),
});

/**
 * The website users who may have written a customer: whose accounts manage it on the portal (docs/helpdesk.md#roles), and who
 * wrote to it last unless that is the desk or this service; none where website users may write no customer. In lower case.
 * Two or three requests.
 */
export async function websiteWritersOf(at: Rights, customer: string, signal: AbortSignal): Promise<string[]> {
  if (await at.customersAreClosed(signal)) return [];
  const { client, service } = at;
  const fields = await at.site.get(signal);
  const membership = ['contacts.contact_name as member', 'contacts.is_manager as manages'];
  const asked = {
    fields: ['name', 'modified_by', ...(fields.has('HD Customer', 'contacts') ? membership : [])],
    filters: [['name', '=', customer]],
    limit,
  };
  const found = await client.list('HD Customer', asked, CustomerRow, service, signal);
  const rows = found.filter(({ name }) => name === customer);
  const managers = rows.flatMap(({ member, manages }) => (manages === 1 && member ? [member] : []));
  const read = (some: string[]) => {
    const query = { fields: ['name', 'user'], filters: [['name', 'in', some]], limit };
    return client.list('Contact', query, ContactRow, service, signal);
  };
  const writers = new Set(rows.map(({ modified_by }) => modified_by.toLowerCase()));
  const [others, contacts] = await Promise.all([websiteUsersAmong(at, writers, signal), among(managers, read)]);
  const accounts = contacts.flatMap(({ name, user }) => (user && managers.includes(name) ? [user.toLowerCase()] : []));
  return [...new Set([...accounts, ...others])];
}

/**
 * Whether no website user has renamed a customer: the helpdesk keeps a line for each renaming, with who it was
 * (docs/helpdesk.md#twins). Two or three requests, or none where website users may write no customer.
 */
export async function isNamedByDesk(at: Rights, customer: string, signal: AbortSignal): Promise<boolean> {
  if (await at.customersAreClosed(signal)) return true;
  const asked = { doctype: 'HD Customer', name: customer };
  const method = 'frappe.desk.form.load.get_docinfo';
  const { docinfo } = await at.client.call(method, asked, History, at.service, signal);
  const renamings = docinfo.info_logs.filter(({ comment_type }) => comment_type === 'Edit');
  const renamers = new Set(renamings.map(({ owner }) => owner.toLowerCase()));
  return (await websiteUsersAmong(at, renamers, signal)).length === 0;
}

async function websiteUsersAmong(at: Site, accounts: ReadonlySet<string>, signal: AbortSignal): Promise<string[]> {
  if (accounts.size === 0) return [];
  const [us, desk] = await Promise.all([at.serviceUser(signal), deskAmong(at, accounts, signal)]);
  return [...accounts].filter((account) => !desk.has(account) && account !== us.toLowerCase());
}
