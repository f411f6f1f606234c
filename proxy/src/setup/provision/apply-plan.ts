import { HelpdeskError } from '../../ports/helpdesk.ts';
import type { HelpdeskAdmin } from '../helpdesk-admin.ts';
import { installScript } from './install-script.ts';
import { changesOf, type Plan, type PlanItem, type Step } from './plan.ts';
import { ProvisionError } from './wishes.ts';

/** So many failures in a row of a helpdesk that does not answer, and the rest is not tried. */
const patience = 2;

export interface Outcome {
  item: PlanItem;
  /** Why it failed, as a sentence; null where it is done. */
  problem: string | null;
  /** Name that a new document got. */
  created: string | null;
}

/**
 * Carries the plan out, one write after the other, since each changes the helpdesk's tables. What fails is reported and
 * the rest goes on, but for fields that would be hidden from the desk for want of a row of permissions.
 *
 * @param report told of each item as it is done
 */
export async function applyPlan(
  plan: Plan,
  admin: HelpdeskAdmin,
  report: (outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let silent = 0;
  let rowsStand = true;
  for (const item of changesOf(plan)) {
    const outcome = { item, ...(await attempt(item.step)) };
    outcomes.push(outcome);
    report(outcome);
  }
  return outcomes;

  async function attempt(step: Step): Promise<Pick<Outcome, 'problem' | 'created'>> {
    if (silent >= patience) return failed('not tried: the helpdesk does not answer');
    if ('protects' in step && step.protects && !rowsStand) {
      return failed('not tried: the desk could not see the field while a row of permissions is missing');
    }
    try {
      const created = await take(step, admin, signal);
      silent = 0;
      return { problem: null, created };
    } catch (error) {
      if (!(error instanceof HelpdeskError || error instanceof ProvisionError)) throw error;
      const unanswered = error instanceof HelpdeskError && ['unavailable', 'timeout'].includes(error.kind);
      silent = unanswered ? silent + 1 : 0;
      if (step.kind === 'role_row') rowsStand = false;
      return failed(error.message);
    }
  }
}

const failed = (problem: string) => ({ problem, created: null });

/** Gives the name of a document that was created. */
async function take(step: Step, admin: HelpdeskAdmin, signal: AbortSignal): Promise<string | null> {
  switch (step.kind) {
    case 'create':
      return admin.create(step.doctype, step.document, signal);
    case 'update':
      await admin.update(step.doctype, step.name, step.changes, signal);
      return null;
    case 'role_row': {
      const row = { doctype: step.doctype, role: step.role, permlevel: 1 };
      if (step.add) await admin.addRoleRow(row, signal);
      for (const right of step.rights) await admin.grant({ ...row, right }, signal);
      return null;
    }
    case 'script':
      await installScript(admin, step, signal);
      return null;
  }
}
