/** One value on screen. `key`: the same for this value in every profile. `text`: null is not shown. */
export interface Part {
  key: string;
  text: string | null;
  href?: string | null | undefined;
  tone?: 'muted' | 'warn';
  /** Whether it can be copied with one click. */
  copies?: boolean;
  /** Whether it can be inserted into a reply, where it may go to the sender. */
  inserts?: boolean;
}
export interface Row {
  label: string;
  parts: Part[];
}
/** `folded`: collapsed at first. */
export interface RowGroup {
  id: string;
  title: string;
  rows: Row[];
  folded?: boolean;
}

/** What changed: maps the key of a value to its previous text, null if it had none. */
export type Changes = ReadonlyMap<string, string | null>;

export const noChanges: Changes = new Map();
