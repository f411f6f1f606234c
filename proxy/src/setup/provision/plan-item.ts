import type { FieldedDoctype, OAuthUse } from '#setup/desired-state.ts';

/** One write to the helpdesk. `protects`: makes sense only once this DocType's rows of permissions are in place. */
export type Step =
  | { kind: 'create'; doctype: string; document: object; protects?: FieldedDoctype | undefined }
  | { kind: 'update'; doctype: string; name: string; changes: object; protects?: FieldedDoctype }
  | { kind: 'role_row'; doctype: FieldedDoctype; role: string; add: boolean; rights: readonly string[] }
  | { kind: 'script'; exists: boolean; publicUrl: string; secret: string }
  | { kind: 'clear_trials' };

export interface PlanItem {
  /** Such as `HD Ticket.custom_orgid` or `Webhook "…"`. */
  what: string;
  /** `conflict`: left as it is although it does not fit; the detail says what to do. */
  state: 'exists' | 'create' | 'change' | 'delete' | 'conflict';
  detail: string;
  /** Null if it exists or is left as it is. */
  step: Step | null;
  /** For an OAuth client: its use, and its id if it exists. */
  client?: { use: OAuthUse; id: string | null };
}

export interface Plan {
  items: PlanItem[];
  /** What the operator should know before agreeing. */
  warnings: string[];
}

/** The items that change something. */
export const changesOf = (plan: Plan) =>
  plan.items.filter((item): item is PlanItem & { step: Step } => item.step !== null);
