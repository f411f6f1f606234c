import * as z from 'zod';
import { automationsOnTickets, type HelpdeskAdmin } from '#helpdesk/admin.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { noAgent } from '#helpdesk/sight.ts';
import { scriptName } from '#setup/needs/before-insert-script.ts';
import { call } from '#setup/needs/need.ts';
import { type CheckInput, type Findings, fault, listed, ok, type Remark, warning } from '#setup/report.ts';

// What `doctor` checks of the helpdesk; read-only.

/** Whose key the service uses, according to the helpdesk. */
export interface ServiceUser {
  user: string;
  isAgent: boolean;
  isAdmin: boolean;
}

const User = z.object({ user_id: z.string(), is_agent: z.boolean(), is_admin: z.boolean() });
const Versions = z.record(z.string(), z.object({ version: z.string() }));
const Permission = z.object({ has_permission: z.boolean() });
const Names = z.array(z.object({ name: z.union([z.string(), z.int()]).transform(String) }));

/** Throws HelpdeskError. */
export async function whoIs({ service }: CheckInput): Promise<ServiceUser> {
  const { user_id, is_agent, is_admin } = await call(service, 'helpdesk.api.auth.get_user', {}, User);
  return { user: user_id, isAgent: is_agent, isAdmin: is_admin };
}

/** The oldest version that has been checked on a running site (docs/helpdesk.md). */
const [oldestMajor, oldestMinor] = [1, 24];

export async function version({ service }: CheckInput): Promise<Remark> {
  const { helpdesk } = await call(service, 'frappe.utils.change_log.get_versions', {}, Versions);
  if (helpdesk === undefined)
    return fault(
      'The server is not a Frappe Helpdesk. The app Helpdesk is not installed.',
      'Set HELPDESK_URL to the address of the site where the app Helpdesk is installed.',
    );
  const [major = 0, minor = 0] = helpdesk.version.replace(/^v/, '').split('.').map(Number);
  const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
  if (!isOld) return ok(`Frappe Helpdesk ${helpdesk.version} responds.`);
  const oldest = `${oldestMajor}.${oldestMinor}, the oldest version that Deskside supports`;
  return warning(`Helpdesk ${helpdesk.version} is older than ${oldest}.`, 'Update Helpdesk.');
}

/** Whether the service account's rights suffice, and no more (docs/helpdesk.md#permissions). */
export async function* serviceAccount({ service }: CheckInput, { user, isAgent, isAdmin }: ServiceUser): Findings {
  if (!isAgent) return { level: 'fault', ...noAgent(user) };
  if (isAdmin)
    yield warning(
      `${user} is an administrator; the proxy does not need that.`,
      'Remove its role System Manager; only "deskside provision" and "deskside doctor" need such a key, for a single run.',
    );
  const [partial, writesCustomers] = await Promise.all([service.whyPartial(), mayWriteCustomers(service)]);
  if (partial !== null) yield { level: 'fault', ...partial };
  if (!writesCustomers)
    yield fault(
      `${user} may not create or write customers (HD Customer), so nothing can be linked or enriched.`,
      `Give ${user} the role Agent Manager.`,
    );
  return ok(`${user} is an agent and has the permissions it needs.`);
}

/** Whether the service account may write the first customer, and create one; where there is none, nobody can be asked. */
async function mayWriteCustomers(service: HelpdeskAdmin): Promise<boolean> {
  const doctype = 'HD Customer';
  try {
    const some = { doctype, fields: '["name"]', limit_page_length: '1' };
    const [first] = await call(service, 'frappe.client.get_list', some, Names);
    if (first === undefined) return true;
    const asked = ['write', 'create'].map((perm_type) => ({ doctype, docname: first.name, perm_type }));
    const given = await Promise.all(
      asked.map((args) => call(service, 'frappe.client.has_permission', args, Permission)),
    );
    return given.every(({ has_permission }) => has_permission);
  } catch (error) {
    if (error instanceof HelpdeskError && error.kind === 'forbidden') return false;
    throw error;
  }
}

/** What else gives tickets a group or an agent: it stays as it is set, whoever set it. */
export async function automations(admin: HelpdeskAdmin): Promise<Remark> {
  const routing = (await automationsOnTickets(admin)).filter(
    ({ kind, routes, name }) => routes && kind !== 'Assignment Rule' && name !== scriptName,
  );
  if (routing.length === 0) return ok('Nothing else of the site routes tickets.');
  const names = listed(routing.map(({ kind, name }) => `${kind} "${name}"`));
  return ok(`Tickets are given a group or an agent by ${names} as well; what they set stays.`);
}
