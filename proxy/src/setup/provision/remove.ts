import { HelpdeskError } from '#helpdesk/errors.ts';
import { scriptName } from '#setup/before-insert-script.ts';
import { browsers, desiredFields, desiredOAuthClient, webhookName } from '#setup/desired-state.ts';
import type { HelpdeskAdmin } from '#setup/helpdesk-admin.ts';
import type { PermissionRow } from '#setup/permission-rows.ts';
import type { Made } from '#store/notes.ts';
import { carryOut, type ProvisionDeps } from './apply-plan.ts';
import { type ProvisionMode, systemManager } from './options.ts';
import { haveSameRows, planContactReturn } from './plan-contact-guard.ts';
import type { Plan, PlanItem } from './plan-item.ts';
import { readContactRows } from './read-site.ts';

/** What the helpdesk keeps of those who have signed in; it names a client, which cannot go before. */
const signIns = ['OAuth Bearer Token', 'OAuth Authorization Code'];

/**
 * Takes away what `provision` has made: sign-ins first, so that nobody is left signed in, then clients, webhook and script,
 * levels and rows of permissions, and custom fields if wanted. What others have made or changed stays, and is said.
 *
 * @returns the exit code: 0 done, nothing to do or only shown; 1 something failed; 2 not confirmed
 */
export async function unprovision(deps: ProvisionDeps, withFields: boolean, mode: ProvisionMode): Promise<0 | 1 | 2> {
  const { admin, own, signal } = deps;
  const { hasRole } = await systemManager(admin, signal);
  const made = await own.made();
  const plan = await planRemoval(admin, { made, withFields, seesScripts: hasRole('Script Manager') }, signal);
  const { code, outcomes } = await carryOut(plan, deps, mode);
  if (code === 0 && outcomes.length > 0)
    await own.keepMade({ fields: withFields ? [] : made.fields, levels: [], rows: [] });
  return code;
}

async function planRemoval(
  admin: HelpdeskAdmin,
  { made, withFields, seesScripts }: { made: Made; withFields: boolean; seesScripts: boolean },
  signal: AbortSignal,
): Promise<Plan> {
  const names = browsers.map((browser) => desiredOAuthClient(browser, '').app_name);
  const query = { fields: ['name', 'app_name'], filters: [['app_name', 'in', names]] } as const;
  const clients = await admin.list('OAuth Client', query, signal);
  const ids = clients.map(({ name }) => name);
  const signedIn = await Promise.all(signIns.map((doctype) => planSignIns(admin, doctype, ids, signal)));
  const webhook = await admin.get('Webhook', webhookName, signal);
  const script = seesScripts ? await admin.get('Server Script', scriptName, signal) : null;
  const permissions = await planPermissions(admin, made, signal);
  const contact = await readContactRows(admin, signal);
  const fields = await customFields(admin, made, signal);
  const ours = fields.filter(({ what }) => made.fields.includes(what));
  const gone = withFields ? ours : [];
  const others = fields.length - ours.length;
  return {
    items: [
      ...signedIn.flat(),
      ...clients.map(({ name, app_name }) => erasing('OAuth Client', name, `OAuth Client "${app_name}"`)),
      ...[webhook].flatMap((found) => (found ? erasing('Webhook', found.name) : [])),
      ...[script].flatMap((found) => (found ? erasing('Server Script', found.name) : [])),
      ...fields
        .filter((field) => made.levels.includes(field.what) && field.permlevel === 1 && !gone.includes(field))
        .map(openField),
      ...permissions.items,
      ...planContactReturn(contact, admin, signal),
      ...gone.map(({ what, name }) => erasing('Custom Field', name, what)),
    ],
    warnings: [
      ...permissions.warnings,
      ...(ours.length > gone.length
        ? [`${ours.length} custom fields and their values stay; --fields deletes them too.`]
        : []),
      ...(others > 0
        ? [
            `What stays, since this store does not know whether Deskside made them: ${others} custom fields, and permissions at level 1 (Role Permissions Manager).`,
          ]
        : []),
      ...(gone.length > 0
        ? ['The columns of deleted fields stay in the tables, with their values, until "bench trim-tables" runs.']
        : []),
      'What tickets and people may hold on to stays: the service account (disable it by hand), teams with their assignment rules, HD Customer Data, and what the helpdesk has logged.',
    ],
  };
}

function erasing(doctype: string, name: string, what = `${doctype} "${name}"`): PlanItem {
  return { what, state: 'delete', detail: '', step: { kind: 'erase', doctype, names: [name] } };
}

/** The names are tokens themselves, and shown nowhere. */
async function planSignIns(
  admin: HelpdeskAdmin,
  doctype: string,
  ids: string[],
  signal: AbortSignal,
): Promise<PlanItem[]> {
  if (ids.length === 0) return [];
  const query = { fields: ['name'], filters: [['client', 'in', ids]] } as const;
  const found = await admin.list(doctype, query, signal).catch((error: unknown) => {
    // A Frappe that has no such DocType.
    if (error instanceof HelpdeskError && error.kind === 'not_found') return [];
    throw error;
  });
  const names = found.map(({ name }) => name);
  if (names.length === 0) return [];
  return [{ what: doctype, state: 'delete', detail: `${names.length}`, step: { kind: 'erase', doctype, names } }];
}

interface OwnField {
  what: string;
  name: string;
  permlevel: number;
}

/** Back where everybody may write it who may write the document. */
function openField({ what, name }: OwnField): PlanItem {
  const step = { kind: 'update', doctype: 'Custom Field', name, changes: { permlevel: 0 } } as const;
  return { what, state: 'change', detail: 'to permission level 0', step };
}

/** Those of the fields that Deskside uses, or has made, which are there and are custom ones. */
async function customFields(admin: HelpdeskAdmin, made: Made, signal: AbortSignal): Promise<OwnField[]> {
  const used = Object.entries(desiredFields).flatMap(([doctype, fields]) =>
    fields.map(({ fieldname }) => `${doctype}.${fieldname}`),
  );
  const whats = [...new Set([...made.fields, ...made.levels, ...used])];
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
  const add = (what: string, state: 'change' | 'delete', detail: string, work: () => Promise<void>) => {
    const take = () => work().then(() => null);
    plan.items.push({ what, state, detail, step: { kind: 'own', take } });
  };
  for (const doctype of new Set(rows.map((row) => row.doctype))) {
    const ours = rows.filter((row) => row.doctype === doctype).map(({ role }) => role);
    const isOurs = ({ permlevel, role }: PermissionRow) => permlevel === 1 && ours.includes(role);
    const { inForce, standard } = await admin.roleRows(doctype, signal);
    const others = inForce.filter((row) => !isOurs(row));
    if (haveSameRows(others, standard)) {
      const detail = 'back to what it came with: nothing else was changed there';
      add(`${doctype} role permissions`, 'change', detail, () => admin.resetRoleRows(doctype, signal));
      continue;
    }
    for (const { role } of inForce.filter(isOurs))
      add(`${doctype} level 1 for ${role}`, 'delete', '', () =>
        admin.removeRoleRow({ doctype, role, permlevel: 1, if_owner: false }, signal),
      );
    plan.warnings.push(
      `${doctype} keeps role permissions of its own, since others have changed them: compare them with the standard in the Role Permissions Manager.`,
    );
  }
  return plan;
}
