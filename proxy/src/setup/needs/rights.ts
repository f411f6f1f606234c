import * as z from 'zod';
import { type AdminDoctype, type HelpdeskAdmin, isOn, textOf } from '#helpdesk/admin.ts';
import {
  closeToWebsite,
  describeRow,
  hiddenRows,
  openLevel1ToDesk,
  openWebsiteRoles,
  type RowChange,
  takenRights,
  websiteRolesThatSet,
} from '#helpdesk/permissions.ts';
import type { Item } from '#setup/items.ts';
import { type CheckInput, type Findings, fault, listed, ok, warning } from '#setup/report.ts';
import { openRenames } from './accounts.ts';
import { compareFields, fieldItems } from './fields.ts';
import { call, type ProvisionRun } from './need.ts';
import { changedDoctypes, changeRow, type Note, nameOf, readNote, withFirst, writeNote } from './rights-note.ts';

// Custom fields and role permissions of HD Ticket, HD Customer and Contact. Website users are kept from changing which company an
// HD Customer is (decision 19: public tickets), from creating, writing and deleting Contacts, and from sharing and mailing tickets
// and customers (decision 8: desk rights).

type ChangedDoctype = (typeof changedDoctypes)[number];

/** Roles that make whoever has them a system user. */
async function deskRolesOf(admin: HelpdeskAdmin): Promise<Set<string>> {
  const roles = await admin.list('Role', { fields: ['name'], filters: [['desk_access', '=', 1]] });
  return new Set(roles.map(({ name }) => name));
}

/** Fields of HD Customer that identify its company: setting one of them is enough to pass for that company. */
const identifyingFields = ['custom_platform_orgid', 'custom_crm_company_id', 'custom_crm_company_url'] as const;

/** Those that website users may set, and by which roles. A field that is yet to be made counts as one at level 0. */
function openIdentity({ fields, permissions }: AdminDoctype, deskRoles: ReadonlySet<string>) {
  return identifyingFields.flatMap((field) => {
    const level = fields.get(field)?.permlevel ?? 0;
    const roles = websiteRolesThatSet(permissions, level, deskRoles);
    return roles.length > 0 ? [{ field, level, roles }] : [];
  });
}

/** What comes of the rights that website users should not have. */
const whyTaken = {
  Contact:
    'create, write or delete Contacts: whoever makes one with the address of somebody else reads the tickets of that person.',
  'HD Ticket':
    'share any HD Ticket that they read, or mail it: whoever has the share, or the link in the mail, goes on reading it, whoever it belongs to later.',
  'HD Customer':
    'share any HD Customer that they read, or mail it: whoever has the share, or the link in the mail, goes on reading it, whoever it belongs to later.',
} as const satisfies Record<ChangedDoctype, string>;

/** What website users may do at a DocType that they should not, as sentences. */
function openToWebsite(doctype: ChangedDoctype, site: AdminDoctype, deskRoles: ReadonlySet<string>): string[] {
  const roles = openWebsiteRoles(doctype, site.permissions, deskRoles);
  const open = doctype === 'HD Customer' ? openIdentity(site, deskRoles) : [];
  const ofIdentity = listed([...new Set(open.flatMap((one) => one.roles))]);
  return [
    ...(open.length === 0
      ? []
      : [
          `Portal customers with the role ${ofIdentity} may change ${listed(open.map(({ field }) => field))} of HD Customer, and so pass for another company.`,
        ]),
    ...(roles.length === 0 ? [] : [`Website users (${listed(roles)}) may ${whyTaken[doctype]}`]),
  ];
}

/** A role that already has level 1 keeps it, and `doctor` reports it. */
export async function planDoctypes(run: ProvisionRun): Promise<Item[]> {
  const deskRoles = await deskRolesOf(run.admin);
  const items: Item[] = [];
  for (const doctype of changedDoctypes) items.push(...(await doctypeItems(run, doctype, deskRoles)));
  return items;
}

/** The note first: what cannot be noted is not changed. Then the rows, without which the desk could not see a closed field. */
async function doctypeItems(
  run: ProvisionRun,
  doctype: ChangedDoctype,
  deskRoles: ReadonlySet<string>,
): Promise<Item[]> {
  const { admin } = run;
  const [found, { inForce, areOwn, standard }, known] = await Promise.all([
    admin.doctype(doctype),
    admin.roleRows(doctype),
    readNote(admin, doctype),
  ]);
  const site = { fields: found?.fields ?? new Map(), permissions: inForce, isRenamable: false };
  const open = doctype === 'HD Customer' ? openIdentity(site, deskRoles).filter(({ level }) => level === 0) : [];
  const levels = open.length === 0 ? [] : openLevel1ToDesk(inForce, deskRoles);
  const rows = [...levels, ...closeToWebsite(doctype, inForce, deskRoles)];
  const closed = new Set<string>(open.map(({ field }) => field));
  const compared = doctype === 'Contact' ? [] : compareFields(doctype, site);
  const missing = compared.flatMap((field) => (field.found ? [] : field.desired.fieldname));
  const before = known?.note ?? { had_own_rows: areOwn, rows: [], fields: [], levels: [] };
  const note: Note = {
    standard,
    ...before,
    rows: withFirst(before.rows, rows),
    fields: [...new Set([...before.fields, ...missing])],
    levels: [...new Set([...before.levels, ...[...closed].filter((name) => !missing.includes(name))])],
  };
  const noting: Item = {
    what: `Note of what is changed at ${doctype}`,
    state: known === null ? 'create' : 'change',
    detail: 'a comment on the DocType, for --remove',
    make: () => writeNote(admin, doctype, { name: known?.name ?? null, note }),
  };
  const noted = { items: [noting], why: 'how it was could not be noted' };
  const rowItems = rows.map((change) => ({ ...rowItem(run, doctype, change), needs: noted }));
  if (rowItems[0]) rowItems[0].warning = warningOf(doctype, openToWebsite(doctype, site, deskRoles), areOwn);
  const whyRows = 'agents could not see the field while a row of permissions is missing';
  const whole = { items: [noting, ...rowItems], why: whyRows };
  const ofFields = doctype === 'Contact' ? [] : fieldItems(run, doctype, compared, closed);
  const fieldsInTurn = ofFields.map((item, index) => {
    const isClosed = closed.has(compared[index]?.desired.fieldname ?? '');
    return item.make ? { ...item, needs: isClosed ? whole : noted } : item;
  });
  const onlyTheDesk = `only the desk may ${takenRights[doctype].join(', ')}`;
  const asItIs: Item = { what: `${doctype} role permissions`, state: 'exists', detail: onlyTheDesk };
  const changes = [...(rows.length === 0 ? [asItIs] : rowItems), ...fieldsInTurn];
  return changes.some(({ make }) => make) ? [noting, ...changes] : changes;
}

function rowItem({ admin }: ProvisionRun, doctype: ChangedDoctype, change: RowChange): Item {
  const state = change.before === null ? 'create' : change.after === null ? 'delete' : 'change';
  const detail = `${describeRow(change.before)} becomes ${describeRow(change.after)}`;
  return { what: nameOf(doctype, change), state, detail, make: () => changeRow(admin, doctype, change) };
}

/** What is taken from website users, and the cost of the first row of a DocType's own. */
function warningOf(doctype: ChangedDoctype, open: readonly string[], areOwn: boolean): string {
  const cost = ` This gives ${doctype} role permissions of its own (Custom DocPerm): from then on, updates of Helpdesk no longer change the permissions of ${doctype} on this site.`;
  return `${open.join(' ')} Only the desk may do so from now on. What is there already stays: "deskside doctor" lists it.${areOwn ? '' : cost}`;
}

/** What undoes each of these. */
const closing =
  'Run "deskside provision", which leaves that to the desk and notes how it was; what is open even then, close in the helpdesk (Role Permissions Manager).';

/** Whether senders can make the Contacts by which the helpdesk shows them tickets, or pass for others. */
export async function* checkContacts({ service }: CheckInput): Findings {
  const [desk, contact, theirs, user] = await Promise.all([
    deskRolesOf(service),
    service.doctype('Contact'),
    contactsOfWebsiteUsers(service),
    service.doctype('User'),
  ]);
  if (contact) for (const text of openToWebsite('Contact', contact, desk)) yield fault(text, closing);
  if (user?.isRenamable) yield fault(openRenames, 'Run "deskside provision", which has nobody rename a User.');
  const owner = encodeURIComponent(theirs[0]?.owner ?? '');
  if (theirs.length > 0)
    yield warning(
      `Website users own Contacts, with whatever address they gave: ${listed(theirs.map((one) => `${one.name} (of ${one.owner})`))}.`,
      `Look at each in the helpdesk (/app/contact?owner=${owner}, then the same for each other owner), and delete what holds an address or a customer that is not its owner’s: provisioning takes nothing away.`,
    );
  return ok('Only desk users may create, write and delete Contacts, and nobody renames accounts.');
}

const Owners = z.array(z.object({ owner: z.string() }));

/** So many owners fit into the address of a request. */
const atOnce = 50;

async function contactsOfWebsiteUsers(service: HelpdeskAdmin): Promise<{ name: string; owner: string }[]> {
  const distinct = { doctype: 'Contact', fields: '["owner"]', group_by: 'owner', limit_page_length: '0' };
  const [owners, desk] = await Promise.all([
    call(service, 'frappe.client.get_list', distinct, Owners),
    service.list('User', { fields: ['name'], filters: [['user_type', '=', 'System User']] }),
  ]);
  // Guest owns what signing up makes; nobody can sign in as Guest, and so change it.
  const others = new Set(['Administrator', 'Guest', ...desk.map(({ name }) => name)]);
  const website = owners.map(({ owner }) => owner).filter((owner) => !others.has(owner));
  const found: { name: string; owner: string }[] = [];
  for (let start = 0; start < website.length; start += atOnce) {
    const filters = [['owner', 'in', website.slice(start, start + atOnce)]] as const;
    const rows = await service.list('Contact', { fields: ['name', 'owner'], filters });
    found.push(...rows.map(({ name, owner }) => ({ name, owner: textOf(owner) })));
  }
  return found;
}

/** Whether senders can set which company a customer is, or share it or a ticket. */
export async function* checkCustomers({ service }: CheckInput): Findings {
  const desk = await deskRolesOf(service);
  for (const doctype of ['HD Ticket', 'HD Customer'] as const) {
    const site = await service.doctype(doctype);
    if (site) for (const text of openToWebsite(doctype, site, desk)) yield fault(text, closing);
  }
  return ok('Only desk users can set which company an HD Customer is, and share or mail tickets and customers.');
}

/** What website users have been given beside their roles, and what an update of the helpdesk has changed of these in vain. */
export async function* checkShares(admin: HelpdeskAdmin): Findings {
  const hidden = await rowsHiddenByOwn(admin);
  if (hidden.length > 0)
    yield warning(
      `An update of Helpdesk has changed role permissions that this site has its own for, so they are not in force: ${hidden.join('; ')}.`,
      'Compare them in the helpdesk (Role Permissions Manager), give the roles what the update meant for them, then run "deskside provision".',
    );
  const shares = await sharesOfWebsiteUsers(admin);
  if (shares.length > 0)
    yield warning(
      `Tickets and customers are shared with website users, who read them whoever they belong to: ${listed(shares)}.`,
      'Look at each in the helpdesk (/app/docshare), and delete what nobody of the desk has given: provisioning takes nothing away.',
    );
  return ok('Nothing is shared with website users.');
}

/** What a release has changed since `provision`, and the site's own rows hide (docs/helpdesk.md#permission-levels). */
export async function rowsHiddenByOwn(admin: HelpdeskAdmin): Promise<string[]> {
  const deskRoles = await deskRolesOf(admin);
  const ofDoctypes = await Promise.all(
    changedDoctypes.map(async (doctype) => {
      const noted = (await readNote(admin, doctype))?.note?.standard;
      const { inForce, areOwn, standard } = await admin.roleRows(doctype);
      const hidden = noted && areOwn ? hiddenRows(doctype, { noted, standard, inForce }, deskRoles) : [];
      return hidden.map((change) => describeChange(doctype, change));
    }),
  );
  return ofDoctypes.flat();
}

const describeChange = (doctype: string, change: RowChange) =>
  `${nameOf(doctype, change)}: ${describeRow(change.before)} became ${describeRow(change.after)}`;

async function sharesOfWebsiteUsers(admin: HelpdeskAdmin): Promise<string[]> {
  const [shares, desk] = await Promise.all([
    admin.list('DocShare', {
      fields: ['name', 'user', 'everyone', 'share_doctype', 'share_name'],
      filters: [['share_doctype', 'in', ['HD Ticket', 'HD Customer']]],
    }),
    admin.list('User', { fields: ['name'], filters: [['user_type', '=', 'System User']] }),
  ]);
  const ofDesk = new Set(desk.map(({ name }) => name));
  return shares.flatMap(({ user, everyone, share_doctype, share_name }) => {
    const holder = isOn(everyone) ? 'everyone' : textOf(user);
    return ofDesk.has(holder) ? [] : [`${textOf(share_doctype)} ${String(share_name)} (with ${holder})`];
  });
}
