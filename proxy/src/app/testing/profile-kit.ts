import type { OrgId } from '@deskside/shared/orgid';
import { ProfileData } from '@deskside/shared/profile';
import { createAgentGate } from '#app/access/agent-gate.ts';
import { createGetTicketProfile } from '#app/profile/get-ticket-profile.ts';
import { createPeekAccountLinks } from '#app/profile/peek-account-links.ts';
import { createRecordResponsible } from '#app/profile/record-responsible.ts';
import { createBackground } from '#app/runtime/background.ts';
import { createJudgeMatch } from '#app/trust/judge-match.ts';
import { createReadSenderRecords } from '#app/trust/read-sender-records.ts';
import { rememberSenderKnowledge, type SenderKnowledge } from '#app/trust/sender-knowledge.ts';
import { lifetimesOf } from '#domain/crm/freshness.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { TicketFile } from '#ports/helpdesk/helpdesk.ts';
import { fakeBindings } from './fake-customer-notes.ts';
import { fakeHelpdesk, ticketFile } from './fake-helpdesk.ts';
import { fakeDecisions } from './fake-pipeline-store.ts';
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
  unversioned,
} from './fakes.ts';

export const orgId = '1000069001' as OrgId;
const caller = { authorization: 'token agent', digest: 'agent' };

/** The profile of ticket 61307 with fake ports. */
export function profileWorld({
  file = ticketFile('61307', orgId),
  crm = fakeCrm({ [orgId]: company(orgId) }),
  crmEnabled = true,
  configured = true,
}: {
  file?: TicketFile;
  crm?: FakeCrm;
  crmEnabled?: boolean;
  configured?: boolean;
} = {}) {
  const clock = fakeClock();
  const helpdesk = fakeHelpdesk(
    { 61307: file },
    { 'token agent': { id: 'an@desk.example', fullName: 'An', language: null, isAgent: true } },
  );
  const memory = fakeMemory(clock);
  const cache = fakeCache();
  const background = createBackground(silent);
  const syncLog = fakeSyncLog();
  const rejections = fakeRejections();
  const senderMemory = fakeSenderMemory(syncLog, rejections);
  const bindings = fakeBindings();
  const decisions = fakeDecisions();
  const gate = createAgentGate({ helpdesk, memory });
  const confirmed: string[] = [];
  const askCrm = askCrmOf({ crm, cache, clock });
  const crmDeps = {
    ...{ askCrm, cache, clock, crm, portal: crm.portal, lifetimes: lifetimesOf(60) },
    nameSegments: (found: CrmCompany[]) => found,
    metrics: uncounted,
  };
  const readSenderRecords = createReadSenderRecords({ helpdesk, bindings });
  const remembered = rememberSenderKnowledge({ helpdesk, readSenderRecords, memory, background });
  const judge = (knowledge: SenderKnowledge) =>
    createJudgeMatch({ helpdesk, knowledge, syncLog, decisions, senderMemory });
  const { getTicketProfile } = createGetTicketProfile({
    gate,
    clock,
    senderMemory,
    recordVersions: unversioned,
    recordFailures: () => 0,
    crmEnabled,
    limitRefreshes: () => {},
    crm: configured ? crmDeps : null,
    judge: { atOnce: judge(remembered.atOnce), inTime: judge(remembered.inTime) },
    peekAccountLinks: createPeekAccountLinks({ helpdesk, memory, background }),
    recordResponsible: createRecordResponsible({ helpdesk, gate, memory, background }),
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
  return { background, helpdesk, crm, clock, syncLog, rejections, senderMemory, decisions, bindings, confirmed, get };
}
