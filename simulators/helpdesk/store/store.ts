import { leadingNumber, textKey } from './comparison.ts';
import { type DocType, hasNumericNames, isTable } from './doctype.ts';
import type { DoctypeRegistry } from './metadata.ts';

/** A row of a child table. */
export type ChildRow = Record<string, unknown> & { name: string };
/** A document as stored: sparse, names always strings, child tables as arrays. */
export type StoredDocument = Record<string, unknown> & { name: string };

/** Columns that every document has besides its own fields. */
export const standardColumns = ['name', 'owner', 'creation', 'modified', 'modified_by', 'docstatus', 'idx'] as const;
/** Columns that only lists show. */
export const hiddenColumns = ['_user_tags', '_comments', '_assign', '_liked_by', '_seen'] as const;

/** The site's tables. What goes in is copied; what comes out is the stored object itself, to be read only. */
export class DocumentStore {
  private readonly tables = new Map<string, Map<string, StoredDocument>>();
  /** Documents in order, until one of their table changes: they are asked for far more often than that. */
  private readonly ordered = new Map<string, readonly StoredDocument[]>();
  private readonly metadata: DoctypeRegistry;
  private childNumber = 0;

  /** `like`: another site's tables to begin with. Documents are replaced and never changed, so both may hold the same. */
  constructor(metadata: DoctypeRegistry, like?: DocumentStore) {
    this.metadata = metadata;
    if (like === undefined) return;
    for (const [doctype, table] of like.tables) this.tables.set(doctype, new Map(table));
    this.childNumber = like.childNumber;
  }

  /** Finds by name, the way the database compares: numeric names coerce, others ignore case. */
  find(doctype: DocType, name: unknown): Readonly<StoredDocument> | undefined {
    return this.table(doctype.name).get(this.key(doctype, name));
  }

  exists(doctype: DocType, name: unknown): boolean {
    return this.table(doctype.name).has(this.key(doctype, name));
  }

  /** All documents in the order of their names, as lists without `order_by` come. */
  all(doctype: DocType): readonly StoredDocument[] {
    const known = this.ordered.get(doctype.name);
    if (known !== undefined) return known;
    const numeric = hasNumericNames(doctype);
    const entries = [...this.table(doctype.name)];
    entries.sort(([a], [b]) => (numeric ? Number(a) - Number(b) : a < b ? -1 : 1));
    const documents = entries.map(([, document]) => document);
    this.ordered.set(doctype.name, documents);
    return documents;
  }

  put(doctype: DocType, document: StoredDocument): void {
    const copy = structuredClone(document);
    for (const field of doctype.fields) {
      if (!isTable(field)) continue;
      const rows = copy[field.fieldname];
      if (Array.isArray(rows)) for (const row of rows as ChildRow[]) delete row.__unsaved;
    }
    this.table(doctype.name).set(this.key(doctype, copy.name), copy);
    this.ordered.delete(doctype.name);
  }

  remove(doctype: DocType, name: string): void {
    this.table(doctype.name).delete(this.key(doctype, name));
    this.ordered.delete(doctype.name);
  }

  /** A name for a new child row: a number where the child DocType counts, else random. */
  childName(doctype: string): string {
    const child = this.metadata.find(doctype);
    if (child === undefined || !hasNumericNames(child)) return hashName();
    this.childNumber += 1;
    return String(this.childNumber);
  }

  private key(doctype: DocType, name: unknown): string {
    return hasNumericNames(doctype) ? String(leadingNumber(name)) : textKey(name);
  }

  private table(doctype: string): Map<string, StoredDocument> {
    const known = this.tables.get(doctype);
    if (known !== undefined) return known;
    const created = new Map<string, StoredDocument>();
    this.tables.set(doctype, created);
    return created;
  }
}

const alphabet = '0123456789abcdefghijklmnopqrstuv';

/** Where random names come from: documents are listed in the order of their names. */
let random = () => Math.random();

/** Has the random names of all sites drawn from elsewhere, for whoever needs the same ones again. */
export function drawNamesFrom(source: () => number): void {
  random = source;
}

/** A random name of ten signs, as Frappe gives to child rows and ToDos. */
export function hashName(): string {
  return Array.from({ length: 10 }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
}

/** The next of a run of numbers, one above the highest that is there. */
export function nextNumber(names: Iterable<string>): number {
  let highest = 0;
  for (const name of names) highest = Math.max(highest, Math.floor(leadingNumber(name)));
  return highest + 1;
}

/** A series name (`.####`): at least four digits. */
export function seriesName(number: number): string {
  return String(number).padStart(4, '0');
}

/** The first of `name`, `name-1`, `name-2`, … that is free. */
export function freeName(name: string, taken: (candidate: string) => boolean): string {
  if (!taken(name)) return name;
  for (let count = 1; ; count += 1) {
    const candidate = `${name}-${count}`;
    if (!taken(candidate)) return candidate;
  }
}
