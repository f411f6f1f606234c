import type { Store } from '#adapters/store-sql/store.ts';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { LimitRefreshes } from '#app/crm/limit-refreshes.ts';
import { lookupCompany } from '#app/crm/lookup-company.ts';
import { createGetTicketProfile } from '#app/profile/get-ticket-profile.ts';
import { createListAround } from '#app/profile/list-around.ts';
import { createPeekAccountLinks } from '#app/profile/peek-account-links.ts';
import type { RecordResponsible } from '#app/profile/record-responsible.ts';
import type { Background } from '#app/runtime/background.ts';
import { createJudgeMatch } from '#app/trust/judge-match.ts';
import type { ReadSenderRecords } from '#app/trust/read-sender-records.ts';
import { rememberSenderKnowledge, type SenderKnowledge } from '#app/trust/sender-knowledge.ts';
import type { Raised, SenderMemory } from '#app/trust/sender-memory.ts';
import type { Config } from '#config/environment.ts';
import type { HttpDeps } from '#http/app.ts';
import type { CustomerTickets } from '#ports/helpdesk/customer-tickets.ts';
import type { Helpdesk } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Memory } from '#ports/runtime/memory.ts';
import type { CrmLayers } from './crm.ts';

/** What a profile shows is in the cache a moment later; whoever asks for the rest first waits no longer than this. */
const companyWithinMs = 4_500;

/** Part of the composition root: what an agent sees of a ticket's customer. */
export function wireProfile(parts: {
  config: Pick<Config, 'CRM_ENABLED'>;
  store: Pick<Store, 'syncLog' | 'decisions' | 'recordVersions'>;
  senderMemory: SenderMemory;
  helpdesk: Helpdesk & HelpdeskTickets & CustomerTickets;
  crm: CrmLayers | null;
  gate: AgentGate;
  readSenderRecords: ReadSenderRecords;
  limitRefreshes: LimitRefreshes;
  recordResponsible: RecordResponsible;
  claimConfirmed: (ticket: string) => void;
  memory: Memory;
  background: Background;
  clock: Clock;
}): Pick<HttpDeps, 'getTicketProfile' | 'rememberedProfile' | 'listAround'> {
  const { store, helpdesk, crm } = parts;
  const remembered = rememberSenderKnowledge(parts);
  let recordFailures = 0;
  // Without our records nothing is confirmed by them, but the profile is still of use.
  const without =
    <T>(nothing: T) =>
    (): T => {
      recordFailures += 1;
      return nothing;
    };
  const records = {
    syncLog: { latest: (ticket: string) => store.syncLog.latest(ticket).catch(without(null)) },
    decisions: { list: (ticket: string) => store.decisions.list(ticket).catch(without([])) },
    senderMemory: {
      rejections: (ticket: Raised) => parts.senderMemory.rejections(ticket).catch(without([])),
      choices: (ticket: Raised) => parts.senderMemory.choices(ticket).catch(without([])),
      about: parts.senderMemory.about,
    },
  };
  const judge = (knowledge: SenderKnowledge) => createJudgeMatch({ helpdesk, knowledge, ...records });
  const inTime = judge(remembered.inTime);
  const crmEnabled = parts.config.CRM_ENABLED;
  return {
    ...createGetTicketProfile({
      ...parts,
      senderMemory: records.senderMemory,
      recordVersions: store.recordVersions,
      recordFailures: () => recordFailures,
      crmEnabled,
      judge: { atOnce: judge(remembered.atOnce), inTime },
      peekAccountLinks: createPeekAccountLinks(parts),
    }),
    listAround: createListAround({
      ...parts,
      judge: inTime,
      async companyOf(orgId) {
        if (!crmEnabled || !crm) return null;
        const how = { refresh: false, acceptsStale: true, lane: 'open', deadlineMs: companyWithinMs } as const;
        return (await lookupCompany(crm, { orgId, ...how })).companies[0] ?? null;
      },
    }),
  };
}
