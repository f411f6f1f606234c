import type { Browser } from '../wanted.ts';
import { planScript, planSnapshots, planWebhook } from './plan-documents.ts';
import { planFields, planRoleRows } from './plan-fields.ts';
import { planOAuthClient } from './plan-oauth.ts';
import type { SiteState } from './read-site.ts';
import type { Wishes } from './wishes.ts';

/** One write to the helpdesk. `protects`: makes sense only once every row of permissions stands. */
export type Step =
  | { kind: 'create'; doctype: string; document: object; protects?: boolean }
  | { kind: 'update'; doctype: string; name: string; changes: object; protects?: boolean }
  | { kind: 'role_row'; doctype: string; role: string; add: boolean; rights: readonly string[] }
  | { kind: 'script'; exists: boolean; document: object };

export interface PlanItem {
  /** Such as `HD Ticket.custom_orgid` or `Webhook "…"`. */
  what: string;
  /** `conflict`: kept as it is, though it does not suit; the detail says what to do. */
  state: 'exists' | 'create' | 'change' | 'conflict';
  detail: string;
  /** Null for what exists or is kept. */
  step: Step | null;
  /** For an OAuth client: its browser, and its id where it exists. */
  client?: { browser: Browser; id: string | null };
}

export interface Plan {
  items: PlanItem[];
  /** What the operator should know before he agrees. */
  warnings: string[];
}

/**
 * Compares the helpdesk with what is wanted. Pure. Rows of permissions come before the fields that need them, since an
 * agent cannot see a field at level 1 without.
 */
export function planProvision(site: SiteState, wishes: Wishes): Plan {
  const rows = wishes.protect ? planRoleRows(site.ticket) : [];
  return {
    items: [
      ...rows,
      ...planFields('HD Ticket', site.ticket, wishes.protect),
      ...planFields('HD Customer', site.customer, false),
      ...(wishes.snapshots ? [planSnapshots(site.customerData)] : []),
      planWebhook(site.webhook, wishes),
      ...wishes.browsers.map((client) => planOAuthClient(site.oauth, client)),
      ...(wishes.beforeInsert === null ? [] : [planScript(site.script, wishes.publicUrl, wishes.beforeInsert.secret)]),
    ],
    warnings: rows.some(({ step }) => step !== null)
      ? [
          '--protect gives HD Ticket role permissions of its own (Custom DocPerm): from then on this site does not follow ' +
            "Helpdesk's own changes to the permissions of HD Ticket when it is updated.",
        ]
      : [],
  };
}

/** The items that change something. */
export const changesOf = (plan: Plan) =>
  plan.items.filter((item): item is PlanItem & { step: Step } => item.step !== null);
