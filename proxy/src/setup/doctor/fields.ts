import { type ComparedField, compareFields, type FieldFault } from '#setup/compare-fields.ts';
import { desiredFields, type FieldedDoctype } from '#setup/desired-state.ts';
import type { AdminDoctype } from '#setup/helpdesk-admin.ts';
import { column, type Deadline, type HelpdeskReader } from '#setup/helpdesk-reader.ts';
import type { RoleRow } from '#setup/website-rights.ts';
import { type AreaReport, areaReport, type DoctorFinding, finding, listed } from './finding.ts';
import type { ServiceUser } from './helpdesk.ts';

export interface DoctypeFacts {
  doctype: FieldedDoctype;
  /** Null if the site lacks the DocType itself. */
  site: AdminDoctype | null;
  /** Levels above 0 that the service account may both read and write. */
  openLevels: ReadonlySet<number>;
}

/**
 * Reads the fields and which of their levels are open to the service account. Its roles come from its own User record
 * if an administrator's key can read it, and otherwise from what Helpdesk says about it.
 */
export async function gatherFields(
  { service, admin }: { service: HelpdeskReader; admin: HelpdeskReader | null },
  me: ServiceUser,
  deadline: Deadline,
): Promise<DoctypeFacts[]> {
  const known = column((await admin?.get('User', me.user, deadline()))?.roles, 'role');
  const roles = known.length > 0 ? known : claimedRoles(me);
  return Promise.all(
    (['HD Ticket', 'HD Customer'] as const).map(async (doctype) => {
      const site = await service.doctype(doctype, deadline());
      return { doctype, site, openLevels: openLevels(site?.permissions ?? [], roles) };
    }),
  );
}

function claimedRoles({ isAgent, isManager, isAdmin }: ServiceUser): string[] {
  return [
    ...(isAgent ? ['Agent'] : []),
    ...(isManager ? ['Agent Manager'] : []),
    ...(isAdmin ? ['System Manager'] : []),
  ];
}

function openLevels(rows: readonly RoleRow[], roles: readonly string[]): Set<number> {
  const ours = rows.filter(({ role, ifOwner }) => !ifOwner && (role === 'All' || roles.includes(role)));
  const levels = (right: 'read' | 'write') =>
    new Set(ours.filter((row) => row[right]).map(({ permlevel }) => permlevel));
  return levels('read').intersection(levels('write'));
}

/** Says whether the specification's fields exist and can hold what is written to them. */
export function judgeFields(facts: readonly DoctypeFacts[]): AreaReport {
  const findings = facts.flatMap(({ doctype, site, openLevels }) =>
    wordsOf(doctype, compareFields(doctype, site, openLevels)),
  );
  const count = facts.reduce((sum, { doctype }) => sum + desiredFields[doctype].length, 0);
  return areaReport('Fields', { findings, fine: `All ${count} fields exist and are suitable.` });
}

function wordsOf(doctype: FieldedDoctype, compared: readonly ComparedField[]): DoctorFinding[] {
  return (Object.keys(texts) as FieldFault[]).flatMap((fault) => {
    const names = compared.flatMap((field) =>
      field.faults.includes(fault) ? [`${field.desired.fieldname}${detail(fault, field)}`] : [],
    );
    return names.length === 0
      ? []
      : [{ ...texts[fault](doctype, listed(names)), about: `${doctype}: ${names.join(', ')}` }];
  });
}

function detail(fault: FieldFault, { desired, found, lacking }: ComparedField): string {
  if (fault === 'unsuitable') return ` (${found?.fieldtype} instead of ${desired.suits[0]})`;
  if (fault === 'too_short') return ` (${found?.length} characters)`;
  if (fault === 'closed') return ` (level ${found?.permlevel})`;
  return fault === 'options_missing' ? ` (without ${lacking.join(', ')})` : '';
}

const texts: Record<FieldFault, (doctype: string, names: string) => DoctorFinding> = {
  missing: (doctype, names) =>
    finding(
      'field_missing',
      `${doctype} lacks ${names}; their values are left out.`,
      'Run "deskside provision", which creates what is missing.',
    ),
  int_org_id: (doctype, names) =>
    finding(
      'field_org_id_int',
      `${names} of ${doctype} is a number: an org id above 2,147,483,647 does not fit and is left out.`,
      'Create a field of type Data, copy the values, and give it this name (docs/decisions.md 6).',
    ),
  unsuitable: (doctype, names) =>
    finding(
      'field_type_unsuitable',
      `${doctype} has fields whose type cannot hold their values: ${names}.`,
      'Change the type in "Customize Form", or rename the field and run "deskside provision".',
    ),
  options_missing: (doctype, names) =>
    finding(
      'field_options_missing',
      `${doctype} lacks options: ${names}; such values are left out.`,
      'Add the options in "Customize Form", exactly as written here.',
    ),
  options_fixed: (doctype, names) =>
    finding(
      'field_options_fixed',
      `${names} of ${doctype} has fixed options, but the CRM may have any text; other values are left out.`,
      'Make it a field of type Data, or make sure that every CRM value is an option.',
    ),
  too_short: (doctype, names) =>
    finding(
      'field_too_short',
      `Fields of ${doctype} are too short: ${names}; longer values are left out.`,
      'Set "Length" to 0 in "Customize Form".',
    ),
  closed: (doctype, names) =>
    finding(
      'field_level_closed',
      `The service account may not read and write ${names} of ${doctype}.`,
      `Give Agent and Agent Manager read and write permission at that level (Role Permissions Manager, ${doctype}).`,
    ),
};
