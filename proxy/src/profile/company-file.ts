import type { Company, CompanyFile } from '@deskside/shared/profile';
import type { LookupStatus } from '@deskside/shared/status';
import type { Context } from '#context.ts';
import type { CrmCompany } from '#crm/company.ts';
import { planStatus } from '#crm/company.ts';
import { alternativesOf, type Lookup } from '#crm/lookup.ts';
import { chooseContact, findOwner } from '#crm/people.ts';
import type { TicketFile } from '#helpdesk/tickets.ts';

interface FileInput {
  file: TicketFile;
  /** Whether the account owner is asked for again too. */
  refresh: boolean;
  requestId: string;
  startedAt: number;
  deadlineMs: number;
}

/** What a look-up found, with the contact who is the ticket's and the account owner. Throws nothing. */
export async function companyFile(ctx: Context, looked: Lookup, input: FileInput): Promise<CompanyFile> {
  const { file, refresh, requestId, startedAt, deadlineMs } = input;
  const block: CompanyFile = {
    ...nothingLooked(looked.status),
    outcome: looked.outcome,
    cached: looked.status === 'cached',
    stale: looked.stale,
    as_of: looked.checkedAt ? new Date(looked.checkedAt).toISOString() : null,
    error: looked.error ? { code: looked.error, request_id: requestId } : null,
  };
  const company = looked.companies[0];
  if (!company || !ctx.crm) return block;
  return {
    ...block,
    company: companyNow(company, ctx.clock()),
    contact: chooseContact(company.contacts, emailsOf(file)),
    responsible: await findOwner(ctx.crm, {
      id: company.fields.assigned_by_id,
      // A CRM that has just failed is not asked for anything else.
      refresh: refresh && looked.error === null,
      startedAt,
      deadlineMs,
    }),
    alternatives: alternativesOf(looked.companies),
  };
}

/** Where nothing was looked up. */
export function nothingLooked(status: LookupStatus): CompanyFile {
  return {
    status,
    outcome: null,
    cached: false,
    stale: false,
    as_of: null,
    error: null,
    company: null,
    contact: null,
    responsible: null,
    alternatives: [],
  };
}

function companyNow({ fields, planExpiresAt }: CrmCompany, now: number): Company {
  return { ...fields, ...planStatus(planExpiresAt, now) };
}

function emailsOf({ ticket, contact }: TicketFile): string[] {
  return [contact?.email_id, ticket.origin.raisedBy].flatMap((email) => email || []);
}
