import type { HelpdeskAdmin } from '../helpdesk-admin.ts';
import { applyPlan, type Outcome } from './apply-plan.ts';
import { changesOf, type Plan, planProvision } from './plan.ts';
import { printPlan } from './print-plan.ts';
import { readSite } from './read-site.ts';
import type { Wishes } from './wishes.ts';

export interface ProvisionIo {
  print(text: string): void;
  /** Asks the operator, who sits at a terminal; null where nobody does. */
  confirm: ((question: string) => Promise<boolean>) | null;
}

/**
 * Brings the helpdesk to what is wanted: shows the plan, asks, writes, tells. A second run finds nothing to do.
 *
 * @param mode `plan` only shows; `ask` needs a yes; `yes` has it
 * @returns the exit code: 0 done or nothing to do or only shown, 1 something failed, 2 not done for want of a yes
 */
export async function provision(
  deps: { admin: HelpdeskAdmin; io: ProvisionIo; signal: AbortSignal },
  wishes: Wishes,
  mode: 'plan' | 'ask' | 'yes',
): Promise<0 | 1 | 2> {
  const { admin, io, signal } = deps;
  const plan = planProvision(await readSite(admin, wishes, signal), wishes);
  io.print(printPlan(plan));
  const { length } = changesOf(plan);
  const count = length === 1 ? '1 change' : `${length} changes`;
  if (length === 0) io.print('\nNothing to do.');
  else if (mode === 'plan') io.print(`\nThis was only the plan: ${count}, none made.`);
  else if (mode === 'ask' && io.confirm === null) {
    io.print(`\nNothing was changed: ${count} need a yes, and nobody can be asked here. Run this again with --yes.`);
    return 2;
  } else if (mode === 'ask' && !(await io.confirm?.(`\nMake these ${count}? [y/N] `))) {
    io.print('Nothing was changed.');
    return 2;
  } else {
    io.print('');
    const outcomes = await applyPlan(plan, admin, ({ item, problem }) => io.print(lineOf(item.what, problem)), signal);
    printClients(plan, outcomes, io);
    const failed = outcomes.filter(({ problem }) => problem !== null).length;
    io.print(failed === 0 ? '\nDone.' : `\n${failed} of ${count} failed; run this again to complete them.`);
    return failed === 0 ? 0 : 1;
  }
  printClients(plan, [], io);
  return 0;
}

const lineOf = (what: string, problem: string | null) =>
  problem === null ? `done    ${what}` : `FAILED  ${what}: ${problem}`;

/** The ids are public: the extension gets them from the proxy. */
function printClients({ items }: Plan, outcomes: readonly Outcome[], io: ProvisionIo): void {
  const ids = items.flatMap((item) => {
    if (item.client === undefined) return [];
    const id = item.client.id ?? outcomes.find((outcome) => outcome.item === item)?.created;
    return id ? [[item.client.browser, id]] : [];
  });
  if (ids.length > 0)
    io.print(`\nFor the .env of the proxy:\nOAUTH_CLIENT_IDS=${JSON.stringify(Object.fromEntries(ids))}`);
}
