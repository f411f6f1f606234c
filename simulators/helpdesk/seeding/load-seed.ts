import { readFileSync } from 'node:fs';
import { portalRoles } from '#helpdesk/access/permissions.ts';
import type { Generation } from '#helpdesk/api.ts';
import { applyCustomRows, copyStandardRows, customRows } from '#helpdesk/hooks/hooks.ts';
import { place } from '#helpdesk/site/place.ts';
import { childRows, documentsOf, type FakeSite, lookup } from '#helpdesk/site/site.ts';
import { type DocPerm, type DocType, permissionRow } from '#helpdesk/store/doctype.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import { hashName } from '#helpdesk/store/store.ts';
import type { HelpdeskDocument, HelpdeskSeed, HelpdeskUserSeed } from '#seed/types.ts';

/**
 * What a freshly installed Helpdesk has before anybody enters anything; a seed may replace each document. Frappe marks "All",
 * which everybody has, like a role of the desk. 1.28 comes with rights of the site's own to tickets, which not everybody
 * has, but whoever has a portal customer's role.
 */
const newSite = JSON.parse(readFileSync(new URL('new-site.json', import.meta.url), 'utf8')) as Partial<
  Record<Generation | 'everywhere', Record<string, Partial<HelpdeskDocument>[]>>
>;

/** Fills a new site: what each has, users, custom fields, the seed's documents, and the ties that the generation derives. */
export function loadSeed(site: FakeSite, seed: HelpdeskSeed): void {
  for (const part of ['everywhere', site.generation] as const) {
    for (const [doctype, documents] of Object.entries(newSite[part] ?? {}))
      for (const document of documents) place(site, doctype, { ...document, name: document.name ?? hashName() });
  }
  applyCustomRows(site, 'HD Ticket');
  giveAgentsContacts(site);
  for (const account of [...seed.users, administrator(seed)]) addAccount(site, account);
  const { DocType: doctypes = [], ...documents } = seed.documents;
  for (const document of doctypes) place(site, 'DocType', document);
  for (const [doctype, fields] of Object.entries(seed.customFields)) {
    for (const field of fields) addCustomField(site, doctype, field);
  }
  for (const [doctype, list] of Object.entries(documents)) {
    for (const document of list) place(site, doctype, document);
  }
  if (seed.closedContacts) {
    closeContacts(site);
    endRenames(site);
  }
  if (site.generation === '1.28') {
    protectFields(site, seed.protectedFields ?? {});
    tieMembers(site);
  } else tieContacts(site, documents['HD Customer'] ?? []);
  if (seed.closedShares) for (const doctype of ['HD Ticket', 'HD Customer']) closeShares(site, doctype);
}

/** What the installation of Helpdesk does to Contact: rows of the site's own, copies of Frappe's and two more (its setup/install.py). */
function giveAgentsContacts(site: FakeSite): void {
  const agents = [permissionRow('Agent', 'r'), permissionRow('Agent Manager', 'srwcd')];
  for (const row of [...site.metadata.get('Contact').permissions, ...agents])
    place(site, 'Custom DocPerm', { ...noRights, ...row, name: hashName(), parent: 'Contact', permlevel: 0 });
  applyCustomRows(site, 'Contact');
}

/** Otherwise the defaults of the fields count. */
const noRights = { read: 0, export: 0 };

/** Gives everybody's rights to change their own Contacts to the desk, as `provision` does. */
function closeContacts(site: FakeSite): void {
  const all = documentsOf(site, 'Custom DocPerm').find((row) => row.parent === 'Contact' && row.role === 'All');
  if (all === undefined) throw new Error('Nobody may change Contacts in the recording.');
  place(site, 'Custom DocPerm', { ...all, name: hashName(), role: 'Desk User' });
  place(site, 'Custom DocPerm', { ...all, write: 0, create: 0, delete: 0 });
  applyCustomRows(site, 'Contact');
}

/** Lets nobody rename an account, as `provision` does. */
function endRenames(site: FakeSite): void {
  const setter = { doctype_or_field: 'DocType', doc_type: 'User', property: 'allow_rename', value: '0' };
  place(site, 'Property Setter', { name: 'User-main-allow_rename', ...setter });
}

/** Takes the rights to share and to mail from website users, as `provision` does; who has them by All keeps them by a row of the desk's. */
function closeShares(site: FakeSite, doctype: string): void {
  const isOpen = (role: string) => role === 'All' || portalRoles.includes(role);
  if (!site.metadata.get(doctype).permissions.some(({ role, share }) => share === 1 && isOpen(role))) return;
  copyStandardRows(site, doctype);
  for (const row of customRows(site, doctype).filter(({ role, share }) => share === 1 && isOpen(String(role)))) {
    if (row.role === 'All') {
      const ofDesk = permissionRow('Desk User', 'rhe');
      place(site, 'Custom DocPerm', { ...ofDesk, export: 0, name: hashName(), parent: doctype, permlevel: 0 });
    }
    place(site, 'Custom DocPerm', { ...row, share: 0, email: 0 });
  }
  for (const row of customRows(site, doctype)) place(site, 'Custom DocPerm', { ...row, modified: longAgo });
  applyCustomRows(site, doctype);
}

/** When `provision` ran: before all that a seed tells of. */
const longAgo = '2020-01-01 00:00:00.000000';

function administrator(seed: HelpdeskSeed): HelpdeskUserSeed {
  const seeded = seed.users.find((user) => user.name === 'Administrator');
  if (seeded !== undefined) return seeded;
  const none = { password: '', apiKey: '', apiSecret: '' };
  return { name: 'Administrator', fullName: 'Administrator', ...none, roles: ['System Manager'], enabled: true };
}

function addAccount(site: FakeSite, account: HelpdeskUserSeed): void {
  site.accounts.set(account.name, account);
  place(site, 'User', {
    name: account.name,
    email: account.name,
    enabled: account.enabled ? 1 : 0,
    first_name: account.fullName,
    full_name: account.fullName,
    username: account.fullName.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_'),
    user_type: account.roles.length > 0 ? 'System User' : 'Website User',
    api_key: account.apiKey,
    api_secret: account.apiSecret,
    roles: account.roles.map((role) => ({ role })),
  });
}

function addCustomField(site: FakeSite, doctype: string, field: HelpdeskSeed['customFields'][string][number]): void {
  if (site.metadata.find(doctype) === undefined) site.metadata.define(customDoctype(doctype));
  site.metadata.addCustomField(doctype, field);
  place(site, 'Custom Field', { name: `${doctype}-${field.fieldname}`, dt: doctype, ...field });
}

/** Puts fields at level 1, and gives the roles of the desk there what they have at level 0. */
function protectFields(site: FakeSite, protectedFields: Record<string, readonly string[]>): void {
  for (const [doctype, names] of Object.entries(protectedFields)) {
    const meta = site.metadata.get(doctype);
    const present = meta.fields.filter(({ fieldname }) => names.includes(fieldname));
    if (present.length === 0) continue;
    const rows = [...meta.permissions, ...meta.permissions.filter((row) => isDesk(site, row.role)).map(atLevelOne)];
    for (const row of rows) place(site, 'Custom DocPerm', { ...row, name: hashName(), parent: doctype });
    applyCustomRows(site, doctype);
    for (const field of present) {
      site.metadata.changeCustomField(doctype, { ...field, permlevel: 1 }, meta.modified);
      const name = `${doctype}-${field.fieldname}`;
      place(site, 'Custom Field', { ...lookup(site, 'Custom Field', name), name, permlevel: 1 });
    }
  }
}

const isDesk = (site: FakeSite, role: string) =>
  role !== 'Administrator' && lookup(site, 'Role', role)?.desk_access === 1;

const atLevelOne = ({ role, read, write }: DocPerm): DocPerm => ({
  ...{ role, permlevel: 1 },
  ...(read === undefined ? {} : { read }),
  ...(write === undefined ? {} : { write }),
});

/** A DocType of the site's own, which a seed describes by its fields alone. */
function customDoctype(name: string): DocType {
  const rights = { 'System Manager': 'srwcd', 'Agent Manager': 'srwcd', Agent: 'sr' };
  const permissions = Object.entries(rights).map(([role, letters]) => permissionRow(role, letters));
  return { name, autoname: 'hash', issingle: 0, istable: 0, modified: longAgo, fields: [], permissions };
}

/**
 * 1.28 keeps membership on HD Customer; its migration filled it from the links of Contacts
 * (docs/helpdesk.md#contacts).
 */
function tieMembers(site: FakeSite): void {
  const customers = site.metadata.get('HD Customer');
  for (const customer of site.store.all(customers)) {
    if (childRows(customer, 'contacts').length > 0) continue;
    const members = documentsOf(site, 'Contact').filter((contact) => linksTo(contact, customer.name));
    place(site, 'HD Customer', { ...customer, contacts: members.map((contact) => ({ contact_name: contact.name })) });
  }
}

/** 1.24 keeps the link on the Contact; a seed that lists members on the customer still gets it. */
function tieContacts(site: FakeSite, customers: HelpdeskDocument[]): void {
  for (const customer of customers) {
    const members = Array.isArray(customer.contacts) ? (customer.contacts as Record<string, unknown>[]) : [];
    for (const member of members) {
      const contact = lookup(site, 'Contact', member.contact_name);
      if (contact === undefined || linksTo(contact, customer.name)) continue;
      const link = { link_doctype: 'HD Customer', link_name: customer.name, link_title: customer.name };
      place(site, 'Contact', { ...contact, links: [...childRows(contact, 'links'), link] });
    }
  }
}

function linksTo(contact: StoredDocument, customer: string): boolean {
  return childRows(contact, 'links').some((row) => row.link_doctype === 'HD Customer' && row.link_name === customer);
}
