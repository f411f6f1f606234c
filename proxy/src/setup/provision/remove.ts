import type { Made } from '#ports/operator/upkeep.ts';
import { scriptName } from '#setup/before-insert-script.ts';
import { desiredOAuthClient, type OAuthUse, webhookName } from '#setup/desired-state.ts';
import type { HelpdeskAdmin } from '#setup/helpdesk-admin.ts';
import { attempt } from '#setup/read-result.ts';
import { applyPlan } from './apply-plan.ts';
import { confirms, type ProvisionIo } from './io.ts';
import { type OwnSettings, type ProvisionMode, systemManager } from './options.ts';
import { changesOf, type Plan, type PlanItem } from './plan-item.ts';
import { printPlan } from './print-plan.ts';
import { lineOf } from './provision.ts';

const uses: readonly OAuthUse[] = ['chrome', 'edge', 'firefox', 'operator'];
/** What the helpdesk keeps of those who have signed in; it names a client, which cannot go before. */
const signIns = ['OAuth Bearer Token', 'OAuth Authorization Code'];

/**
 * Takes away what `provision` has made: sign-ins first, so that nobody is left signed in, then clients, webhook and script,
 * levels and rows of permissions, and custom fields if wanted. What others have made or changed stays, and is said.
 *
 * @returns the exit code: 0 done, nothing to do or only shown; 1 something failed; 2 not confirmed
 */
export async function unprovision(
  { admin, own, io, signal }: { admin: HelpdeskAdmin; own: OwnSettings; io: ProvisionIo; signal: AbortSignal },
  withFields: boolean,
  mode: ProvisionMode,
): Promise<0 | 1 | 2> {
  const { hasRole } = await systemManager(admin, signal);
  const made = await own.made();
  const plan = await planRemoval(admin, { made, withFields, seesScripts: hasRole('Script Manager') }, signal);
  io.print(printPlan(plan));
  const { length } = changesOf(plan);
  if (length === 0 || mode === 'plan') {
    io.print(length === 0 ? '\nNothing to do.' : '\nThis was only the plan: nothing was deleted.');
    return 0;
  }
  if (mode === 'ask' && !(await confirms(io, `\nDelete all of this? [y/N] `))) {
    io.print(`Nothing was deleted.${io.ask === null ? ' Run this again with --yes.' : ''}`);
    return 2;
  }
  const outcomes = await applyPlan(plan, { admin, own }, (result) => io.print(lineOf(result)), signal);
  const failed = outcomes.filter(({ problem }) => problem !== null).length;
  if (failed === 0) await own.keepMade({ fields: withFields ? [] : made.fields, levels: [], rows: [] });
  io.print(failed === 0 ? '\nDone.' : `\n${failed} of ${length} failed; run this again to complete them.`);
  return failed === 0 ? 0 : 1;
}

async function planRemoval(
  admin: HelpdeskAdmin,
  { made, withFields, seesScripts }: { made: Made; withFields: boolean; seesScripts: boolean },
  signal: AbortSignal,
): Promise<Plan> {
  const names = uses.map((use) => desiredOAuthClient(use, '').app_name);
  const clients = await admin.list(
    'OAuth Client',
    { fields: ['name', 'app_name'], filters: [['app_name', 'in', names]] },
    signal,
  );
  const ids = clients.map(({ name }) => name);
  const signedIn = await Promise.all(signIns.map((doctype) => planSignIns(admin, doctype, ids, signal)));
  const webhook = await admin.get('Webhook', webhookName, signal);
  const script = seesScripts ? await admin.get('Server Script', scriptName, signal) : null;
  const permissions = await planPermissions(admin, made, signal);
  const kept = withFields ? [] : made.fields;
  return {
    items: [
      ...signedIn.flat(),
      ...clients.map(({ name, app_name }) =>
        removal(admin, 'OAuth Client', name, `OAuth Client "${app_name}"`, signal),
      ),
      ...(webhook ? [removal(admin, 'Webhook', webhookName, `Webhook "${webhookName}"`, signal)] : []),
      ...(script ? [removal(admin, 'Server Script', scriptName, `Server Script "${scriptName}"`, signal)] : []),
      ...(await planLevels(admin, made, withFields, signal)),
      ...permissions.items,
      ...(withFields ? await planFieldRemoval(admin, made, signal) : []),
    ],
    warnings: [
      ...permissions.warnings,
      ...(kept.length > 0 ? [`${kept.length} custom fields and their values stay; --fields deletes them too.`] : []),
      ...(withFields
        ? ['The columns of deleted fields stay in the tables, with their values, until "bench trim-tables" runs.']
        : []),
      'The service account, teams and HD Customer Data stay: tickets and people may hold on to them. Disable the account by hand.',
    ],
  };
}

function removal(admin: HelpdeskAdmin, doctype: string, name: string, what: string, signal: AbortSignal): PlanItem {
  const take = async () => {
    await admin.erase(doctype, name, signal);
    return null;
  };
  return { what, state: 'delete', detail: '', step: { kind: 'own', take } };
}

/** The names are tokens themselves, and shown nowhere. */
async function planSignIns(
  admin: HelpdeskAdmin,
  doctype: string,
  ids: string[],
  signal: AbortSignal,
): Promise<PlanItem[]> {
  if (ids.length === 0) return [];
  const found = await attempt(admin.list(doctype, { fields: ['name'], filters: [['client', 'in', ids]] }, signal));
  if (!found.ok || found.value.length === 0) return [];
  const take = async () => {
    for (const { name } of found.value) await admin.erase(doctype, name, signal);
    return null;
  };
  return [{ what: doctype, state: 'delete', detail: `${found.value.length}`, step: { kind: 'own', take } }];
}

async function planLevels(
  admin: HelpdeskAdmin,
  made: Made,
  withFields: boolean,
  signal: AbortSignal,
): Promise<PlanItem[]> {
  const levels = withFields ? made.levels.filter((what) => !made.fields.includes(what)) : made.levels;
  return (await customFields(admin, levels, signal)).flatMap(({ what, name, permlevel }): PlanItem[] => {
    if (permlevel !== 1) return [];
    const step = { kind: 'update', doctype: 'Custom Field', name, changes: { permlevel: 0 } } as const;
    return [{ what, state: 'change', detail: 'to permission level 0', step }];
  });
}

async function planFieldRemoval(admin: HelpdeskAdmin, made: Made, signal: AbortSignal): Promise<PlanItem[]> {
  const found = await customFields(admin, made.fields, signal);
  return found.map(({ what, name }) => removal(admin, 'Custom Field', name, what, signal));
}

async function customFields(admin: HelpdeskAdmin, whats: readonly string[], signal: AbortSignal) {
  const doctypes = [...new Set(whats.map((what) => what.split('.')[0] ?? ''))];
  const metas = new Map(
    await Promise.all(doctypes.map(async (name) => [name, await admin.doctype(name, signal)] as const)),
  );
  return whats.flatMap((what) => {
    const [doctype = '', fieldname = ''] = what.split('.');
    const field = metas.get(doctype)?.fields.get(fieldname);
    return field?.customField ? [{ what, name: field.customField, permlevel: field.permlevel }] : [];
  });
}

/** Rows that are ours go; where nothing else differs from what the DocType came with, all of its own rows. */
async function planPermissions(admin: HelpdeskAdmin, { rows }: Made, signal: AbortSignal): Promise<Plan> {
  const plan: Plan = { items: [], warnings: [] };
  for (const doctype of new Set(rows.map((row) => row.doctype))) {
    const ours = rows.filter((row) => row.doctype === doctype).map(({ role }) => role);
    const isOurs = (row: Record<string, unknown>) =>
      Number(row.permlevel ?? 0) === 1 && ours.includes(String(row.role));
    const { inForce, standard } = await admin.roleRows(doctype, signal);
    const all = await attempt(
      admin.list('Custom DocPerm', { fields: ['name'], filters: [['parent', '=', doctype]] }, signal),
    );
    const isWhole = all.ok && all.value.length === inForce.length;
    const others = inForce.filter((row) => !isOurs(row));
    if (isWhole && sameRows(others, standard)) {
      const take = async () => {
        await admin.resetRoleRows(doctype, signal);
        return null;
      };
      const detail = 'back to what it came with: nothing else was changed there';
      plan.items.push({ what: `${doctype} role permissions`, state: 'change', detail, step: { kind: 'own', take } });
      continue;
    }
    for (const role of inForce.filter(isOurs).map((row) => String(row.role))) {
      const take = async () => {
        await admin.removeRoleRow({ doctype, role, permlevel: 1 }, signal);
        return null;
      };
      plan.items.push({
        what: `${doctype} level 1 for ${role}`,
        state: 'delete',
        detail: '',
        step: { kind: 'own', take },
      });
    }
    plan.warnings.push(
      `${doctype} keeps role permissions of its own, since others have changed them: compare them with the standard in the Role Permissions Manager.`,
    );
  }
  return plan;
}

const flags = 'select read write create delete submit cancel amend report export import share print email'.split(' ');

function sameRows(some: readonly Record<string, unknown>[], others: readonly Record<string, unknown>[]): boolean {
  const text = (row: Record<string, unknown>) =>
    [row.role, ...['permlevel', 'if_owner', ...flags].map((flag) => Number(row[flag] ?? 0))].join();
  return some.map(text).sort().join(';') === others.map(text).sort().join(';');
}
