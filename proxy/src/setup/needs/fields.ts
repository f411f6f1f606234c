import { type AdminDoctype, type AdminField, neededByCustomers } from '#helpdesk/admin.ts';
import {
  customerData,
  customerDataKey,
  type DesiredField,
  desiredFields,
  type FieldedDoctype,
  foundAs,
} from '#helpdesk/fields.ts';
import { withRecords } from '#setup/doctor/machine.ts';
import type { Item } from '#setup/items.ts';
import { type CheckInput, type Findings, fault, listed, ok } from '#setup/report.ts';
import { refusals } from '#store/notes.ts';
import { making, type ProvisionRun } from './need.ts';

// The specification's fields of tickets and customers. Their types follow docs/data.md, org ids are Data.

/** The standard field after which the custom ones appear in the form. */
const firstAfter: Record<FieldedDoctype, string> = { 'HD Ticket': 'customer', 'HD Customer': 'domain' };

/** A field of the specification as the site has it. */
export interface ComparedField {
  desired: DesiredField;
  /** Possibly under its older name. */
  found: AdminField | undefined;
  /** Why it cannot hold all that the service writes, as the end of a sentence, and what to do; null if it can. */
  problem: { text: string; todo: string } | null;
}

/** @param site null if the site lacks the DocType itself */
export function compareFields(doctype: FieldedDoctype, site: AdminDoctype | null): ComparedField[] {
  return desiredFields[doctype].map((desired) => {
    const found = site ? foundAs(site.fields, desired) : undefined;
    return { desired, found, problem: found === undefined ? null : problemOf(desired, found) };
  });
}

function problemOf({ fieldtype, suits, values = [] }: DesiredField, found: AdminField): ComparedField['problem'] {
  if (!suits.includes(found.fieldtype))
    return {
      text: `is ${found.fieldtype}, should be ${fieldtype}: values that it cannot hold are left out`,
      todo: 'Back up its values, delete the field and run "deskside provision".',
    };
  const offered = found.options.split('\n').flatMap((option) => option.trim() || []);
  const isClosedList = found.fieldtype === 'Select' && offered.length > 0;
  const lacking = isClosedList ? values.filter((one) => !offered.includes(one)) : [];
  if (lacking.length === 0) return null;
  return {
    text: `is a Select without ${lacking.join(', ')}: such values are left out`,
    todo: 'Add these options in "Customize Form", exactly as written here.',
  };
}

/** Fields of the helpdesk's own that the service writes; a release may move them to another level (frappe/helpdesk#3544). */
const standardFields: Record<FieldedDoctype, readonly string[]> = {
  'HD Ticket': ['agent_group', 'customer'],
  'HD Customer': ['customer_name'],
};

/** The roles of the service account (docs/helpdesk.md#permissions). */
export const serviceRoles = ['Agent', 'Agent Manager'];

/**
 * Fields at a level that the service account's roles may not both read and write, as names. The helpdesk would leave their
 * values out without a word (docs/helpdesk.md#permissions).
 */
function closedToService(doctype: FieldedDoctype, { fields, permissions }: AdminDoctype): string[] {
  const ours = permissions.filter(({ role }) => serviceRoles.includes(role));
  const levels = (right: 'read' | 'write') =>
    new Set(ours.filter(({ rights }) => rights.includes(right)).map(({ permlevel }) => permlevel));
  const open = levels('read').intersection(levels('write'));
  const written = [
    ...standardFields[doctype].flatMap((name) => fields.get(name) ?? []),
    ...desiredFields[doctype].flatMap((desired) => foundAs(fields, desired) ?? []),
  ];
  const closed = written.filter(({ permlevel }) => permlevel > 0 && !open.has(permlevel));
  return closed.map(({ fieldname, permlevel }) => `${fieldname} (level ${permlevel})`);
}

/** Whether the specification's fields exist and can hold what is written to them. */
export async function* checkFields(at: CheckInput): Findings {
  const { service } = at;
  for (const doctype of ['HD Ticket', 'HD Customer'] as const) {
    const site = await service.doctype(doctype);
    const compared = compareFields(doctype, site);
    const missing = compared.filter(({ found }) => found === undefined).map(({ desired }) => desired.fieldname);
    if (missing.length > 0)
      yield fault(
        `${doctype} lacks ${listed(missing)}; their values are left out.`,
        'Run "deskside provision", which creates what is missing.',
      );
    for (const { desired, problem } of compared)
      if (problem) yield fault(`${doctype}: ${desired.fieldname} ${problem.text}.`, problem.todo);
    const closed = site ? closedToService(doctype, site) : [];
    if (closed.length > 0)
      yield fault(
        `The service account may not read and write ${listed(closed)} of ${doctype}.`,
        `Give Agent Manager read and write permission at that level (Role Permissions Manager, ${doctype}).`,
      );
    const needed = doctype === 'HD Customer' ? neededByCustomers(site?.fields.values() ?? []) : [];
    if (needed.length > 0)
      yield fault(
        `HD Customer needs ${needed.join(', ')}, which Deskside does not fill: no customer is made or changed.`,
        'Make it optional in "Customize Form", or give it a default.',
      );
  }
  const refused = Map.groupBy((await withRecords(at, refusals)) ?? [], ({ refusal }) => refusal);
  for (const [refusal, tickets] of refused)
    yield fault(
      `The helpdesk refuses what Deskside writes to ${listed(tickets.map(({ name }) => name))}: ${refusal}. They have no team.`,
      'Make it optional in "Customize Form", or give it a default; a ticket that somebody saves is routed within half a minute.',
    );
  return ok(`All ${Object.values(desiredFields).flat().length} fields exist and are suitable.`);
}

/**
 * The fields of a DocType as items. One that is there keeps its type, and is not made read-only.
 *
 * @param closed names of those that belong at permission level 1
 */
export function fieldItems(
  run: ProvisionRun,
  doctype: FieldedDoctype,
  compared: readonly ComparedField[],
  closed: ReadonlySet<string>,
): Item[] {
  return compared.map((field, index) => {
    const after = compared[index - 1]?.desired.fieldname ?? firstAfter[doctype];
    return fieldItem(run, doctype, field, closed.has(field.desired.fieldname), after);
  });
}

function fieldItem(
  run: ProvisionRun,
  doctype: FieldedDoctype,
  { desired, found, problem }: ComparedField,
  isClosed: boolean,
  insert_after: string,
): Item {
  const { fieldname, label, fieldtype, options, serviceOnly } = desired;
  const what = `${doctype}.${fieldname}`;
  if (problem !== null) return { what, state: 'conflict', detail: `${problem.text}; kept. ${problem.todo}` };
  if (found === undefined) {
    const type = { fieldname, label, fieldtype, ...(options !== undefined && { options }) };
    const levels = { read_only: serviceOnly ? 1 : 0, permlevel: isClosed ? 1 : 0 };
    const detail = [fieldtype, ...(serviceOnly ? ['read-only'] : []), ...(isClosed ? ['level 1'] : [])].join(', ');
    return {
      what,
      state: 'create',
      detail,
      make: making(run, 'Custom Field', { dt: doctype, ...type, insert_after, ...levels }),
    };
  }
  const { customField, permlevel } = found;
  if (!isClosed)
    return { what, state: 'exists', detail: `${found.fieldtype}${permlevel > 0 ? `, level ${permlevel}` : ''}` };
  if (customField === null)
    return { what, state: 'conflict', detail: 'a standard field of this site, which is not protected from here' };
  const make = () => run.admin.update('Custom Field', customField, { permlevel: 1 });
  return { what, state: 'change', detail: 'to permission level 1', make };
}

/** The DocType of snapshots. An existing one is left alone, as long as snapshots can be told apart. */
export async function planSnapshots(run: ProvisionRun): Promise<Item[]> {
  if (!run.settings.withSnapshots) return [];
  const what = `DocType ${customerData.name}`;
  const found = await run.admin.doctype(customerData.name);
  const make = making(run, 'DocType', customerData);
  if (found === null) return [{ what, state: 'create', detail: `${customerData.fields.length} fields`, make }];
  const missing = customerDataKey.filter((field) => !found.fields.has(field));
  if (missing.length === 0) return [{ what, state: 'exists' }];
  const detail = `has no ${missing.join(', ')}: kept; no snapshots are saved until these fields are added to it`;
  return [{ what, state: 'conflict', detail }];
}
