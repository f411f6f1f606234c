import { describe, expect, test } from 'vitest';
import { currentOrgId } from '#app/testing/fake-helpdesk.ts';
import { medium, small } from '#app/testing/pipeline/pipeline-crm.ts';
import {
  type PipelineWorld,
  pipelineWorld,
  saysOrgId,
  storeAt,
  withOrgId,
} from '#app/testing/pipeline/pipeline-kit.ts';
import { scale } from '#app/testing/pipeline/pipeline-rules.ts';

/** The routing fields of ticket 1 as the helpdesk has them. */
const fieldsOf = (w: PipelineWorld) => w.tickets.tickets.get('1')?.stored;

/** An agent created the ticket, so its org id is more than a claim. */
const byAgent = { origin: { owner: 'an@desk.example', raisedBy: 'vy@shop.example', viaCustomerPortal: false } };

describe('what a new ticket shows once it is routed (docs/data.md#hd-ticket)', () => {
  test('a company that somebody vouches for: every field', async () => {
    const w = pipelineWorld();
    w.tickets.insert('1', withOrgId(medium, byAgent));
    await w.run('1');
    expect(fieldsOf(w)).toEqual({
      agentGroup: scale,
      orgId: medium,
      segment: 'Medium',
      shopplan: 'Medium Scale',
      servicePlan: 'OMNI SCALE 2025 (1 năm)',
      status: 'Complete',
      error: '',
      reason: expect.stringMatching(/^Auto-routed: Customer Segment=Medium/),
      checkedAt: w.clock(),
      crmLastCheckedAt: w.clock(),
      crmNotFoundAt: null,
    });
  });

  test('an org id that the CRM does not have: when it was asked, and that it had nothing', async () => {
    const w = pipelineWorld();
    w.tickets.insert('1', withOrgId('1234567', byAgent));
    await w.run('1');
    expect(fieldsOf(w)).toMatchObject({
      segment: 'SME',
      shopplan: 'SME',
      servicePlan: '',
      status: 'Complete',
      error: '',
      checkedAt: w.clock(),
      crmLastCheckedAt: w.clock(),
      crmNotFoundAt: w.clock(),
    });
  });

  test('a CRM that fails: the error, and no time of a check', async () => {
    const w = pipelineWorld();
    w.crmDown = true;
    w.tickets.insert('1', withOrgId(medium, byAgent));
    await w.run('1');
    expect(fieldsOf(w)).toMatchObject({ status: 'API Error', error: 'CRM error: timeout', checkedAt: w.clock() });
    expect(fieldsOf(w)).not.toHaveProperty('crmLastCheckedAt');
    w.crmDown = false;
    w.clock.advance(60_000);
    await w.run('1');
    expect(fieldsOf(w)).toMatchObject({ status: 'Complete', error: '', crmLastCheckedAt: w.clock() });
  });

  test('no org id: Missing OrgID, which is nothing to complain about', async () => {
    const w = pipelineWorld();
    w.tickets.insert('1', withOrgId(null));
    await w.run('1');
    expect(fieldsOf(w)).toMatchObject({ status: 'Missing OrgID', error: '', segment: 'SME', shopplan: 'SME' });
    expect((await w.decisions.latest('1'))?.outcome.fallback).toBeNull();
    expect(w.complaints).toEqual([]);
  });

  test.each([
    ['switched off', { crmEnabled: false }, 'The CRM integration is switched off.'],
    ['not configured', { configured: false }, 'No CRM webhook is configured.'],
  ])('a CRM that is %s: Skipped, and why', async (_, options, error) => {
    const w = pipelineWorld(options);
    w.tickets.insert('1', withOrgId(medium, byAgent));
    await w.run('1');
    expect(fieldsOf(w)).toMatchObject({ status: 'Skipped', error, segment: 'SME', checkedAt: w.clock() });
    expect(fieldsOf(w)).not.toHaveProperty('crmLastCheckedAt');
  });

  test('what intake found: org id and platform domain', async () => {
    const w = pipelineWorld();
    w.shops.set('a.myplatform.example', { orgId: medium });
    w.tickets.insert('1', { ...withOrgId(null), intakeFields: storeAt('a.myplatform.example') });
    await w.run('1');
    expect(fieldsOf(w)).toMatchObject({ orgId: medium, platformDomain: 'a.myplatform.example' });
  });

  test('an org id that is written to the ticket is copied to its former fields, those that are there and empty', async () => {
    const w = pipelineWorld();
    const former = [
      { field: 'custom_platform_profile_orgid', kind: 'profile', value: null },
      { field: 'custom_org_id', kind: 'older', value: 'không rõ' },
    ] as const;
    const orgIdFields = [currentOrgId(null), ...former];
    w.tickets.insert('1', { ...withOrgId(null, { orgIdFields }), description: saysOrgId });
    w.tickets.insert('2', { ...withOrgId(null), description: saysOrgId });
    w.tickets.insert('3', withOrgId(medium, { orgIdFields: [currentOrgId(medium), ...former] }));
    for (const name of ['1', '2', '3']) await w.run(name);
    const copies = ['1', '2', '3'].map((name) => {
      const { profileOrgId, olderOrgId } = w.tickets.tickets.get(name)?.stored ?? {};
      return [profileOrgId, olderOrgId];
    });
    expect(copies).toEqual([
      [medium, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  describe('the platform domain in the store address of a ticket that has an org id', () => {
    const shop = 'tiem-hoa-mau.myplatform.example';
    const ofOrgId = (orgId: string) => `${orgId}.myplatform.example`;

    test.each([
      ['is written beside it', shop, null, shop],
      ['is written, where the address is that of the org id', ofOrgId(medium), null, ofOrgId(medium)],
      ['is not, where it is another shop’s', ofOrgId(small), null, undefined],
      ['replaces none', shop, 'b.myplatform.example', undefined],
    ])('%s', async (_, address, platformDomain, written) => {
      const w = pipelineWorld();
      w.tickets.insert('1', { ...withOrgId(medium), platformDomain, intakeFields: storeAt(address) });
      await w.run('1');
      expect(fieldsOf(w)?.platformDomain).toBe(written);
      expect((await w.decisions.latest('1'))?.inputs.findings).toHaveLength(written ? 1 : 0);
      expect(w.askedShops).toEqual([]);
    });
  });
});
