import type { OrgId } from '@deskside/shared/orgid';
import { ProfileData } from '@deskside/shared/profile';
import type { ClaimsMode } from '@deskside/shared/routing';
import { createAgentGate } from '#app/access/agent-gate.ts';
import type { AskCrm } from '#app/crm/ask-crm.ts';
import { getTicketProfile } from '#app/profile/get-ticket-profile.ts';
import { rememberedIn } from '#app/remembered.ts';
import { createBackground } from '#app/runtime/background.ts';
import { lifetimesOf } from '#domain/crm/freshness.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { TicketFile } from '#ports/helpdesk/helpdesk.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { fakeHelpdesk, oneHelpdesk, ticketFile } from './fake-helpdesk.ts';
import { fakeRecords } from './fake-records.ts';
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
import { newDesk } from './former-desk.ts';

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
  const { bindings, decisions, rejections, syncLog } = store;
  const gate = createAgentGate({ helpdesk, memory });
  const records = fakeRecords(desk);
  /** Tickets whose claim is judged again. */
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
    askCrm,
    cache,
    clock,
    crm,
    portal: crm.portal,
    lifetimes: lifetimesOf(60),
    nameSegments: (found: CrmCompany[]) => found,
    metrics: uncounted,
  };
  const ctx = {
    adoptions: store.adoptions,
    background,
    bindings,
    claims,
    clock,
    crm: configured ? crmDeps : null,
    crmEnabled,
    crmTimeoutMs,
    decisions,
    gate,
    helpdesk: oneHelpdesk(helpdesk, records, {}),
    inbox: { enqueue: async (tickets: readonly string[]) => void confirmed.push(...tickets) },
    limitRefreshes: () => {},
    rejections,
    remembered: rememberedIn(memory),
    syncLog,
  };

  const get = async (refresh = false) =>
    ProfileData.parse(
      await getTicketProfile(ctx, { caller, ticket: '61307', refresh, requestId: 'r1' }, new AbortController().signal),
    );
  return {
    background,
    helpdesk,
    records,
    crm,
    clock,
    waits,
    syncLog,
    rejections,
    decisions,
    bindings,
    confirmed,
    get,
  };
}
