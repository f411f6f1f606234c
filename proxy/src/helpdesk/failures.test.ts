import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { OrgId } from '@deskside/shared/orgid';
import type { Fault } from '@deskside/simulators/helpdesk/api';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEgress, type Upstream } from '#net/egress.ts';
import { read } from './testing/customers.ts';
import { as, generations, kind, noon, signal, useSimulatedSite } from './testing/simulated-site.ts';

const shop = { orgId: OrgId.parse('200000376001'), customer: 'Gốm Sứ Làng Mơ - 200000376001' };

const snapshot = {
  customer: shop.customer,
  externalId: '63002',
  externalUrl: null,
  matchKey: 'platform_orgid:UF_CRM_COMPANY_ID',
  confidence: 95,
  payload: '{}',
  syncedAt: noon,
};

/** An upstream with a very short time-out. */
function impatient(url: string): Upstream {
  const egress = createEgress({ allowInsecure: true });
  onTestFinished(() => egress.close());
  return egress.upstream(url, { timeoutMs: 200 });
}

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);

  describe('a helpdesk that fails', () => {
    it.each<[Fault, string]>([
      ['hang', 'timeout'],
      ['cut', 'unavailable'],
      ['html', 'bad_answer'],
      ['deadlock', 'unavailable'],
      [500, 'unavailable'],
      [502, 'unavailable'],
      [503, 'unavailable'],
      [429, 'rate_limited'],
    ])(
      'by %s is %s in every call, and nothing of its answer or of a credential gets into the error',
      async (fault, expected) => {
        // Only what never comes is waited for a short time: a busy machine may be slow to give the other answers.
        const { simulator, upstream } = await site.another(() => {});
        const helpdesk = await site.warmed({ upstream });
        const record = await read(helpdesk);
        simulator.fault = () => fault;
        if (fault === 'hang') Object.assign(upstream, impatient(simulator.url));
        const failures = await Promise.all(
          [
            helpdesk.people.identify(as(demo.agent), signal),
            helpdesk.tickets.readAs(as(demo.agent), demo.tickets.matched, signal),
            helpdesk.people.isWebsiteUser(demo.portal.name, signal),
            helpdesk.accounts.of(shop.customer, signal),
            helpdesk.rights.requireTicketWrite(as(demo.agent), demo.tickets.matched, signal),
            helpdesk.rights.requireCustomerRead(as(demo.agent), shop.customer, signal),
            helpdesk.tickets.readLink(demo.tickets.matched, signal),
            helpdesk.tickets.link({ name: demo.tickets.matched, customer: null, modified: '' }, shop.customer, signal),
            helpdesk.customers.read(shop.customer, signal),
            helpdesk.customers.findByOrgId(shop.orgId, signal),
            helpdesk.customers.create('Tiệm Mới', {}, signal),
            // Never a value that a late request of another run has written already.
            helpdesk.customers.update(record, { segment: randomUUID() }, signal),
            helpdesk.snapshots.save(snapshot, signal),
            helpdesk.assignments.list(demo.tickets.matched, signal),
            helpdesk.assignments.add(demo.tickets.matched, 'an@support.example', randomUUID(), signal),
            helpdesk.assignments.withdraw('any', signal),
            site.adapter({ upstream }).warm(signal),
          ].map((call) => call.catch((error: unknown) => error)),
        );
        for (const failure of failures) {
          expect(failure).toMatchObject(kind(expected));
          const text = inspect(failure, { depth: 9, showHidden: true });
          expect(text).not.toMatch(/Traceback|<html|Deadlock found|-secret/i);
        }
      },
    );

    it('is left alone as soon as the caller is gone, with the caller’s reason', async () => {
      const helpdesk = await site.warmed();
      site.simulator.fault = () => 'hang';
      const controller = new AbortController();
      const reason = new Error('the agent went on');
      const read = helpdesk.tickets.readAs(as(demo.agent), demo.tickets.matched, controller.signal);
      const cold = site.adapter().tickets.readAs(as(demo.agent), demo.tickets.matched, controller.signal);
      const reasons = Promise.all([read, cold].map((call) => call.catch((error: unknown) => error)));
      setImmediate(() => controller.abort(reason));
      expect(await reasons).toEqual([reason, reason]);
    });
  });
});
