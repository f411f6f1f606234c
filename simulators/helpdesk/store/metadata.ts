import { readFileSync } from 'node:fs';
import type { Generation } from '#helpdesk/api.ts';
import { missingModule, notFound } from '#helpdesk/errors.ts';
import type { DocPerm, DocType, Field } from './doctype.ts';

type RecordedDoctypes = Record<string, Omit<DocType, 'name' | 'modified'>>;

/** Read once: tests start many sites. */
const ofNewSite = new Map<Generation, readonly DocType[]>();

/**
 * The recorded DocTypes, and those of the framework that the recordings do not list, cut down to what callers can notice
 * (on Website Settings Helpdesk's setup/install.py gives System Manager a row).
 */
function readDoctypes(generation: Generation): DocType[] {
  const definitions = {
    ...readJson('framework-doctypes.json'),
    ...readJson(`../../recordings/helpdesk-${generation}/doctypes.json`),
  };
  return Object.entries(definitions).map(([name, definition]) => ({
    ...definition,
    name,
    modified: '2024-12-08 00:00:52.219212',
    fields: definition.fields.filter((field) => !field.fieldname.startsWith('custom_')),
    permissions: definition.permissions.filter(
      (row) =>
        // Level 1 rows came from an experiment of the recording; a site has none until somebody adds them.
        (row.permlevel ?? 0) === 0 &&
        // Helpdesk's own installation gives the agents theirs on Frappe's Contact (load-seed.ts).
        !(name === 'Contact' && row.role.startsWith('Agent')),
    ),
  }));
}

function readJson(path: string): RecordedDoctypes {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as RecordedDoctypes;
}

/** Field lists and permission rows of the site: recorded ones, those of the framework, and custom fields. */
export class DoctypeRegistry {
  private readonly doctypes = new Map<string, DocType>();
  /** Permission rows as they were defined, by DocType, where others count now. */
  private readonly standardPermissions = new Map<string, DocPerm[]>();

  /** `like`: another site's, of which this one gets its own copy. */
  constructor(generation: Generation, like?: DoctypeRegistry) {
    if (like !== undefined) {
      for (const doctype of like.doctypes.values()) this.define(doctype);
      for (const [name, rows] of like.standardPermissions) this.standardPermissions.set(name, rows);
      return;
    }
    const doctypes = ofNewSite.get(generation) ?? readDoctypes(generation);
    ofNewSite.set(generation, doctypes);
    for (const doctype of doctypes) this.define(doctype);
  }

  define(doctype: DocType): void {
    this.standardPermissions.delete(doctype.name);
    this.doctypes.set(doctype.name, { ...doctype, fields: [...doctype.fields], permissions: [...doctype.permissions] });
  }

  find(name: string): DocType | undefined {
    return this.doctypes.get(name);
  }

  all(): DocType[] {
    return [...this.doctypes.values()];
  }

  /** For document calls: a missing DocType is a missing Python module there, status 500. */
  get(name: string): DocType {
    const doctype = this.find(name);
    if (doctype === undefined) throw missingModule(name);
    return doctype;
  }

  /** For lists and the meta call, where a missing DocType is an ordinary 404. */
  list(name: string): DocType {
    const doctype = this.find(name);
    if (doctype === undefined) throw notFound('DocType', name);
    return doctype;
  }

  field(doctype: DocType, fieldname: string): Field | undefined {
    return doctype.fields.find((field) => field.fieldname === fieldname);
  }

  addCustomField(doctype: string, field: Field, after?: string, modified?: string): void {
    const target = this.get(doctype);
    const position = target.fields.findIndex((known) => known.fieldname === (after ?? 'customer'));
    const custom = { ...field, is_custom_field: 1 };
    if (position < 0) target.fields.push(custom);
    else target.fields.splice(position + 1, 0, custom);
    if (modified !== undefined) target.modified = modified;
  }

  changeCustomField(doctype: string, field: Field, modified: string): void {
    const target = this.get(doctype);
    target.fields = target.fields.map((known) =>
      known.fieldname === field.fieldname ? { ...field, is_custom_field: 1 } : known,
    );
    target.modified = modified;
  }

  removeCustomField(doctype: string, fieldname: string, modified: string): void {
    const target = this.get(doctype);
    target.fields = target.fields.filter((known) => known.fieldname !== fieldname);
    target.modified = modified;
  }

  /** The rows that the DocType came with. */
  standardRows(doctype: string): DocPerm[] {
    return this.standardPermissions.get(doctype) ?? this.get(doctype).permissions;
  }

  /** Lets other permission rows count than those that the DocType came with; null brings these back. */
  replacePermissions(doctype: string, rows: DocPerm[] | null): void {
    const target = this.find(doctype);
    if (target === undefined) return;
    const standard = this.standardPermissions.get(doctype) ?? target.permissions;
    this.standardPermissions.set(doctype, standard);
    target.permissions = [...(rows ?? standard)];
  }
}
