import { describe, expect, test } from 'vitest';
import { medium, small } from '#testing/sample-companies.ts';
import { byAgent, type PipelineWorld, pipelineWorld, saysOrgId, withOrgId } from './testing/pipeline-kit.ts';
import { scale } from './testing/pipeline-rules.ts';

/** The routing fields of ticket 1 as the helpdesk has them. */
const fieldsOf = (w: PipelineWorld) => w.desk.routingOf('1');

describe('what a new ticket shows once it is routed (docs/data.md#hd-ticket)', () => {
  test('a company that somebody vouches for: every field', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium, byAgent) });
    await w.run('1');
    expect(fieldsOf(w)).toEqual({
      agentGroup: scale,
      orgId: medium,
      profileOrgId: null,
      olderOrgId: null,
      platformDomain: null,
      segment: 'Medium',
      shopplan: 'Medium Scale',
      servicePlan: 'OMNI SCALE 2025 (1 năm)',
      status: 'Complete',
      error: null,
      reason: expect.stringMatching(/^Auto-routed: Customer Segment=Medium/),
      checkedAt: w.clock(),
      crmLastCheckedAt: w.clock(),
      crmNotFoundAt: null,
      responsible: null,
    });
  });

  test('the next ticket with that org id says so too, though the answer comes from the cache', async () => {
    const w = pipelineWorld({ ttlMinutes: 10 });
    for (const ticket of ['1', '2']) {
      w.desk.insert(ticket, withOrgId('1234567', byAgent));
      await w.run(ticket);
      expect(w.desk.routingOf(ticket).reason).toContain('CRM has no company for this OrgID.');
      expect(w.desk.routingOf(ticket).crmNotFoundAt).not.toBeNull();
    }
    expect(w.crm.asked).toHaveLength(1);
  });

  test('an org id that is written to the ticket is copied to its former fields, those that are there and empty', async () => {
    const w = pipelineWorld();
    const former = { custom_org_id: 'không rõ' };
    w.desk.insert('1', withOrgId(null, { ...former, description: saysOrgId }));
    w.desk.insert('2', withOrgId(null, { description: saysOrgId }));
    w.desk.insert('3', withOrgId(medium, former));
    const without = pipelineWorld();
    without.desk.removeFields('HD Ticket', 'custom_platform_profile_orgid', 'custom_org_id');
    without.desk.insert('1', withOrgId(null, { description: saysOrgId }));
    for (const name of ['1', '2', '3']) await w.run(name);
    await without.run('1');
    const copies = ['1', '2', '3'].map((name) => {
      const { profileOrgId, olderOrgId } = w.desk.routingOf(name);
      return [profileOrgId, olderOrgId];
    });
    expect(copies).toEqual([
      [medium, 'không rõ'],
      [medium, medium],
      [null, 'không rõ'],
    ]);
    expect(without.desk.writes.at(-1)).toMatch(/^route 1 agentGroup orgId segment /);
  });

  describe('the platform domain in the store address of a ticket that has an org id', () => {
    const shop = 'tiem-hoa-mau.myplatform.example';
    const ofOrgId = (orgId: string) => `${orgId}.myplatform.example`;

    test.each([
      ['is written beside it', shop, null, shop],
      ['is written, where the address is that of the org id', ofOrgId(medium), null, ofOrgId(medium)],
      ['is not, where it is another shop’s', ofOrgId(small), null, null],
      ['replaces none', shop, 'b.myplatform.example', 'b.myplatform.example'],
    ])('%s', async (_, address, present, shown) => {
      const w = pipelineWorld({
        ticket: withOrgId(medium, { custom_myplatform_domain: present, custom_store_url: address }),
      });
      await w.run('1');
      expect(fieldsOf(w).platformDomain).toBe(shown);
      expect((await w.decided('1'))?.inputs.findings).toHaveLength(shown === address ? 1 : 0);
      expect(w.askedShops).toEqual([]);
    });
  });
});
