import type { HelpdeskDocument, HelpdeskSeed, HelpdeskUserSeed } from '../seed/types.ts';
import { permissionRow } from './builtin-doctypes.ts';
import { leadingNumber } from './collation.ts';
import { fixtures } from './fixtures.ts';
import { type DocType, type Field, hasNumericNames, isTable, type PermissionRow } from './metadata.ts';
import { childRows, documentsOf, lookup, type Site } from './site.ts';
import { hiddenColumns, type StoredDocument, standardColumns } from './store.ts';
import { fieldDefaults } from './values.ts';

const keptColumns = new Set<string>([...standardColumns, ...hiddenColumns]);

/** Fills a new site: fixtures, users, custom fields, the seed's documents, and the ties that the generation derives. */
export function loadSeed(site: Site, seed: HelpdeskSeed): void {
  for (const [doctype, documents] of Object.entries(fixtures(site.generation))) {
    for (const document of documents) place(site, doctype, document);
  }
  for (const account of [...seed.users, administrator(seed)]) addAccount(site, account);
  const { DocType: doctypes = [], ...documents } = seed.documents;
  for (const document of doctypes) place(site, 'DocType', document);
  for (const [doctype, fields] of Object.entries(seed.customFields)) {
    for (const field of fields) addCustomField(site, doctype, field);
  }
  for (const [doctype, list] of Object.entries(documents)) {
    for (const document of list) place(site, doctype, document);
  }
  if (site.generation === '1.28') tieMembers(site);
  else tieContacts(site, documents['HD Customer'] ?? []);
}

/**
 * Stores a document without permissions, validation or hooks. Fields that the site does not have are left out, missing
 * standard columns filled; a DocType document also defines the DocType.
 */
export function place(site: Site, doctype: string, document: HelpdeskDocument): void {
  const meta = site.metadata.find(doctype);
  if (meta === undefined) return;
  const now = site.clock.now();
  const fields = new Set(meta.fields.map((field) => field.fieldname));
  const known = Object.entries(document).filter(([key]) => keptColumns.has(key) || fields.has(key));
  const stored: StoredDocument = {
    owner: 'Administrator',
    creation: document.modified ?? now,
    modified: document.creation ?? now,
    modified_by: document.owner ?? 'Administrator',
    docstatus: 0,
    idx: 0,
    ...fieldDefaults(meta, null),
    ...(meta.issingle ? site.store.find(meta, document.name) : undefined),
    ...Object.fromEntries(known),
    name: hasNumericNames(meta) ? String(leadingNumber(document.name)) : document.name,
  };
  if ('reference_name' in stored && stored.reference_name !== null) {
    stored.reference_name = referenceName(site, stored);
  }
  for (const field of meta.fields.filter(isTable)) placeRows(site, meta, stored, field);
  site.store.put(meta, stored);
  if (doctype === 'DocType') defineDoctype(site, stored);
}

/** References to numbered documents are kept as the number's text. */
function referenceName(site: Site, document: StoredDocument): string {
  const target = site.metadata.find(String(document.reference_type ?? document.reference_doctype ?? ''));
  const name = String(document.reference_name);
  return target !== undefined && hasNumericNames(target) ? String(leadingNumber(name)) : name;
}

function placeRows(site: Site, meta: DocType, parent: StoredDocument, field: Field): void {
  const standard = { owner: parent.owner, creation: parent.creation, modified: parent.modified, docstatus: 0 };
  parent[field.fieldname] = childRows(parent, field.fieldname).map((row, index) => ({
    ...standard,
    modified_by: parent.modified_by,
    ...row,
    name: String(row.name ?? site.store.childName(field.options ?? '')),
    idx: index + 1,
    parent: parent.name,
    parentfield: field.fieldname,
    parenttype: meta.name,
  }));
}

/** Makes the DocType that a stored DocType document describes. */
export function defineDoctype(site: Site, document: StoredDocument): void {
  site.metadata.define({
    name: document.name,
    autoname: (document.autoname as string | undefined) ?? null,
    issingle: Number(document.issingle ?? 0),
    istable: Number(document.istable ?? 0),
    modified: String(document.modified),
    fields: childRows(document, 'fields') as unknown as Field[],
    permissions: childRows(document, 'permissions') as unknown as PermissionRow[],
  });
}

function administrator(seed: HelpdeskSeed): HelpdeskUserSeed {
  const seeded = seed.users.find((user) => user.name === 'Administrator');
  if (seeded !== undefined) return seeded;
  const none = { password: '', apiKey: '', apiSecret: '' };
  return { name: 'Administrator', fullName: 'Administrator', ...none, roles: ['System Manager'], enabled: true };
}

function addAccount(site: Site, account: HelpdeskUserSeed): void {
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
    roles: account.roles.map((role) => ({ role })),
  });
}

function addCustomField(site: Site, doctype: string, field: HelpdeskSeed['customFields'][string][number]): void {
  if (site.metadata.find(doctype) === undefined) site.metadata.define(customDoctype(doctype));
  site.metadata.addCustomField(doctype, field);
  place(site, 'Custom Field', { name: `${doctype}-${field.fieldname}`, dt: doctype, ...field });
}

/** A DocType of the site's own, which a seed describes by its fields alone. */
function customDoctype(name: string): DocType {
  const permissions = [
    permissionRow('System Manager', 'srwcd'),
    permissionRow('Agent Manager', 'srwcd'),
    permissionRow('Agent', 'sr'),
  ];
  return {
    name,
    autoname: 'hash',
    issingle: 0,
    istable: 0,
    modified: '2024-12-08 00:00:00.000000',
    fields: [],
    permissions,
  };
}

/** 1.28 keeps membership on HD Customer; its migration filled it from the links of Contacts (facts/live.md section 7). */
function tieMembers(site: Site): void {
  const customers = site.metadata.get('HD Customer');
  for (const customer of site.store.all(customers)) {
    if (childRows(customer, 'contacts').length > 0) continue;
    const members = documentsOf(site, 'Contact').filter((contact) => linksTo(contact, customer.name));
    place(site, 'HD Customer', { ...customer, contacts: members.map((contact) => ({ contact_name: contact.name })) });
  }
}

/** 1.24 keeps the link on the Contact; a seed that lists members on the customer still gets it. */
function tieContacts(site: Site, customers: HelpdeskDocument[]): void {
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
