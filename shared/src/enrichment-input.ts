import * as z from 'zod/mini';
import { SyncAction } from './enrichment.ts';
import { CustomerName, Flag, Id, type Issues, refuse, TicketName } from './input.ts';
import { type OrgId, orgIdExpected, parseOrgId } from './orgid.ts';

/** Input of the enrichment endpoint (docs/api.md#enrichment). Older callers use other names for the same parameters. */
export const EnrichmentInput = z.pipe(
  z.object({
    orgid: z.nullish(Id),
    org_id: z.nullish(Id),
    haravan_orgid: z.nullish(Id),
    force: z.prefault(Flag, '0'),
    hd_customer: z.nullish(Id),
    ticket: z.nullish(Id),
    ticket_name: z.nullish(Id),
    hd_ticket: z.nullish(Id),
  }),
  z.transform((input, ctx) => ({
    /** Null if the caller gave none: that is an outcome, not an error (docs/api.md#enrichment). */
    orgid: orgIdFrom(input, ['orgid', 'org_id', 'haravan_orgid'], ctx),
    force: input.force,
    hd_customer: input.hd_customer || null,
    ticket: ticketFrom(input),
  })),
);

/** Input of the refresh endpoint (docs/api.md#refresh). */
export const RefreshInput = z.object({
  hd_customer: z.pipe(Id, CustomerName),
  contact: z.pipe(
    z.nullish(Id),
    z.transform((name) => name || null),
  ),
});

/** Input of the sync endpoint (docs/api.md#sync). `bitrix_id` is the company that the agent has on screen. */
export const SyncInput = z.pipe(
  z.object({
    ticket: z.pipe(Id, TicketName),
    company_id: z.nullish(Id),
    orgid: z.nullish(Id),
    org_id: z.nullish(Id),
    bitrix_id: z.nullish(Id),
    action: z.prefault(SyncAction, 'apply'),
    sync_id: z.nullish(Id),
    expected_customer: z.nullish(Id),
    adopt: z.nullish(Id),
    reroute: z.prefault(Flag, '0'),
  }),
  z.transform((input, ctx) => {
    if (input.action === 'undo' && !input.sync_id)
      refuse(ctx, input, 'sync_id', 'Expected the sync_id that the sync returned.');
    return {
      ticket: input.ticket,
      company_id: orgIdFrom(input, ['company_id', 'orgid', 'org_id'], ctx),
      bitrix_id: input.bitrix_id || null,
      action: input.action,
      sync_id: input.sync_id || null,
      /**
       * The customer that the preview found on the ticket, empty for none: if there is a different one now, someone
       * changed it.
       */
      expected_customer: input.expected_customer ?? null,
      /** The customer made by hand of which the caller says that it is the company. */
      adopt: input.adopt || null,
      /** Whether the ticket is decided again, its team included. */
      reroute: input.reroute,
    };
  }),
);

/** Input of intake on demand: a ticket, and optionally a store address to use instead of those on the ticket. */
export const IntakeInput = z.pipe(
  z.object({
    ticket: z.nullish(Id),
    ticket_name: z.nullish(Id),
    hd_ticket: z.nullish(Id),
    store_url: z.nullish(z.string().check(z.maxLength(2_000, 'Expected at most 2,000 characters.'))),
  }),
  z.transform((input, ctx) => {
    const ticket = ticketFrom(input);
    if (ticket === null) refuse(ctx, input, 'ticket', 'Expected the name of an HD Ticket, such as 61307.');
    return { ticket: ticket ?? '', store_url: input.store_url?.trim() || null };
  }),
);

/** The first org id given under one of the names. Only zeros count as none: that is what an empty Int field holds. */
function orgIdFrom(input: Record<string, unknown>, names: readonly string[], ctx: Issues): OrgId | null {
  const parameter = firstGiven(input, names);
  if (parameter === null || /^0+$/.test(parameter.value)) return null;
  const orgId = parseOrgId(parameter.value);
  if (orgId === null) refuse(ctx, input, parameter.name, orgIdExpected);
  return orgId;
}

/** The ticket: an `Id` follows the rules of names. */
function ticketFrom(input: Record<string, unknown>): string | null {
  return firstGiven(input, ['ticket', 'ticket_name', 'hd_ticket'])?.value ?? null;
}

/** The first value given among parameters that mean the same; null if there is none. */
function firstGiven(input: Record<string, unknown>, names: readonly string[]): { name: string; value: string } | null {
  for (const name of names) {
    const value = input[name];
    if (typeof value === 'string' && value !== '') return { name, value };
  }
  return null;
}
