import type { FieldedDoctype } from '#setup/desired-state.ts';
import type { AdminDoctype } from '#setup/helpdesk-admin.ts';
import type { RoleRow } from '#setup/website-rights.ts';
import type { ServiceUser } from './helpdesk.ts';
import { column, type Deadline, type HelpdeskReader } from './helpdesk-reader.ts';

/** A field as the site has it. `length`: the maximum set for a text; 0 for the type's default. */
export interface FieldFacts {
  type: string;
  options: string;
  permlevel: number;
  length: number;
}

export interface DoctypeFacts {
  doctype: FieldedDoctype;
  /** Null if the site lacks the DocType itself. */
  fields: ReadonlyMap<string, FieldFacts> | null;
  /** Levels above 0 that the service account may both read and write. */
  openLevels: ReadonlySet<number>;
}

/** Maximum lengths by field, which the administrator's view of a DocType does not include. */
export type ReadLengths = (doctype: FieldedDoctype, signal: AbortSignal) => Promise<ReadonlyMap<string, number>>;

/**
 * Reads the fields and which of their levels are open to the service account. Its roles come from its own User record
 * if an administrator's key can read it, and otherwise from what Helpdesk says about it.
 */
export async function gatherFields(
  doctypes: readonly FieldedDoctype[],
  { service, admin, lengths }: { service: HelpdeskReader; admin: HelpdeskReader | null; lengths: ReadLengths },
  me: ServiceUser,
  deadline: Deadline,
): Promise<DoctypeFacts[]> {
  const known = column((await admin?.get('User', me.user, deadline()))?.roles, 'role');
  const roles = known.length > 0 ? known : claimedRoles(me);
  return Promise.all(
    doctypes.map(async (doctype) => {
      const [meta, lengthOf] = await Promise.all([service.doctype(doctype, deadline()), lengths(doctype, deadline())]);
      return {
        doctype,
        fields: meta && fieldsOf(meta, lengthOf),
        openLevels: openLevels(meta?.permissions ?? [], roles),
      };
    }),
  );
}

function fieldsOf({ fields }: AdminDoctype, lengthOf: ReadonlyMap<string, number>): Map<string, FieldFacts> {
  return new Map(
    [...fields].map(([name, { fieldtype: type, options, permlevel }]) => [
      name,
      { type, options, permlevel, length: lengthOf.get(name) ?? 0 },
    ]),
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
