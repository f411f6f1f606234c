import type { HelpdeskAdmin } from '#setup/helpdesk-admin.ts';
import { applyPlan, type StepResult } from './apply-plan.ts';
import type { ProvisionOptions } from './options.ts';
import { planProvision } from './plan.ts';
import { changesOf, type Plan } from './plan-item.ts';
import { printPlan } from './print-plan.ts';
import { readSite } from './read-site.ts';

export interface ProvisionIo {
  print(text: string): void;
  /** Asks the operator at the terminal; null if there is none. */
  confirm: ((question: string) => Promise<boolean>) | null;
}

/**
 * Brings the helpdesk into the desired state: shows the plan, asks, writes, reports. A second run finds nothing to do.
 *
 * @param mode `plan` only shows the plan; `ask` asks for confirmation; `yes` does not
 * @returns the exit code: 0 done, nothing to do or only shown; 1 something failed; 2 not confirmed
 */
export async function provision(
  deps: { admin: HelpdeskAdmin; io: ProvisionIo; signal: AbortSignal },
  options: ProvisionOptions,
  mode: 'plan' | 'ask' | 'yes',
): Promise<0 | 1 | 2> {
  const { admin, io, signal } = deps;
  const plan = planProvision(await readSite(admin, options, signal), options);
  io.print(printPlan(plan));
  const { length } = changesOf(plan);
  const isOne = length === 1;
  const count = isOne ? '1 change' : `${length} changes`;
  if (length === 0) io.print('\nNothing to do.');
  else if (mode === 'plan') io.print(`\nThis was only the plan: ${count}, none made.`);
  else if (mode === 'ask' && io.confirm === null) {
    io.print(
      `\nNothing was changed: ${count} ${isOne ? 'needs' : 'need'} confirmation, which is not possible here. Run this again with --yes.`,
    );
    return 2;
  } else if (mode === 'ask' && !(await io.confirm?.(`\nMake ${isOne ? 'this change' : `these ${count}`}? [y/N] `))) {
    io.print('Nothing was changed.');
    return 2;
  } else {
    io.print('');
    const outcomes = await applyPlan(plan, admin, (result) => io.print(lineOf(result)), signal);
    printClients(plan, outcomes, io);
    const failed = outcomes.filter(({ problem }) => problem !== null).length;
    io.print(failed === 0 ? '\nDone.' : `\n${failed} of ${count} failed; run this again to complete them.`);
    return failed === 0 ? 0 : 1;
  }
  printClients(plan, [], io);
  return 0;
}

function lineOf({ item: { what }, problem, note }: StepResult): string {
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
    io.print(`\nFor the .env of the proxy:\nOAUTH_CLIENT_IDS=${JSON.stringify(Object.fromEntries(ids))}`);
}
