import { contract } from '@deskside/shared/contract';
import type { ProfileData } from '@deskside/shared/profile';
import type { Context } from 'hono';
import { callerOf } from './caller.ts';
import type { AppEnv } from './context.ts';
import { endpoint, type Served } from './endpoint.ts';
import {
  callerMessage,
  decisionsMessage,
  enrichmentMessages,
  findMessage,
  intakeMessages,
  profileMessage,
  refreshMessage,
  syncMessage,
} from './messages.ts';
import type { Verbs } from './verbs.ts';

/** Whoever sends a credential; whether it is valid is for the verb to find out. */
async function signedIn(c: Context<AppEnv>) {
  return { caller: callerOf(c), requestId: c.get('requestId') };
}

/**
 * Agents. Nobody else's body is read; what is asked by GET is for the verb to refuse, which asks the helpdesk for the ticket
 * at the same time. Who is an agent is remembered, so asking again costs nothing.
 */
async function agents(c: Context<AppEnv>, { requireAgent }: Pick<Verbs, 'requireAgent'>) {
  const asking = await signedIn(c);
  if (c.req.method === 'POST') await requireAgent(asking.caller, c.req.raw.signal);
  return asking;
}

/** Every endpoint of the contract that takes a credential (docs/api.md). */
export const endpoints: readonly Served[] = [
  endpoint(contract.customerProfile, {
    who: agents,
    verb: (ctx, asked, signal) => ctx.getTicketProfile(asked, signal),
    message: profileMessage,
    lasts: (profile, { refresh }) => !refresh && isWhole(profile),
  }),
  endpoint(contract.legacyProfile, {
    who: agents,
    verb: (ctx, asked, signal) => ctx.getLegacyProfile(asked, signal),
    message: refreshMessage,
  }),
  endpoint(contract.refreshCustomer, {
    who: agents,
    verb: (ctx, { hd_customer: customer, ...asked }, signal) => ctx.refreshCustomer({ customer, ...asked }, signal),
    message: refreshMessage,
  }),
  endpoint(contract.enrichCompany, {
    who: agents,
    verb: (ctx, asked, signal) => ctx.enrichCompany(asked, signal),
    message: ({ status }) => enrichmentMessages[status],
    success: ({ status }) => status !== 'error',
  }),
  endpoint(contract.syncTicketCustomer, {
    who: agents,
    verb: (ctx, { action, syncId, ...asked }, signal) =>
      action === 'undo'
        ? ctx.undoSync({ ...asked, syncId: syncId ?? '' }, signal)
        : ctx.syncTicketCustomer({ ...asked, action }, signal),
    message: syncMessage,
    success: ({ status }) => status === 'matched' || status === 'cached',
  }),
  endpoint(contract.rejectCompany, {
    who: agents,
    // The schema makes sure that there is one of the two ids.
    verb: (ctx, { orgId, rejectionId, ...asked }, signal) =>
      orgId === null
        ? ctx.undoRejection({ ...asked, rejectionId: rejectionId ?? '' }, signal)
        : ctx.rejectCompany({ ...asked, orgId }, signal),
    message: ({ action }) => (action === 'undo' ? 'Rejection undone.' : 'Company rejected.'),
  }),
  endpoint(contract.storeUrlEnrich, {
    who: agents,
    verb: (ctx, asked, signal) => ctx.enrichStoreUrl(asked, signal),
    message: ({ status }) => intakeMessages[status],
    success: ({ status }) => status !== 'failed',
  }),
  endpoint(contract.findCompanies, {
    who: agents,
    verb: (ctx, asked, signal) => ctx.findCompanies(asked, signal),
    message: findMessage,
  }),
  endpoint(contract.routingDecisions, {
    who: agents,
    verb: (ctx, asked, signal) => ctx.listDecisions(asked, signal),
    message: decisionsMessage,
  }),
  endpoint(contract.aroundTicket, {
    who: agents,
    verb: (ctx, asked, signal) => ctx.listAround(asked, signal),
    message: 'Other tickets loaded.',
  }),
  endpoint(contract.missingAnchor, {
    who: agents,
    verb: (ctx, asked, signal) => ctx.noteMissingAnchor(asked, signal),
    message: 'Noted.',
  }),
  endpoint(contract.whoami, {
    who: signedIn,
    verb: (ctx, asked, signal) => ctx.describeCaller(asked, signal),
    message: callerMessage,
  }),
];

/** Whether nothing of a profile is missing, old or failed. */
function isWhole({ pending, bitrix }: ProfileData): boolean {
  const companies = [bitrix, ...bitrix.also_named.map(({ file, trust }) => ({ ...file, lookup_trust: trust }))];
  return (
    pending.length === 0 &&
    companies.every(
      ({ company, stale, error, lookup_trust }) => !stale && error === null && (company === null || lookup_trust),
    )
  );
}
