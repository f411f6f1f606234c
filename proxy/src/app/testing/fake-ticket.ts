import type { FieldChange } from '@deskside/shared/enrichment';
import type {
  InsertedTicket,
  PipelineTicket,
  RoutingFields,
  TicketOriginal,
  TicketVersion,
} from '#ports/helpdesk/helpdesk-tickets.ts';
import { currentOrgId, ticketFile } from './fake-helpdesk.ts';

/** One ticket of the fake helpdesk: how it begins, and how it changes. */

/** What a test specifies of a new ticket. */
export type NewTicket = Partial<Omit<PipelineTicket, 'file'>> & {
  ticket?: Partial<PipelineTicket['file']['ticket']>;
  customer?: PipelineTicket['file']['customer'];
  contact?: PipelineTicket['file']['contact'];
};

/** A ticket as its sender left it; `creation` is its stamp. */
export function newTicket(
  name: string,
  { ticket, customer = null, contact = null, ...change }: NewTicket,
  creation: string,
): PipelineTicket {
  const file = ticketFile(name, null, { customer: customer?.name ?? null, contact: contact?.name ?? null, ...ticket });
  return {
    file: { ...file, customer, contact },
    key: `key-${name}`,
    status: 'Open',
    closed: isClosed(change.status),
    description: '',
    creation,
    modified: creation,
    modifiedBy: file.ticket.origin.owner,
    splitFrom: null,
    customerRecord: null,
    assignees: [],
    replied: false,
    intakeFields: [],
    platformDomain: null,
    filled: {},
    segment: null,
    reason: null,
    profileError: null,
    customerCheckedAt: null,
    ...change,
    stored: {
      agentGroup: file.ticket.agentGroup,
      orgId: file.ticket.orgIdFields.find(({ kind }) => kind === 'current')?.value ?? null,
      segment: change.segment ?? null,
      reason: change.reason ?? null,
      ...change.filled,
      ...change.stored,
    },
  };
}

/** What a write of these fields would change. */
export function changesOf({ stored }: PipelineTicket, fields: RoutingFields): FieldChange[] {
  const shown = (value: unknown) => (value === null || value === undefined || value === '' ? null : String(value));
  return Object.entries(fields).flatMap(([field, to]) =>
    shown(stored[field]) === shown(to) ? [] : [{ field, from: shown(stored[field]), to: shown(to) }],
  );
}

const times: ReadonlySet<string> = new Set<keyof RoutingFields>(['checkedAt', 'crmLastCheckedAt']);

/** Whether nothing but later times of checking would be written, which is no reason to write (docs/decisions.md 16). */
export function isLaterCheck(changes: readonly FieldChange[]): boolean {
  return changes.every(({ field, from }) => times.has(field) && from !== null);
}

export function writeFields(found: PipelineTicket, fields: RoutingFields): void {
  const stored: PipelineTicket['stored'] = { ...found.stored, ...fields };
  const filled = (['segment', 'shopplan', 'servicePlan', 'responsible'] as const).filter((field) => stored[field]);
  const { segment = null, reason = null, error: profileError = null } = stored;
  Object.assign(found, {
    stored,
    segment,
    reason,
    profileError,
    filled: Object.fromEntries(filled.map((field) => [field, stored[field]])),
  });
  if (fields.agentGroup !== undefined) setGroup(found, fields.agentGroup);
  if (fields.orgId !== undefined) {
    const others = found.file.ticket.orgIdFields.filter(({ kind }) => kind !== 'current');
    found.file.ticket.orgIdFields = [currentOrgId(fields.orgId), ...others];
  }
}

export function setGroup(ticket: PipelineTicket, group: string | null) {
  ticket.file.ticket.agentGroup = group;
  Object.assign(ticket, { stored: { ...ticket.stored, agentGroup: group } });
}

export const isClosed = (status = '') => status === 'Resolved' || status === 'Closed';

/** `YYYY-MM-DD HH:MM:SS.mmm` in UTC, which is this helpdesk's zone. */
export function stampAt(instant: number): string {
  return new Date(instant).toISOString().replace('T', ' ').replace('Z', '');
}

/** What the helpdesk's log says of a save. */
export function versionOf(by: string, before: PipelineTicket, after: PipelineTicket): TicketVersion {
  const [old, now] = [before, after].map(({ file, description }) => ({ ...file.ticket, description }));
  const address = now?.origin.raisedBy ?? null;
  return {
    by,
    ...(old && old.origin.raisedBy !== address && { raisedBy: { from: old.origin.raisedBy, to: address } }),
    textChanged: old?.subject !== now?.subject || old?.description !== now?.description,
  };
}

/** As `findOriginals` has it. */
export function mayBeOriginal(
  other: PipelineTicket,
  versions: readonly TicketVersion[],
  copy: PipelineTicket,
  inserted: InsertedTicket,
): boolean {
  const { name, origin, subject, orgIdFields } = other.file.ticket;
  if (name === inserted.splitFrom) return true;
  const ids = inserted.orgIdFields.flatMap(({ value }) => value ?? []);
  const isShared =
    [origin.raisedBy, origin.owner].includes(inserted.raisedBy ?? '') ||
    orgIdFields.some(({ value }) => ids.includes(String(value)));
  const isCopied =
    subject === copy.file.ticket.subject || (other.description && other.description === copy.description);
  const isRewritten =
    other.modified >= copy.creation &&
    (other.modifiedBy === inserted.raisedBy ||
      versions.some(({ by, textChanged }) => textChanged && by !== 'Administrator'));
  return other.creation < copy.creation && isShared && Boolean(isCopied || isRewritten);
}

export function asOriginal({ file: { ticket } }: PipelineTicket): TicketOriginal {
  const { name, origin, orgIdFields } = ticket;
  return { name, owner: origin.owner, raisedBy: origin.raisedBy, orgIdFields };
}
