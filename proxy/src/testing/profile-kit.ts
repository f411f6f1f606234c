import { ProfileData } from '@deskside/shared/profile';
import type { ClaimsMode } from '@deskside/shared/routing';
import { vi } from 'vitest';
import { fakeCrm, fakeLayers } from '#crm/testing/fakes.ts';
import { medium } from '#crm/testing/sample-companies.ts';
import { getProfile } from '#profile/get-profile.ts';
import { routingConfig } from '#routing/testing/pipeline-rules.ts';
import { keepInsert } from '#store/testing/inserted.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { company } from '#store/testing/sample-company.ts';
import { newDesk } from './desk.ts';
import { callBy, testContext } from './test-context.ts';

export const orgId = medium;

/** The time that is kept for everything but the last moment of an answer. */
const almostAllMs = 4_490;

/** The profile of ticket 61307, `made` of these values. */
export function profileWorld({
  made = { custom_orgid: orgId } as Record<string, unknown>,
  crm = fakeCrm({ [orgId]: company(orgId) }),
  crmEnabled = true,
  configured = true,
  crmTimeoutMs = 15_000,
  claims = 'hold' as ClaimsMode,
  desk = newDesk(),
} = {}) {
  const { clock } = desk;
  desk.insert('61307', made);
  const store = memoryStore(clock);
  const insert = desk.insertOf('61307');
  const told = insert && keepInsert(store.db, '61307', insert, clock());
  const layers = fakeLayers({ crm, clock, db: store.db });
  const [findCompany, findUser] = [layers.findCompany.bind(layers), layers.findUser.bind(layers)];
  /** How long the CRM was given each time, in milliseconds. */
  const waits: number[] = [];
  layers.findCompany = (one, urgency) => {
    waits.push(urgency.deadline - clock());
    return findCompany(one, urgency);
  };
  layers.findUser = (id, urgency) => {
    waits.push(urgency.deadline - clock());
    return findUser(id, urgency);
  };
  const ctx = testContext({
    desk,
    store,
    routing: { ...routingConfig, claims },
    crm: configured ? layers : null,
    crmEnabled,
    crmTimeoutMs,
    refreshes: { spend: () => {}, spendAhead: () => 0 },
  });
  /** The profile. */
  const get = async (refresh = false, known = false) => {
    await told;
    return ProfileData.parse(await getProfile(callBy(ctx, 'an'), { ticket: '61307', refresh, known }));
  };
  return {
    ...ctx,
    ctx,
    crm,
    waits,
    /** The tickets whose claim is judged again. */
    confirmed: () => store.rows.waiting,
    /** How often something was written to the ticket. */
    told: () => desk.writes.filter((write) => write.startsWith('route')),
    get,
    /** The profile, while the helpdesk does not say who made the ticket, which it is asked once. Fails if the answer takes longer than its time. */
    async getWhileHelpdeskHangs() {
      const { isDesk } = desk.helpdesk.people;
      const { answer } = crm;
      desk.helpdesk.people.isDesk = async () => {
        desk.helpdesk.people.isDesk = isDesk;
        return new Promise(() => {});
      };
      crm.answer = (id) => {
        crm.answer = answer;
        clock.advance(almostAllMs);
        return answer(id);
      };
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        let profile: ProfileData | undefined;
        const got = get().then((given) => (profile = given));
        for (let ms = 0; profile === undefined && ms < 4_500; ms += 10) {
          await new Promise(setImmediate);
          await vi.advanceTimersByTimeAsync(10);
        }
        if (profile === undefined) throw new Error('The answer waits for the helpdesk.');
        return got;
      } finally {
        vi.useRealTimers();
      }
    },
  };
}
