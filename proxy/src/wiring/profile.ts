import type { Store } from '#adapters/store-sql/store.ts';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { LimitRefreshes } from '#app/crm/limit-refreshes.ts';
import { createGetTicketProfile, type GetTicketProfile } from '#app/profile/get-ticket-profile.ts';
import { createPeekAccountLinks } from '#app/profile/peek-account-links.ts';
import type { RecordResponsible } from '#app/profile/record-responsible.ts';
import type { Background } from '#app/runtime/background.ts';
import { createJudgeMatch } from '#app/trust/judge-match.ts';
import type { ReadSenderRecords } from '#app/trust/read-sender-records.ts';
import { rememberSenderKnowledge, type SenderKnowledge } from '#app/trust/sender-knowledge.ts';
import type { Config } from '#config/environment.ts';
import type { Clock } from '#ports/clock.ts';
import type { Helpdesk } from '#ports/helpdesk.ts';
import type { HelpdeskTickets } from '#ports/helpdesk-tickets.ts';
import type { Memory } from '#ports/memory.ts';
import type { CrmLayers } from './crm.ts';

/** Part of the composition root: what an agent sees of a ticket's customer. */
export function wireProfile(parts: {
  config: Pick<Config, 'CRM_ENABLED'>;
  store: Pick<Store, 'syncLog' | 'decisions'>;
  helpdesk: Helpdesk & HelpdeskTickets;
  crm: CrmLayers | null;
  gate: AgentGate;
  readSenderRecords: ReadSenderRecords;
  limitRefreshes: LimitRefreshes;
  recordResponsible: RecordResponsible;
  claimConfirmed: (ticket: string) => void;
  memory: Memory;
  background: Background;
  clock: Clock;
}): GetTicketProfile {
  const { store, helpdesk } = parts;
  const remembered = rememberSenderKnowledge(parts);
  // Without our records nothing is confirmed by them, but the profile is still of use.
  const records = {
    syncLog: { latest: (ticket: string) => store.syncLog.latest(ticket).catch(() => null) },
    decisions: { list: (ticket: string) => store.decisions.list(ticket).catch(() => []) },
  };
  const judge = (knowledge: SenderKnowledge) => createJudgeMatch({ helpdesk, knowledge, ...records });
  return createGetTicketProfile({
    ...parts,
    crmEnabled: parts.config.CRM_ENABLED,
    judge: { atOnce: judge(remembered.atOnce), inTime: judge(remembered.inTime) },
    peekAccountLinks: createPeekAccountLinks(parts),
  });
}
