import { hash } from 'node:crypto';
import { contract, type Endpoint, type Whoami } from '@deskside/shared/contract';
import type { CustomerRefreshData, EnrichmentData, SyncData } from '@deskside/shared/enrichment';
import type { FindData } from '@deskside/shared/find';
import type { ProfileData } from '@deskside/shared/profile';
import type { RejectionData } from '@deskside/shared/reject-customer';
import type { IntakeData, RoutingDecisions } from '@deskside/shared/routing';
import type { LookupStatus } from '@deskside/shared/status';
import type { Context } from 'hono';
import type { Context as VerbContext } from '#context.ts';
import { enrichCompany } from '#customers/enrich.ts';
import { findCompanies } from '#customers/find-companies.ts';
import { refreshCustomer } from '#customers/refresh-customer.ts';
import { rejectCompany, undoRejection } from '#customers/reject.ts';
import { syncTicketCustomer } from '#customers/sync.ts';
import { undoSync } from '#customers/undo-sync.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import { enrichStoreUrl } from '#intake/intake-ticket.ts';
import { getTicketProfile } from '#profile/get-profile.ts';
import { getLegacyProfile } from '#profile/legacy-profile.ts';
import { noteMissingAnchor } from '#profile/missing-anchor.ts';
import { listAround } from '#profile/other-tickets.ts';
import { listDecisions } from '#routing/explain.ts';
import { today } from '#routing/today.ts';
import { AppError } from '#runtime/app-error.ts';
import { describeCaller } from './describe-caller.ts';
import { type AnyEndpoint, endpoint } from './endpoint.ts';
import type { AppEnv } from './middleware.ts';

// The sentences about answers, which older clients show as they are (docs/api.md#envelope).

const profileMessages: Readonly<Record<LookupStatus, string>> = {
  matched: 'Customer profile loaded.',
  cached: 'Customer profile loaded.',
  not_found: 'No CRM company found.',
  missing_orgid: 'No Company ID for CRM lookup.',
  disabled: 'CRM enrichment is disabled.',
  missing_config: 'CRM is not configured.',
  error: 'CRM fetch failed.',
};

function profileMessage({ bitrix }: ProfileData): string {
  return profileMessages[bitrix.status];
}

const refreshMessages: Readonly<Record<string, string>> = {
  ...profileMessages,
  idle: 'Ticket has no linked HD Customer.',
};

function refreshMessage({ bitrix: { enabled, status } }: CustomerRefreshData): string {
  const isStored = enabled === null;
  return (isStored ? undefined : refreshMessages[status]) ?? profileMessages.matched;
}

const enrichmentMessages: Readonly<Record<LookupStatus, string>> = {
  missing_orgid: 'No orgid supplied.',
  disabled: 'CRM enrichment is disabled.',
  missing_config: 'CRM webhook is not configured.',
  cached: 'CRM check skipped by TTL.',
  not_found: 'No CRM company found.',
  error: 'CRM company fetch failed.',
  matched: 'CRM company data synced.',
};

function enrichmentMessage({ status }: EnrichmentData): string {
  return enrichmentMessages[status];
}

const syncMessages: Readonly<Record<Exclude<LookupStatus, 'matched' | 'cached'>, string>> = {
  missing_orgid: 'Ticket has no Company ID.',
  disabled: 'CRM enrichment is disabled.',
  missing_config: 'CRM webhook is not configured.',
  not_found: 'No CRM company found.',
  error: 'CRM company fetch failed.',
};
const syncedMessages: Readonly<Record<SyncData['action'], string>> = {
  preview: 'Nothing has been changed yet.',
  apply: 'Customer synced.',
  undo: 'Sync undone.',
};

function syncMessage({ action, status }: SyncData): string {
  return status === 'matched' || status === 'cached' ? syncedMessages[action] : syncMessages[status];
}

const intakeMessages: Readonly<Record<IntakeData['status'], string>> = {
  found: 'Org id found.',
  not_found: 'No org id found.',
  failed: 'No org id found, and a store address did not respond.',
};

function intakeMessage({ status }: IntakeData): string {
  return intakeMessages[status];
}

const keptMessages: Readonly<Record<NonNullable<RejectionData['kept']>, string>> = {
  read_by_other: 'Rejection undone. Nothing was put back: another website account reads the ticket.',
  other_customer: 'Rejection undone. Nothing was put back: the ticket has another customer by now.',
};

function rejectionMessage({ action, kept }: RejectionData): string {
  if (action === 'reject') return 'Company rejected.';
  return kept ? keptMessages[kept] : 'Rejection undone.';
}

function findMessage({ read_as, companies, crm, helpdesk }: FindData): string {
  if (read_as.length === 0) return 'Nothing to search for.';
  if (companies.length > 0) return 'Companies found.';
  return crm.status === 'failed' || helpdesk.status === 'failed' ? 'The search failed in part.' : 'No company found.';
}

function decisionsMessage({ decisions }: RoutingDecisions): string {
  return decisions.length > 0 ? 'Routing decisions loaded.' : 'There are no decisions on this ticket.';
}

function callerMessage({ is_agent }: Whoami): string {
  return is_agent ? 'You are signed in as an agent.' : 'You are signed in, but not as an agent.';
}

/** Whoever sends a credential; whether it is valid is for the verb to find out. */
async function signedIn(c: Context<AppEnv>) {
  return { caller: callerOf(c), requestId: c.get('requestId') };
}

/**
 * Agents. Nobody else's body is read; what is asked by GET is for the verb to refuse, which asks the helpdesk for the ticket
 * at the same time. Who is an agent is remembered, so asking again costs nothing.
 */
async function agents(c: Context<AppEnv>, { gate }: Pick<VerbContext, 'gate'>) {
  const asking = await signedIn(c);
  if (c.req.method === 'POST') await gate.requireAgent(asking.caller, c.req.raw.signal);
  return asking;
}

/** Every endpoint of the contract that takes a credential (docs/api.md). */
export const endpoints = {
  customerProfile: endpoint(contract.customerProfile, {
    who: agents,
    verb: getTicketProfile,
    message: profileMessage,
    lasts: (profile, { refresh }) => !refresh && isWhole(profile),
  }),
  legacyProfile: endpoint(contract.legacyProfile, {
    who: agents,
    verb: getLegacyProfile,
    message: refreshMessage,
  }),
  refreshCustomer: endpoint(contract.refreshCustomer, {
    who: agents,
    verb: (ctx, { hd_customer: customer, ...asked }, signal) => refreshCustomer(ctx, { customer, ...asked }, signal),
    message: refreshMessage,
  }),
  enrichCompany: endpoint(contract.enrichCompany, {
    // Integrations too: the verb finds out what they may write.
    who: signedIn,
    verb: enrichCompany,
    message: enrichmentMessage,
    success: ({ status }) => status !== 'error',
  }),
  syncTicketCustomer: endpoint(contract.syncTicketCustomer, {
    who: agents,
    verb: (ctx, { action, syncId, ...asked }, signal) =>
      action === 'undo'
        ? undoSync(ctx, { ...asked, syncId: syncId ?? '' }, signal)
        : syncTicketCustomer(ctx, { ...asked, action }, signal),
    message: syncMessage,
    success: ({ status }) => status === 'matched' || status === 'cached',
  }),
  rejectCompany: endpoint(contract.rejectCompany, {
    who: agents,
    // The schema makes sure that there is one of the two ids.
    verb: (ctx, { orgId, rejectionId, ...asked }, signal) =>
      orgId === null
        ? undoRejection(ctx, { ...asked, rejectionId: rejectionId ?? '' }, signal)
        : rejectCompany(ctx, { ...asked, orgId }, signal),
    message: rejectionMessage,
  }),
  storeUrlEnrich: endpoint(contract.storeUrlEnrich, {
    who: agents,
    verb: enrichStoreUrl,
    message: intakeMessage,
    success: ({ status }) => status !== 'failed',
  }),
  findCompanies: endpoint(contract.findCompanies, { who: agents, verb: findCompanies, message: findMessage }),
  routingDecisions: endpoint(contract.routingDecisions, {
    who: agents,
    verb: listDecisions,
    message: decisionsMessage,
  }),
  routingToday: endpoint(contract.routingToday, { who: agents, verb: today, message: () => 'Day loaded.' }),
  aroundTicket: endpoint(contract.aroundTicket, {
    who: agents,
    verb: listAround,
    message: () => 'Other tickets loaded.',
  }),
  missingAnchor: endpoint(contract.missingAnchor, { who: agents, verb: noteMissingAnchor, message: () => 'Noted.' }),
  whoami: endpoint(contract.whoami, { who: signedIn, verb: describeCaller, message: callerMessage }),
} satisfies Record<Exclude<Endpoint, 'discovery'>, AnyEndpoint>;

/**
 * Reads the caller's credential: `Bearer …` or `token key:secret`, nothing else and never a cookie
 * (docs/api.md#callers). Whether it is valid is for the helpdesk to say. Throws `unauthenticated`.
 */
function callerOf(c: Context<AppEnv>): Caller {
  const authorization = c.req.header('authorization')?.trim() ?? '';
  const scheme = /^(?:(bearer) ([\x21-\x7e]{1,4096})|(token) ([\x21-\x39\x3b-\x7e]{1,256}:[\x21-\x7e]{1,256}))$/i.exec(
    authorization,
  );
  if (!scheme) {
    c.set('isAnonymous', true);
    throw new AppError('unauthenticated');
  }
  const normal = scheme[1] ? `Bearer ${scheme[2]}` : `token ${scheme[4]}`;
  const digest = hash('sha256', normal, 'base64url');
  return { authorization: normal, digest, client: c.env?.client };
}

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
