import * as z from 'zod';
import { HelpdeskError } from './errors.ts';
import { DocumentName, type Frappe, readDoctypeFields } from './frappe.ts';
import { whoIs } from './people.ts';
import { textOf } from './text.ts';

// Whether an account sees all tickets: the helpdesk leaves the others out of every list without a word.

const Permissions = z.object({
  message: z.record(z.string(), z.array(z.looseObject({ applicable_for: z.string().nullish() }))),
});
const HelpdeskSettings = z.looseObject({ restrict_tickets_by_agent_group: z.unknown() });
const TeamRow = z.object({ name: DocumentName });
const TeamDocument = z.looseObject({
  disabled: z.unknown(),
  users: z.array(z.looseObject({ user: z.string().nullish() })).default([]),
});

/** What is wrong with an account, and what to do about it, as sentences. */
interface Trouble {
  text: string;
  todo: string;
}

export const noAgent = (user: string): Trouble => ({
  text: `${user} is not an agent, so the helpdesk shows it no tickets.`,
  todo: `Give ${user} the roles Agent and Agent Manager; System Manager alone is not an agent.`,
});

/** For whoever lists tickets to say that there are no others. Throws `forbidden` unless the account sees all; HelpdeskError. */
export async function requireWholeSight(account: Frappe, signal: AbortSignal): Promise<void> {
  const trouble = await whyPartial(account, signal);
  if (trouble !== null) throw new HelpdeskError('forbidden', `${trouble.text} ${trouble.todo}`);
}

/** Why the account may not see some tickets; null if it sees them all. Throws HelpdeskError. */
export async function whyPartial(account: Frappe, signal: AbortSignal): Promise<Trouble | null> {
  const { user_id: user, is_agent: isAgent } = await whoIs(account, signal);
  if (!isAgent) return noAgent(user);
  const [narrowed, isRestricted] = await Promise.all([
    narrowedBy(account, signal),
    isKeptToTeams(account, user, signal),
  ]);
  if (narrowed.length > 0)
    return {
      text: `${user} has User Permissions for ${narrowed.join(', ')}, by which the helpdesk hides other tickets from it.`,
      todo: 'Delete them in the helpdesk (/app/user-permission).',
    };
  if (!isRestricted) return null;
  return {
    text: `Tickets are restricted to their teams, and ${user} is in no team that is exempt: it cannot see the others.`,
    todo: `Put ${user} into a team of its own with "Ignore restrictions".`,
  };
}

/** The DocTypes that tickets link to, or tickets themselves, of which the account may see only some (run on 1.28.1). */
async function narrowedBy(account: Frappe, signal: AbortSignal): Promise<string[]> {
  const method = 'frappe.core.doctype.user_permission.user_permission.get_user_permissions';
  const { message } = await account.call(method, {}, Permissions, signal);
  const applying = Object.entries(message).filter(([, rows]) =>
    rows.some(({ applicable_for: of }) => !of || of === 'HD Ticket'),
  );
  if (applying.length === 0) return [];
  const fields = [...(await readDoctypeFields(account, 'HD Ticket', signal)).values()];
  const linked = new Set(fields.filter(({ fieldtype }) => fieldtype === 'Link').map(({ options }) => options));
  return applying.map(([doctype]) => doctype).filter((doctype) => doctype === 'HD Ticket' || linked.has(doctype));
}

/** Whether tickets are shown to their teams alone, and the account is in none that sees them all. */
async function isKeptToTeams(account: Frappe, user: string, signal: AbortSignal): Promise<boolean> {
  const filters = [['ignore_restrictions', '=', 1]];
  const [settings, exempt] = await Promise.all([
    account.get('HD Settings', 'HD Settings', HelpdeskSettings, signal),
    account.list('HD Team', { fields: ['name'], filters, limit: 0 }, TeamRow, signal),
  ]);
  if (Number(settings.restrict_tickets_by_agent_group ?? 0) !== 1) return false;
  const teams = await Promise.all(exempt.map(({ name }) => account.get('HD Team', name, TeamDocument, signal)));
  return !teams.some(
    ({ disabled, users }) => Number(disabled ?? 0) !== 1 && users.some((row) => textOf(row.user) === user),
  );
}
