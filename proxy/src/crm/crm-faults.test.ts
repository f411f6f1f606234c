import { OrgId } from '@deskside/shared/orgid';
import { crmFaults } from '@deskside/simulators/crm/faults';
import { type CrmSimulator, startCrm } from '@deskside/simulators/crm/server';
import { sharedSeed } from '@deskside/simulators/seed/index';
import { describe, expect, test, vi } from 'vitest';
import type { LookupFields } from '#store/schema.ts';
import { type LookupInput, lookupCompany } from './lookup.ts';
import { inFolder, openLayers } from './testing/crm-layers.ts';

const known = OrgId.parse('200000376001');
const unknown = OrgId.parse('1999999999');
/** Nobody waits longer for an answer that does not come; one that does come has all the time it needs. */
const deadlineMs = (fault: CrmSimulator['fault']) => (fault === null || answering.has(fault) ? 60_000 : 200);
const answering = new Set<unknown>(['wrong_company', 'ignored_filter']);
const hour = 3_600_000;

interface Bench {
  crm: CrmSimulator;
  look(orgId: OrgId, how?: Partial<LookupInput>): ReturnType<typeof lookupCompany>;
  /** Moves everybody's clock. */
  later(ms: number): void;
}

/** A CRM and the layers before it, for one test. */
function withLayers(work: (bench: Bench) => Promise<void>): Promise<void> {
  return inFolder(async (data) => {
    const realNow = Date.now;
    let ahead = 0;
    const spy = vi.spyOn(Date, 'now').mockImplementation(() => realNow() + ahead);
    const crm = await startCrm({ seed: sharedSeed().crm });
    const { layers, close } = await openLayers({ crm, data, environment: { CRM_TIMEOUT_SECONDS: '55' } });
    try {
      await work({
        crm,
        look: (orgId, how) =>
          lookupCompany(layers, { orgId, refresh: false, deadlineMs: deadlineMs(crm.fault), ...how }),
        later: (ms) => {
          ahead += ms;
        },
      });
    } finally {
      await close();
      await crm.close();
      spy.mockRestore();
    }
  });
}

describe.each<LookupFields>(['company_id_then_platform_orgid', 'platform_orgid_then_company_id'])(
  'looked up by %s',
  (by) => {
    test('without a fault an org id that nobody has is not found, and one that somebody has is matched', () =>
      withLayers(async ({ look }) => {
        expect(await look(unknown, { by })).toMatchObject({ status: 'not_found', outcome: 'not_found' });
        expect(await look(known, { by })).toMatchObject({ status: 'matched', outcome: 'matched' });
      }));

    describe.each(crmFaults)('%s', (fault) => {
      // A portal that shows its first fifty companies may have the right one among them.
      const shows = fault === 'ignored_filter';

      test('when nothing is known yet: a company that exists is never "not found"', () =>
        withLayers(async ({ look, crm }) => {
          crm.fault = fault;
          const looked = await look(known, { by });
          if (shows) expect(looked).toMatchObject({ status: 'matched', companies: { length: 1 } });
          else expect(looked).toMatchObject({ status: 'error', outcome: null, companies: [] });
        }));

      test('when nothing is known yet: of one that does not exist, nobody says so', () =>
        withLayers(async ({ look, crm }) => {
          crm.fault = fault;
          const looked = await look(unknown, { by });
          // An empty list has no row that could be another company's: both searches did answer, empty.
          if (fault === 'wrong_company') expect(looked.status).toBe('not_found');
          else expect(looked).toMatchObject({ status: 'error', outcome: null, companies: [] });
        }));

      test('on a refresh: the last good answer stays, marked old, whichever it is', () =>
        withLayers(async ({ look, crm }) => {
          const good = await look(known, { by });
          await look(unknown, { by });
          crm.fault = fault;
          const again = await look(known, { by, refresh: true });
          if (shows) expect(again.status).toBe('matched');
          else
            expect(again).toMatchObject({
              status: 'error',
              outcome: 'matched',
              stale: true,
              checkedAt: good.checkedAt,
            });
          expect(again.companies.map(({ fields }) => fields)).toEqual(good.companies.map(({ fields }) => fields));
          const negative = await look(unknown, { by, refresh: true });
          if (fault !== 'wrong_company')
            expect(negative).toMatchObject({ status: 'error', outcome: 'not_found', stale: true });
        }));

      test('after the lifetime: an opened ticket still shows the company, and a missing one is an error', () =>
        withLayers(async ({ look, later, crm }) => {
          const good = await look(known, { by });
          await look(unknown, { by });
          later(2 * hour);
          crm.fault = fault;
          const opened = await look(known, { by });
          expect(opened).toMatchObject({ outcome: 'matched', stale: !shows });
          expect(opened.companies.map(({ fields }) => fields)).toEqual(good.companies.map(({ fields }) => fields));
          if (fault !== 'wrong_company') expect((await look(unknown, { by })).status).toBe('error');
        }));
    });
  },
);

test('whatever fails in between, "not found" is said exactly when the search answered, empty', () =>
  withLayers(async ({ look, later, crm }) => {
    const faults = crmFaults.filter(
      (fault) => !['hang', 'slow_body', 'wrong_company', 'ignored_filter', 'huge'].includes(fault),
    );
    let seed = 42;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    for (let round = 0; round < 60; round += 1) {
      const fault = random(2) === 0 ? null : (faults[random(faults.length)] ?? null);
      crm.fault = fault;
      const before = crm.journal.length;
      const { status } = await look(unknown, { refresh: true, deadlineMs: 60_000 });
      expect(crm.journal.length).toBeGreaterThan(before);
      expect(status).toBe(fault === null ? 'not_found' : 'error');
      // Past every breaker.
      later(6 * 60_000);
    }
  }));
