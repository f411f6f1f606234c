import type { FieldChange } from '@deskside/shared/enrichment';
import type { PipelineTicket, RoutingFields } from '#ports/helpdesk/helpdesk-tickets.ts';
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
    replied: false,
    intakeFields: [],
    platformDomain: null,
    segment: null,
    reason: null,
    customerCheckedAt: null,
    ...change,
    stored: {
      agentGroup: file.ticket.agentGroup,
      orgId: file.ticket.orgIdFields.find(({ kind }) => kind === 'current')?.value ?? null,
      segment: change.segment ?? null,
      reason: change.reason ?? null,
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
  Object.assign(found, { stored, segment: stored.segment ?? null, reason: stored.reason ?? null });
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
