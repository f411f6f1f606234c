import type { OrgId } from '@deskside/shared/orgid';
import type { LookupTrust } from '@deskside/shared/profile';
import type { Context } from '#context.ts';
import { namedSegment } from '#crm/company.ts';
import { findCachedCompany } from '#crm/lookup.ts';
import type { PlainFields } from '#helpdesk/fields.ts';
import * as decisions from '#store/decisions.ts';
import type { CrmCompany } from '#store/profile-cache.ts';
import * as rejections from '#store/rejections.ts';
import { isRejected } from '#trust/companies.ts';
import { judgeTrust, type TicketFacts } from '#trust/judge.ts';
import { decideRouting, reasonBeforeInsert } from './decide.ts';

/**
 * A ticket just before it is inserted: it has no name, no contact and usually no customer yet
 * (docs/helpdesk.md#inserting-a-ticket).
 */
export interface UnsavedTicket {
  /** The helpdesk's uuid of the ticket, which the sender cannot choose. */
  key: string;
  /** The user whose session creates it. */
  owner: string | null;
  orgId: OrgId | null;
  agentGroup: string | null;
  /** What HD Customer says of the one customer that has the org id; null: none or several have it, or it has no segment. */
  customer: { segment: string; shopPlan: string | null } | null;
}

/**
 * Decides a ticket's team before it is inserted, from the CRM's cache, else from what the helpdesk has sent along; null if that
 * proves nothing, or if the ticket has a group: the pipeline decides then (decision 22: Before Insert). It tells
 * nothing of the company: the contact is unset then, and the insert may fill in a stranger's. The decision is recorded
 * under the ticket's key, so that the group is recognised afterwards. Asks neither the helpdesk nor the CRM.
 */
export async function decideBeforeInsert(
  ctx: Context,
  { key, owner, orgId, agentGroup, customer }: UnsavedTicket,
): Promise<PlainFields | null> {
  if (agentGroup !== null || orgId === null || !ctx.crmEnabled || ctx.crm === null) return null;
  const known = await findCachedCompany(ctx.crm, orgId);
  const looked_up = known ? ofCrm(known) : customer && ofHelpdesk(customer);
  if (looked_up === null) return null;
  const sender = owner?.trim().toLowerCase() || null;
  // The ticket has no name yet. What comes with an org id at this moment comes from a session: a mail has none yet.
  const standing = (await rejections.standing(ctx.db, null, sender)).filter(({ signedIn }) => signedIn);
  if (isRejected({ orgId, crmCompanyId: known?.company.fields.bitrix_id ?? null }, standing)) return null;
  const trust = trustBefore(sender, orgId, known?.company.emails ?? []);
  const org_id = { value: orgId, source: 'ticket', field: '', trust };
  const outcome = decideRouting(
    {
      org_id,
      customer: null,
      looked_up,
      ticket_segment: null,
      agent_group: null,
      crm: known && { status: 'cached', error: null, checked_at: looked_up.checked_at, stale: false },
      findings: [],
      meta_failures: [],
    },
    ctx.routing,
  );
  if (outcome.team === null) return null;
  const reason = reasonBeforeInsert(outcome);
  await decisions.keepPreliminary(ctx.db, { key, team: outcome.team, reason, at: ctx.clock() });
  return { agentGroup: outcome.team, status: outcome.status, reason };
}

function ofCrm({ company: { fields }, checkedAt }: { company: CrmCompany; checkedAt: number }) {
  const facts = { segment: namedSegment(fields), shop_plan: fields.current_shopplan };
  return { ...facts, source: 'crm', checked_at: new Date(checkedAt).toISOString() } as const;
}

function ofHelpdesk({ segment, shopPlan }: NonNullable<UnsavedTicket['customer']>) {
  return { segment, shop_plan: shopPlan, source: 'hd_customer', checked_at: null } as const;
}

/**
 * Who vouches for the company before the insert: nobody, unless the sender has one of its addresses (decision 22:
 * Before Insert).
 */
function trustBefore(sender: string | null, orgId: OrgId, emails: readonly string[]): LookupTrust {
  const ticket: TicketFacts = {
    sender,
    owner: sender ?? '',
    ownerKind: 'other',
    maker: sender ?? '',
    makerKind: 'other',
    isSplit: false,
    isInsertKnown: true,
    insertedFor: sender,
    contactOfOther: null,
    contactAtInsertOfOther: null,
    sharedWith: null,
  };
  // Only the team and the reason are stored, and neither names the field.
  const candidate = { orgId, source: 'ticket', field: '' } as const;
  const nobodysWord = { syncedBy: null, knownTo: null, listedAt: null, enteredBy: null, isRejected: false };
  return judgeTrust(ticket, { candidate, emails, ...nobodysWord });
}
