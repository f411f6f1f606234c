import { demo, type HelpdeskSeed } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { generations, signal, useSimulatedSite } from './testing/simulated-site.ts';

describe.each(generations)('what website users of Helpdesk %s may set', (generation) => {
  const site = useSimulatedSite(generation);
  const helpdeskOf = (change: (seed: HelpdeskSeed) => void) => {
    const simulator = site.seeded(change);
    return { simulator, helpdesk: site.adapter() };
  };

  test('the CRM id of a customer: in 1.28 the managers of the customer may, unless it is protected', async () => {
    expect(await site.adapter().rights.crmIdIsProtected(signal)).toBe(true);
    const { helpdesk } = helpdeskOf((seed) => {
      delete seed.protectedFields;
    });
    expect(await helpdesk.rights.crmIdIsProtected(signal)).toBe(generation === '1.24');
  });

  test('is asked once in ten minutes, in two requests', async () => {
    const helpdesk = site.adapter();
    await Promise.all([helpdesk.rights.crmIdIsProtected(signal), helpdesk.rights.crmIdIsProtected(signal)]);
    await helpdesk.rights.crmIdIsProtected(signal);
    expect(site.calls()).toHaveLength(2);
  });

  test('where the service account may not read the roles nothing is protected, which is said and asked once in ten minutes', async () => {
    const { simulator, helpdesk } = helpdeskOf(({ users }) => {
      for (const user of users) if (user.name === demo.service.name) user.roles = ['Agent'];
    });
    expect([await helpdesk.rights.crmIdIsProtected(signal), await helpdesk.rights.crmIdIsProtected(signal)]).toEqual([
      false,
      false,
    ]);
    expect(site.warnings).toHaveLength(1);
    expect(simulator.journal).toHaveLength(2);
  });

  test('a helpdesk that does not answer is asked again', async () => {
    site.simulator.fault = () => 503;
    const helpdesk = site.adapter();
    expect(await helpdesk.rights.crmIdIsProtected(signal)).toBe(false);
    site.simulator.fault = null;
    expect(await helpdesk.rights.crmIdIsProtected(signal)).toBe(true);
  });
});
