import type { OrgId } from '@deskside/shared/orgid';
import { ProfileData } from '@deskside/shared/profile';
import type { ClaimsMode } from '@deskside/shared/routing';
import { memoryStore } from '#adapters/store-sql/testing/memory-store.ts';
import { createAgentGate } from '#app/access/agent-gate.ts';
import type { AskCrm } from '#app/crm/ask-crm.ts';
import { createGetTicketProfile } from '#app/profile/get-ticket-profile.ts';
import { createPeekAccountLinks } from '#app/profile/peek-account-links.ts';
import { createRecordCheck } from '#app/profile/record-check.ts';
import { createRecordResponsible } from '#app/profile/record-responsible.ts';
import { rememberedIn } from '#app/remembered.ts';
import { createBackground } from '#app/runtime/background.ts';
import { type JudgeMatch, judgeMatch } from '#app/trust/judge-match.ts';
import { type Learn, learnAtOnce, learnInTime } from '#app/trust/sender-facts.ts';
import { lifetimesOf } from '#domain/crm/freshness.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { TicketFile } from '#ports/helpdesk/helpdesk.ts';
import { newDesk } from './desk.ts';
import { fakeAdoptions, fakeBindings } from './fake-customer-notes.ts';
import { fakeHelpdesk, ticketFile } from './fake-helpdesk.ts';
import { fakeDecisions } from './fake-pipeline-store.ts';
import { fakeRecords } from './fake-records.ts';
import { fakeRejections, fakeSenderMemory, fakeSyncLog } from './fake-sender-memory.ts';
import {
  askCrmOf,
  company,
  type FakeCrm,
  fakeCache,
  fakeClock,
  fakeCrm,
  fakeMemory,
  silent,
  uncounted,
} from './fakes.ts';

export const orgId = '1000069001' as OrgId;
const caller = { authorization: 'token agent:agent', digest: 'agent' };

/** The profile of ticket 61307 with fake ports. */
export function profileWorld({
  file = ticketFile('61307', orgId),
  crm = fakeCrm({ [orgId]: company(orgId) }),
  crmEnabled = true,
  configured = true,
  crmTimeoutMs = 15_000,
  claims = 'route',
}: {
  file?: TicketFile;
  crm?: FakeCrm;
  crmEnabled?: boolean;
  configured?: boolean;
  crmTimeoutMs?: number;
  claims?: ClaimsMode | null;
} = {}) {
  const clock = fakeClock();
  const users = { 'token agent:agent': { id: 'an@desk.example', fullName: 'An', language: null, isAgent: true } };
  const desk = newDesk(users, clock);
  const helpdesk = fakeHelpdesk({ 61307: file }, users, desk);
  const memory = fakeMemory(clock);
  const cache = fakeCache();
  const background = createBackground(silent);
  const store = memoryStore(clock);
  const syncLog = fakeSyncLog(store);
  const rejections = fakeRejections(store);
  const senderMemory = fakeSenderMemory(syncLog, rejections);
  const bindings = fakeBindings(store);
  const adoptions = fakeAdoptions(store);
  const decisions = fakeDecisions(store);
  const gate = createAgentGate({ helpdesk, memory });
  const records = fakeRecords(desk);
  const confirmed: string[] = [];
  const asking = askCrmOf({ crm, cache, clock });
  /** How long the CRM was given each time, in milliseconds. */
  const waits: number[] = [];
  const askCrm: AskCrm = {
    companies(orgIds, question) {
      waits.push(question.deadline - clock());
      return asking.companies(orgIds, question);
    },
    user(id, urgency) {
      waits.push(urgency.deadline - clock());
      return asking.user(id, urgency);
    },
  };
  const crmDeps = {
    ...{ askCrm, cache, clock, crm, portal: crm.portal, lifetimes: lifetimesOf(60) },
    nameSegments: (found: CrmCompany[]) => found,
    metrics: uncounted,
  };
  const ctx = { helpdesk, bindings, syncLog, decisions, rejections, background, remembered: rememberedIn(memory) };
  const judge =
    (learn: Learn): JudgeMatch =>
    (match, signal) =>
      judgeMatch(ctx, match, signal, learn);
  const getTicketProfile = createGetTicketProfile({
    gate,
    clock,
    decisions,
    senderMemory,
    crmEnabled,
    crmTimeoutMs,
    limitRefreshes: () => {},
    crm: configured ? crmDeps : null,
    adoptions: { adoptions, decisions },
    judge: { atOnce: judge(learnAtOnce(ctx)), inTime: judge(learnInTime(ctx)) },
    peekAccountLinks: createPeekAccountLinks({ helpdesk, memory, background }),
    recordResponsible: createRecordResponsible({ helpdesk, gate, memory, background }),
    recordCheck: createRecordCheck({ records, memory, background }),
    background,
    claims,
    claimConfirmed: (ticket) => void confirmed.push(ticket),
  });

  const get = async (refresh = false) =>
    ProfileData.parse(
      await getTicketProfile({
        caller,
        ticket: '61307',
        refresh,
        requestId: 'r1',
        signal: new AbortController().signal,
      }),
    );
  return {
    ...{
      background,
      helpdesk,
      records,
      crm,
      clock,
      waits,
      syncLog,
      rejections,
      senderMemory,
      decisions,
      bindings,
      confirmed,
    },
    get,
  };
}
