import type { HelpdeskAdmin } from '#setup/helpdesk-admin.ts';
import { applyPlan, type StepResult } from './apply-plan.ts';
import { confirms, type ProvisionIo } from './io.ts';
import type { OwnSettings, ProvisionMode, ProvisionOptions } from './options.ts';
import { planProvision } from './plan.ts';
import { chooseClaims } from './plan-claims.ts';
import { changesOf, type Plan } from './plan-item.ts';
import { printPlan } from './print-plan.ts';
import { readSite } from './read-site.ts';

/**
 * Brings the helpdesk into the desired state: shows the plan, asks, writes, reports. A second run finds nothing to do.
 *
 * @returns the exit code: 0 done, nothing to do or only shown; 1 something failed; 2 not confirmed
 */
export async function provision(
  deps: { admin: HelpdeskAdmin; own: OwnSettings; io: ProvisionIo; signal: AbortSignal },
  options: ProvisionOptions,
  mode: ProvisionMode,
): Promise<0 | 1 | 2> {
  const { admin, own, io, signal } = deps;
  const site = await readSite(admin, options, mode, signal);
  const asks = mode === 'plan' ? 'nothing' : mode === 'yes' ? null : io.ask;
  const wanted = await chooseClaims(own.claims, site.signUpIsOpen, asks);
  const plan = planProvision(site, options, { rule: own.claims, wanted }, own.clientIds);
  io.print(printPlan(plan));
  const { length } = changesOf(plan);
  const isOne = length === 1;
  const count = isOne ? '1 change' : `${length} changes`;
  if (mode === 'ask' && length > 0) {
    if (io.ask === null) {
      io.print(
        `\nNothing was changed: ${count} ${isOne ? 'needs' : 'need'} confirmation, which is not possible here. Run this again with --yes.`,
      );
      return 2;
    }
    if (!(await confirms(io, `\nMake ${isOne ? 'this change' : `these ${count}`}? [y/N] `))) {
      io.print('Nothing was changed.');
      return 2;
    }
  }
  if (mode !== 'plan' && site.signUpIsOpen !== null) await own.keepSignUp(site.signUpIsOpen);
  if (length === 0 || mode === 'plan') {
    const some = plan.items.some(({ state }) => state === 'unseen') ? ' in what can be seen' : '';
    io.print(length === 0 ? `\nNothing to do${some}.` : `\nThis was only the plan: ${count}, none made.`);
    printClients(plan, [], io);
    return 0;
  }
  io.print('');
  const outcomes = await applyPlan(plan, { admin, own }, (result) => io.print(lineOf(result)), signal);
  await noteMade(own, outcomes);
  printClients(plan, outcomes, io);
  const failed = outcomes.filter(({ problem }) => problem !== null).length;
  io.print(failed === 0 ? '\nDone.' : `\n${failed} of ${count} failed; run this again to complete them.`);
  return failed === 0 ? 0 : 1;
}

/** So that a removal takes away what is ours, and nothing else. */
async function noteMade(own: OwnSettings, outcomes: readonly StepResult[]): Promise<void> {
  const made = await own.made();
  const before = JSON.stringify(made);
  for (const { item, problem } of outcomes) {
    const { what, step } = item;
    if (problem !== null || step === null) continue;
    if (step.kind === 'role_row' && step.add) made.rows.push({ doctype: step.doctype, role: step.role });
    if (step.kind !== 'create' && step.kind !== 'update') continue;
    if (step.doctype !== 'Custom Field') continue;
    if (step.kind === 'create') made.fields.push(what);
    if (step.protects) made.levels.push(what);
  }
  if (JSON.stringify(made) !== before) await own.keepMade(made);
}

export function lineOf({ item: { what }, problem, note }: StepResult): string {
  if (problem !== null) return `FAILED  ${what}: ${problem}`;
  return note === null ? `done    ${what}` : `done    ${what}. ${note}`;
}

/** The ids are public: the browsers are told them. */
function printClients({ items }: Plan, outcomes: readonly StepResult[], io: ProvisionIo): void {
  const ids = items.flatMap((item) => {
    if (item.client === undefined) return [];
    const id = item.client.id ?? outcomes.find((outcome) => outcome.item === item)?.created;
    return id ? [[item.client.use, id]] : [];
  });
  if (ids.length > 0)
    io.print(
      `\nThe store knows them; OAUTH_CLIENT_IDS in the environment would go over it:\nOAUTH_CLIENT_IDS=${JSON.stringify(Object.fromEntries(ids))}`,
    );
}
