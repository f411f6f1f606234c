import type { HelpdeskInProcess } from '@deskside/simulators/helpdesk/simulator';
import { customField, mailOf, staff } from './desk-seed.ts';

/** What an administrator changes about a desk: who may do what, and which fields there are. */
export function deskRights({ simulator, site }: Pick<HelpdeskInProcess, 'simulator' | 'site'>) {
  const demote = (user: string) => simulator.setRoles(user, ['Agent']);
  return {
    /** Makes somebody an ordinary agent, who may read customers and not write them. */
    demote,
    /** Gives somebody these roles and no others. */
    employ: (user: string, roles: string[]) => simulator.setRoles(user, roles),
    /** Says what people of the desk may do with documents of this kind: they are ordinary agents from now on. */
    agentsMay(doctype: string, may: { read?: boolean; write?: boolean }) {
      for (const id of staff) demote(mailOf(id));
      const flags = Object.fromEntries(Object.entries(may).map(([action, is]) => [action, is ? 1 : 0]));
      const rows = site.metadata.get(doctype).permissions;
      const changed = rows.map((row) => (row.role === 'Agent' ? { ...row, ...flags } : row));
      site.metadata.replacePermissions(doctype, changed);
    },
    /** Lets everybody write documents of this kind, whichever their fields. */
    openToAll(doctype: string) {
      const row = { role: 'All', read: 1, write: 1, create: 1 };
      const rows = site.metadata.get(doctype).permissions;
      site.metadata.replacePermissions(doctype, [...rows, { ...row, permlevel: 0 }, { ...row, permlevel: 1 }]);
    },
    /** Whether website users are kept from setting a customer's field. */
    protect(fieldname: string, isProtected: boolean) {
      const customers = site.metadata.get('HD Customer');
      const known = site.metadata.field(customers, fieldname);
      if (known === undefined) throw new Error(`Customers have no ${fieldname}.`);
      site.metadata.changeCustomField('HD Customer', { ...known, permlevel: isProtected ? 1 : 0 }, customers.modified);
    },
    /** The rows by which only the desk shares tickets are of this very moment: `provision` has just changed them. */
    endSharing() {
      const rows = site.metadata.get('HD Ticket').permissions;
      const modified = site.clock.now();
      site.metadata.replacePermissions(
        'HD Ticket',
        rows.map((row) => ({ ...row, modified })),
      );
    },
    /** Website users may share what they read, as they may before `provision`. */
    openSharing() {
      const rows = site.metadata.get('HD Ticket').permissions;
      site.metadata.replacePermissions('HD Ticket', [...rows, { role: 'All', read: 1, share: 1, if_owner: 1 }]);
    },
    /** The service's account may read customers, and not write them. */
    closeCustomers() {
      const rows = site.metadata.get('HD Customer').permissions;
      const closed = rows.map((row) => (row.role === 'Agent Manager' ? { ...row, write: 0, create: 0 } : row));
      site.metadata.replacePermissions('HD Customer', closed);
    },
    /** The site has a field with a rule of its own. */
    addRule: (doctype: string, rule: { reqd?: 1; unique?: 1 }) =>
      site.metadata.addCustomField(doctype, { ...customField('custom_industry'), label: 'Industry', ...rule }),
    /** The site has these fields as well, for texts. */
    addFields(doctype: string, ...fieldnames: string[]) {
      for (const fieldname of fieldnames) site.metadata.addCustomField(doctype, customField(fieldname));
    },
    /** The site has no such fields. */
    removeFields(doctype: string, ...fieldnames: string[]) {
      const { modified } = site.metadata.get(doctype);
      for (const fieldname of fieldnames) site.metadata.removeCustomField(doctype, fieldname, modified);
    },
  };
}
