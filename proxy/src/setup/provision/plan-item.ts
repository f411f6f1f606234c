import type { Secret } from '#runtime/secret.ts';
import type { Browser, FieldedDoctype } from '#setup/desired-state.ts';
import type { RowChange } from '#setup/permission-rows.ts';
import type { RowsNote } from '#setup/rows-note.ts';

/** What a run writes into the files of settings and of rules. */
export type KeptSetting = 'HELPDESK_WEBHOOK_SECRET' | 'OAUTH_CLIENT_IDS' | 'claims' | 'teams';

/** One write to the helpdesk, or to our own settings. `protects`: makes sense only once this DocType's rows of permissions are in place. */
export type Step =
  | { kind: 'create'; doctype: string; document: object; protects?: FieldedDoctype | undefined }
  | { kind: 'update'; doctype: string; name: string; changes: object; protects?: FieldedDoctype }
  | { kind: 'role_row'; doctype: FieldedDoctype; role: string; add: boolean; rights: readonly string[] }
  /** Notes in the helpdesk how the rows of permissions are that this run changes. `name`: of the note that is there. */
  | { kind: 'rows_note'; doctype: string; name: string | null; note: RowsNote }
  /** Brings a row of permissions from one state to another; `needsNote`: only where the note has been written. */
  | { kind: 'row'; doctype: string; change: RowChange; needsNote?: true }
  | { kind: 'script'; exists: boolean; publicUrl: string; secret: string }
  | { kind: 'clear_trials' }
  /** Deletes documents, with the copies that the helpdesk keeps of them. */
  | { kind: 'erase'; doctype: string; names: readonly string[] }
  | { kind: 'setting'; name: KeptSetting; value: string | Secret }
  /** Keeps the ids of the clients that are known, and of those that this run makes. */
  | { kind: 'client_ids'; known: Partial<Record<Browser, string>> }
  /** What a command adds of its own: returns something worth telling, or null. */
  | { kind: 'own'; take: () => Promise<string | null> };

export interface PlanItem {
  /** Such as `HD Ticket.custom_orgid` or `Webhook "…"`. */
  what: string;
  /**
   * `conflict`: left as it is although it does not fit; the detail says what to do. `unseen`: only a System Manager's key shows
   * it.
   */
  state: 'exists' | 'create' | 'change' | 'delete' | 'conflict' | 'unseen';
  detail: string;
  /** Null if it exists or is left as it is. */
  step: Step | null;
  /** For an OAuth client: its use, and its id if it exists. */
  client?: { use: Browser; id: string | null };
}

/** Something of which this key shows nothing. */
export const unseenItem = (what: string): PlanItem => ({
  what,
  state: 'unseen',
  step: null,
  detail: "a System Manager's key shows it",
});

export interface Plan {
  items: PlanItem[];
  /** What the operator should know before agreeing. */
  warnings: string[];
}

/** The items that change something. */
export const changesOf = (plan: Plan) =>
  plan.items.filter((item): item is PlanItem & { step: Step } => item.step !== null);
