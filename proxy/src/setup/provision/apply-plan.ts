import { HelpdeskError } from '#helpdesk/errors.ts';
import { Secret } from '#runtime/secret.ts';
import type { Browser } from '#setup/desired-state.ts';
import type { HelpdeskAdmin } from '#setup/helpdesk-admin.ts';
import { flagsOf } from '#setup/permission-rows.ts';
import { rowOf, writeRowsNote } from '#setup/rows-note.ts';
import { installScript } from './install-script.ts';
import { confirms, type ProvisionIo } from './io.ts';
import { type OwnSettings, ProvisionError, type ProvisionMode } from './options.ts';
import { changesOf, type Plan, type PlanItem, type Step } from './plan-item.ts';
import { clearTrials } from './try-script.ts';

/** After this many consecutive failures of a helpdesk that does not respond, the rest is not tried. */
const patience = 2;

export interface StepResult {
  item: PlanItem;
  /** Why it failed, as a sentence; null if it is done. */
  problem: string | null;
  /** Name of the new document. */
  created?: string;
  /** Something worth telling although the step succeeded, as a sentence. */
  note?: string | null;
}

/** What a run of `provision` works with. */
export interface ProvisionDeps {
  admin: HelpdeskAdmin;
  own: OwnSettings;
  io: ProvisionIo;
  signal: AbortSignal;
}

/**
 * Shows the plan, asks, carries it out, and says what came of it.
 *
 * @returns the exit code: 0 done, nothing to do or only shown; 1 something failed; 2 not confirmed; and the steps taken
 */
export async function carryOut(
  plan: Plan,
  deps: ProvisionDeps,
  mode: ProvisionMode,
): Promise<{ code: 0 | 1 | 2; outcomes: StepResult[] }> {
  const { io } = deps;
  io.print(printPlan(plan));
  const { length } = changesOf(plan);
  const isOne = length === 1;
  const count = isOne ? '1 change' : `${length} changes`;
  const ended = (code: 0 | 2, text: string) => {
    io.print(text);
    return { code, outcomes: [] };
  };
  if (length === 0) {
    const some = plan.items.some(({ state }) => state === 'unseen') ? ' in what can be seen' : '';
    return ended(0, `\nNothing to do${some}.`);
  }
  if (mode === 'plan') return ended(0, `\nThis was only the plan: ${count}, none made.`);
  if (mode === 'ask' && io.ask === null) {
    const need = `${count} ${isOne ? 'needs' : 'need'} confirmation`;
    return ended(2, `\nNothing was changed: ${need}, which is not possible here. Run this again with --yes.`);
  }
  if (mode === 'ask' && !(await confirms(io, `\nMake ${isOne ? 'this change' : `these ${count}`}? [y/N] `)))
    return ended(2, 'Nothing was changed.');
  io.print('');
  const outcomes = await applyPlan(plan, deps);
  const failed = outcomes.filter(({ problem }) => problem !== null).length;
  io.print(failed === 0 ? '\nDone.' : `\n${failed} of ${count} failed; run this again to complete them.`);
  return { code: failed === 0 ? 0 : 1, outcomes };
}

const words: Record<PlanItem['state'], string> = {
  exists: 'exists',
  create: 'will be created',
  change: 'will be changed',
  delete: 'will be deleted',
  conflict: 'CONFLICT',
  unseen: 'cannot be seen',
};

/** The plan as a table of aligned columns, then its warnings. Holds no secret. */
export function printPlan({ items, warnings }: Plan): string {
  const rows = items.map((item) => [words[item.state], item.what, item.detail]);
  const table = rows.length > 0 ? [['State', 'What', 'Detail'], ...rows] : [];
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, ...warnings.flatMap((warning) => ['', `Warning: ${warning}`])].join('\n');
}

function lineOf({ item: { what }, problem, note }: StepResult): string {
  if (problem !== null) return `FAILED  ${what}: ${problem}`;
  return note ? `done    ${what}. ${note}` : `done    ${what}`;
}

/**
 * One write at a time, since each changes the helpdesk's tables. Failures are reported and the rest goes on, except for
 * fields that agents could not see because a row of permissions is missing.
 */
async function applyPlan(plan: Plan, deps: ProvisionDeps): Promise<StepResult[]> {
  const outcomes: StepResult[] = [];
  let silent = 0;
  const lacksRows = new Set<string>();
  let lacksNote = false;
  for (const item of changesOf(plan)) {
    const outcome = { item, ...(await attempt(item.step)) };
    outcomes.push(outcome);
    deps.io.print(lineOf(outcome));
  }
  return outcomes;

  async function attempt(step: Step): Promise<Omit<StepResult, 'item'>> {
    if (silent >= patience) return { problem: 'not tried: the helpdesk does not respond' };
    if ('protects' in step && step.protects && lacksRows.has(step.protects)) {
      return { problem: 'not tried: agents could not see the field while a row of permissions is missing' };
    }
    if (step.kind === 'row' && step.needsNote && lacksNote)
      return { problem: 'not tried: how the row was could not be noted' };
    try {
      const done = await take(step, deps, outcomes);
      silent = 0;
      return { problem: null, ...done };
    } catch (error) {
      if (!(error instanceof HelpdeskError || error instanceof ProvisionError)) throw error;
      const unanswered = error instanceof HelpdeskError && ['unavailable', 'timeout'].includes(error.kind);
      silent = unanswered ? silent + 1 : 0;
      if (step.kind === 'role_row') lacksRows.add(step.doctype);
      if (step.kind === 'rows_note') lacksNote = true;
      return { problem: error.message };
    }
  }
}

/** Returns the name of a created document, or something worth telling the operator. */
async function take(
  step: Step,
  { admin, own, signal }: ProvisionDeps,
  outcomes: readonly StepResult[],
): Promise<Partial<Pick<StepResult, 'created' | 'note'>>> {
  switch (step.kind) {
    case 'create':
      return { created: await admin.create(step.doctype, step.document, signal) };
    case 'update':
      await admin.update(step.doctype, step.name, step.changes, signal);
      return {};
    case 'role_row': {
      const row = { doctype: step.doctype, role: step.role, permlevel: 1 };
      if (step.add) await admin.addRoleRow(row, signal);
      for (const right of step.rights) await admin.grant({ ...row, right }, signal);
      return {};
    }
    case 'rows_note':
      await writeRowsNote(admin, step.doctype, step, signal);
      return {};
    case 'row':
      await changeRow(admin, step, signal);
      return {};
    case 'script':
      return { note: await installScript(admin, step, signal) };
    case 'clear_trials':
      await clearTrials(admin, signal);
      return {};
    case 'erase':
      for (const name of step.names) await admin.erase(step.doctype, name, signal);
      return {};
    case 'setting':
      return { note: own.keep(step.name, step.value instanceof Secret ? step.value.reveal() : step.value) };
    case 'client_ids':
      return { note: own.keep('OAUTH_CLIENT_IDS', JSON.stringify({ ...step.known, ...createdClients(outcomes) })) };
    case 'own':
      return { note: await step.take() };
  }
}

async function changeRow(
  admin: HelpdeskAdmin,
  { doctype, change }: Extract<Step, { kind: 'row' }>,
  signal: AbortSignal,
): Promise<void> {
  const { role, permlevel, if_owner } = rowOf(change);
  if (change.after === null) return admin.removeRoleRow({ doctype, role, permlevel, if_owner }, signal);
  await admin.copyRoleRows(doctype, signal);
  const key = { parent: doctype, role, permlevel, if_owner: Number(if_owner) };
  const filters = Object.entries(key).map(([field, value]) => [field, '=', value] as const);
  const [found] = await admin.list('Custom DocPerm', { fields: ['name'], filters }, signal);
  const flags = flagsOf(change.after);
  if (found !== undefined) return admin.update('Custom DocPerm', found.name, flags, signal);
  const document = { ...key, parenttype: 'DocType', parentfield: 'permissions', ...flags };
  await admin.create('Custom DocPerm', document, signal);
}

/** The ids of the OAuth clients that this run has made. */
export function createdClients(outcomes: readonly StepResult[]): Partial<Record<Browser, string>> {
  return Object.fromEntries(
    outcomes.flatMap(({ item, created }) => (item.client && created ? [[item.client.use, created]] : [])),
  );
}
