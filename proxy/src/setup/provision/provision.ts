import { carryOut, createdClients, type ProvisionDeps, type StepResult } from './apply-plan.ts';
import type { OwnSettings, ProvisionMode, ProvisionOptions } from './options.ts';
import { planProvision } from './plan.ts';
import { chooseClaims } from './plan-claims.ts';
import { readSite } from './read-site.ts';

/**
 * Brings the helpdesk into the desired state: shows the plan, asks, writes, reports. A second run finds nothing to do.
 *
 * @returns the exit code: 0 done, nothing to do or only shown; 1 something failed; 2 not confirmed
 */
export async function provision(
  deps: ProvisionDeps,
  options: ProvisionOptions,
  mode: ProvisionMode,
): Promise<0 | 1 | 2> {
  const { admin, own, io, signal } = deps;
  const site = await readSite(admin, options, mode, signal);
  const wanted = chooseClaims(own.claims, site.signUpIsOpen);
  const plan = planProvision(site, options, { rule: own.claims, wanted }, own.clientIds);
  const { code, outcomes } = await carryOut(plan, deps, mode);
  if (code === 2) return code;
  if (mode !== 'plan' && site.signUpIsOpen !== null) await own.keepSignUp(site.signUpIsOpen);
  await noteMade(own, outcomes);
  const known = plan.items.flatMap(({ client }) => (client?.id ? [[client.use, client.id]] : []));
  const clients = { ...Object.fromEntries(known), ...createdClients(outcomes) };
  // The ids are public: the browsers are told them.
  if (Object.keys(clients).length > 0)
    io.print(`\nThe browsers' clients, as the settings name them:\nOAUTH_CLIENT_IDS=${JSON.stringify(clients)}`);
  return code;
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
