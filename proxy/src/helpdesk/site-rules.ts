import type { AdminDocument, HelpdeskAdmin } from './admin.ts';
import { HelpdeskError } from './errors.ts';
import type { SiteField } from './values.ts';

// What a site has set up of its own that gets in the way of our writes, for `doctor`. Nothing here writes.

/** What Deskside gives a new customer in any case. */
const givenToCustomers: ReadonlySet<string> = new Set(['customer_name']);

/** Labels of the fields without which the helpdesk takes no customer, and that Deskside does not fill. */
export function neededByCustomers(fields: Iterable<Pick<SiteField, 'fieldname' | 'label' | 'required' | 'default'>>) {
  return [...fields]
    .filter((field) => field.required && field.default === '' && !givenToCustomers.has(field.fieldname))
    .map(({ fieldname, label }) => label || fieldname);
}

/** Something of the site's that changes tickets by itself. */
export interface Automation {
  /** In the helpdesk's words. */
  kind: 'Automation Flow' | 'Assignment Rule' | 'Server Script';
  name: string;
  /** Whether its text names the group, or it assigns. */
  routes: boolean;
}

const kinds = ['Automation Flow', 'Assignment Rule', 'Server Script'] as const;
const assigns = /agent_group|AssignToUser|assign_to/;

/**
 * What is enabled on this site and works on tickets: flows of the automation engine (frappe/frappe#41976, which no release
 * here has), native assignment rules, server scripts. A kind that the site does not have, or does not show, has none.
 * Throws HelpdeskError.
 */
export async function automationsOnTickets(
  helpdesk: Pick<HelpdeskAdmin, 'list'>,
  signal: AbortSignal,
): Promise<Automation[]> {
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const rows = await helpdesk.list(kind, { fields: ['*'], filters: [] }, signal).catch(noneIfAbsent);
      return rows.filter(isOnTickets).map((row) => ({
        kind,
        name: row.name,
        routes: kind === 'Assignment Rule' || assigns.test(JSON.stringify(row)),
      }));
    }),
  );
  return found.flat();
}

/** The engine's fields are not released: whichever of them names the DocType counts. */
function isOnTickets(row: AdminDocument): boolean {
  const isOff = row.disabled === 1 || row.enabled === 0;
  return !isOff && Object.values(row).includes('HD Ticket');
}

function noneIfAbsent(error: unknown): AdminDocument[] {
  const isAbsent =
    error instanceof HelpdeskError &&
    (['not_found', 'forbidden', 'rejected'].includes(error.kind) || error.excType === 'ImportError');
  if (isAbsent) return [];
  throw error;
}
