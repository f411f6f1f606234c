import type { OrgId } from '@deskside/shared/orgid';
import type { ClaimsMode } from '@deskside/shared/routing';
import type { Call } from '#context.ts';
import { refreshesPerUser } from '#crm/lookup.ts';
import type { Urgency } from '#crm/queue.ts';
import { fakeLayers } from '#crm/testing/fakes.ts';
import { growing, matched, medium, sampleCompany, sampleCrm } from '#crm/testing/sample-companies.ts';
import { type CompanyEnrichmentInput, enrichCompany } from '#customers/enrich.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import { routingConfig } from '#routing/testing/pipeline-rules.ts';
import { createBackground } from '#runtime/jobs.ts';
import { createRateLimit, memoryBy } from '#runtime/memory.ts';
import { silent } from '#runtime/testing/quiet.ts';
import { keepInsert } from '#store/testing/inserted.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { syncTicketCustomer, type TicketSyncInput } from '#sync/sync.ts';
import { undoSync } from '#sync/undo-sync.ts';
import { type Desk, newDesk } from './desk.ts';
import { callerOf } from './desk-seed.ts';
import { testContext } from './test-context.ts';

export const orgId = medium;
export const otherOrgId = growing;
export const agent = callerOf('an');
export const otherAgent = callerOf('ba');
export const portalCustomer = callerOf('vy');
export const ticket = '61307';
/** The name that a new customer of the sample company gets. */
export const newName = `Shop ${orgId} - ${orgId}`;

type KitInput<Asked> = Partial<Asked> & { caller?: Caller };

const apply = {
  bitrix_id: '63001',
  action: 'apply',
  sync_id: null,
  expected_customer: null,
  adopt: null,
  reroute: false,
} as const;

/**
 * The verbs that make companies customers, on a desk with one ticket, `made` of these values. What the CRM says is a
 * function that tests can replace, the sample company unless they do; what it is asked is recorded. It is asked every time,
 * unless its answers keep for some minutes.
 */
export function enrichmentWorld({
  crmEnabled = true,
  configured = true,
  platformHost = null,
  made = { custom_orgid: orgId },
  claims = 'accept',
  ttlMinutes = 0,
  desk = newDesk(),
}: {
  crmEnabled?: boolean;
  configured?: boolean;
  platformHost?: string | null;
  made?: Record<string, unknown>;
  claims?: ClaimsMode;
  ttlMinutes?: number;
  desk?: Desk;
} = {}) {
  const { clock } = desk;
  const store = memoryStore(clock);
  const { customer, ...values } = made;
  desk.insert(ticket, values);
  const insert = desk.insertOf(ticket);
  const told = insert && keepInsert(store.db, ticket, insert, clock());
  /** A person links the ticket to another customer in the helpdesk. */
  const link = (name: string | null) => {
    if (name !== null && !desk.customers.has(name)) desk.customers.set(name);
    desk.setsCustomer(ticket, name);
  };
  if (typeof customer === 'string') link(customer);
  /** Tickets whose claim was reported as confirmed. */
  const confirmed: string[] = [];
  const asked: (Urgency & { orgId: OrgId })[] = [];
  const crm = sampleCrm();
  crm.answer = () => matched(sampleCompany());
  const layers = fakeLayers({ crm, clock, db: store.db, ttlMinutes });
  const findCompany = layers.findCompany.bind(layers);
  layers.findCompany = (one, urgency) => {
    asked.push({ orgId: one, ...urgency });
    return findCompany(one, urgency);
  };

  /** One process: several share desk and store. */
  const process = () => {
    const ctx = testContext({
      desk,
      store,
      crm: configured ? layers : null,
      crmEnabled,
      platformHost,
      routing: { ...routingConfig, claims },
      refreshes: createRateLimit(memoryBy(clock), refreshesPerUser, clock),
      pause: async (ms) => void clock.advance(ms),
      background: {
        ...createBackground(silent),
        run: (task: string) => void confirmed.push(task.replace(/^claim /, '')),
      },
    });
    const call = (caller = agent): Call => ({ ...ctx, caller, requestId: 'r1' });
    return {
      ctx,
      call,
      enrich: async ({ caller, ...asked }: KitInput<CompanyEnrichmentInput> = {}) => {
        await told;
        return enrichCompany(call(caller), { orgid: orgId, force: false, hd_customer: null, ticket: null, ...asked });
      },
      sync: async ({ caller, ...asked }: KitInput<TicketSyncInput> = {}) => {
        await told;
        return syncTicketCustomer(call(caller), { ...apply, ticket, company_id: orgId, ...asked });
      },
      undo: (sync_id: string, { caller, ...asked }: KitInput<{ ticket: string }> = {}) =>
        undoSync(call(caller), { ticket, sync_id, ...asked }),
    };
  };
  return {
    desk,
    clock,
    store,
    db: store.db,
    rows: store.rows,
    asked,
    confirmed,
    crm,
    layers,
    process,
    link,
    ...process(),
  };
}
