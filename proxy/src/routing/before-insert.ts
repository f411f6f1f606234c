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
}

/**
 * Decides a ticket's team before it is inserted, from local data; null if that proves nothing, or if the ticket has a
 * group: the pipeline decides then (docs/decisions.md 22). It tells nothing of the company: the contact is unset then, and the
 * insert may fill in a stranger's. The decision is recorded under the ticket's key, so that the group is recognised
 * afterwards. Asks neither the helpdesk nor the CRM.
 */
export async function decideBeforeInsert(
  ctx: Context,
  { key, owner, orgId, agentGroup }: UnsavedTicket,
): Promise<PlainFields | null> {
  if (agentGroup !== null || orgId === null || !ctx.crmEnabled || ctx.crm === null) return null;
  const known = await findCachedCompany(ctx.crm, orgId);
  if (known === null) return null;
  const { company, checkedAt } = known;
  const sender = owner?.trim().toLowerCase() || null;
  // The ticket has no name yet.
  // What comes with an org id at this moment comes from a session: a mail has none yet.
  const standing = (await rejections.standing(ctx.db, null, sender)).filter(({ signedIn }) => signedIn);
  if (isRejected({ orgId, crmCompanyId: company.fields.bitrix_id }, standing)) return null;
  const trust = trustBefore(sender, orgId, company);
  const checked_at = new Date(checkedAt).toISOString();
  const segment = namedSegment(company.fields);
  const shop_plan = company.fields.current_shopplan;
  const org_id = { value: orgId, source: 'ticket', field: '', trust };
  const outcome = decideRouting(
    {
      org_id,
      customer: null,
      looked_up: { segment, shop_plan, source: 'crm', checked_at },
      ticket_segment: null,
      agent_group: null,
      crm: { status: 'cached', error: null, checked_at, stale: false },
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

/** Who vouches for the company before the insert: nobody, unless the sender has one of its addresses (docs/decisions.md 22). */
function trustBefore(sender: string | null, orgId: OrgId, { emails }: CrmCompany): LookupTrust {
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
  return judgeTrust(ticket, {
    candidate,
    emails,
    syncedBy: null,
    knownTo: null,
    listedAt: null,
    enteredBy: null,
    isRejected: false,
  });
}
