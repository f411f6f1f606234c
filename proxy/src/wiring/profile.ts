import type { Store } from '#adapters/store-sql/store.ts';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { Context } from '#app/context.ts';
import type { CrmLayers } from '#app/crm/crm-layers.ts';
import type { LimitRefreshes } from '#app/crm/limit-refreshes.ts';
import { lookupCompany } from '#app/crm/lookup-company.ts';
import { createGetTicketProfile } from '#app/profile/get-ticket-profile.ts';
import { createListAround } from '#app/profile/list-around.ts';
import { createPeekAccountLinks } from '#app/profile/peek-account-links.ts';
import { createRecordCheck } from '#app/profile/record-check.ts';
import type { RecordResponsible } from '#app/profile/record-responsible.ts';
import type { Background } from '#app/runtime/background.ts';
import { type JudgeMatch, judgeMatch } from '#app/trust/judge-match.ts';
import { type Learn, learnAtOnce, learnInTime } from '#app/trust/sender-facts.ts';
import type { Raised, SenderMemory } from '#app/trust/sender-memory.ts';
import type { Config } from '#config/environment.ts';
import type { HttpDeps } from '#http/app.ts';
import type { CustomerTickets } from '#ports/helpdesk/customer-tickets.ts';
import type { Helpdesk } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskRecords } from '#ports/helpdesk/helpdesk-records.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Memory } from '#ports/runtime/memory.ts';

/** What a profile shows is in the cache a moment later; whoever asks for the rest first waits no longer than this. */
const companyWithinMs = 4_500;

/** Part of the composition root: what an agent sees of a ticket's customer. */
export function wireProfile(parts: {
  ctx: Context;
  config: Pick<Config, 'CRM_ENABLED' | 'CRM_TIMEOUT_SECONDS'> & { rules: Pick<Config['rules'], 'claims'> };
  store: Pick<Store, 'syncLog' | 'decisions' | 'customerAdoptions'>;
  senderMemory: SenderMemory;
  helpdesk: Helpdesk & HelpdeskTickets & HelpdeskRecords & CustomerTickets;
  crm: CrmLayers | null;
  gate: AgentGate;
  limitRefreshes: LimitRefreshes;
  recordResponsible: RecordResponsible;
  claimConfirmed: (ticket: string) => void;
  memory: Memory;
  background: Background;
  clock: Clock;
}): Pick<HttpDeps, 'getTicketProfile' | 'listAround'> {
  const { ctx, store, helpdesk, crm } = parts;
  // Without our records nothing is confirmed by them, but the profile is still of use.
  const records = {
    syncLog: { latest: (ticket: string) => store.syncLog.latest(ticket).catch(() => null) },
    decisions: {
      list: (ticket: string) => store.decisions.list(ticket).catch(() => []),
      insertedFor: (ticket: string) => store.decisions.insertedFor(ticket).catch(() => null),
      latest: (ticket: string) => store.decisions.latest(ticket).catch(() => null),
    },
    adoptions: { ofCustomer: (name: string) => store.customerAdoptions.ofCustomer(name).catch(() => []) },
    senderMemory: {
      rejections: (ticket: Raised) => parts.senderMemory.rejections(ticket).catch(() => []),
      choices: (ticket: Raised) => parts.senderMemory.choices(ticket).catch(() => []),
    },
  };
  const own = {
    ...ctx,
    syncLog: records.syncLog,
    decisions: records.decisions,
    rejections: {
      standing: (of: { ticket: string; sender: string | null }) => ctx.rejections.standing(of).catch(() => []),
    },
  };
  const judge =
    (learn: Learn): JudgeMatch =>
    (match, signal) =>
      judgeMatch(own, match, signal, learn);
  const inTime = judge(learnInTime(ctx));
  const crmEnabled = parts.config.CRM_ENABLED;
  const crmTimeoutMs = parts.config.CRM_TIMEOUT_SECONDS * 1_000;
  return {
    getTicketProfile: createGetTicketProfile({
      ...parts,
      ...{ senderMemory: records.senderMemory, decisions: records.decisions },
      crmEnabled,
      crmTimeoutMs,
      claims: parts.config.rules.claims,
      adoptions: records,
      judge: { atOnce: judge(learnAtOnce(ctx)), inTime },
      peekAccountLinks: createPeekAccountLinks(parts),
      recordCheck: createRecordCheck({ ...parts, records: helpdesk }),
    }),
    listAround: createListAround({
      ...parts,
      judge: inTime,
      decisions: records.decisions,
      async companyOf(orgId) {
        if (!crmEnabled || !crm) return null;
        const deadlineMs = Math.min(companyWithinMs, crmTimeoutMs);
        const how = { refresh: false, acceptsStale: true, lane: 'open', deadlineMs } as const;
        return (await lookupCompany(crm, { orgId, ...how })).companies[0] ?? null;
      },
    }),
  };
}
