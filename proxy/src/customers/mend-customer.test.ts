import { describe, expect, test } from 'vitest';
import { matched, modifiedAt, sampleCompany } from '#crm/testing/sample-companies.ts';
import { enrichmentWorld, newName, ticket } from '#testing/enrichment-kit.ts';

const minute = 60_000;

type World = ReturnType<typeof enrichmentWorld>;

/** The CRM still has the same version of the company, which reads otherwise by now: its segment has another name. */
function renamed(w: World, segment = 'Mid-Market', at = modifiedAt): void {
  w.clock.advance(61 * minute);
  w.crm.answer = () => matched(sampleCompany({ modifiedAt: at }, { customer_segment: segment }));
}

/** A customer that enrichment has made, with the segment Medium. */
async function enriched(ttlMinutes = 0): Promise<World> {
  const w = enrichmentWorld({ ttlMinutes });
  await w.enrich();
  w.desk.writes.length = 0;
  return w;
}

const segmentOf = (w: World) => w.desk.customers.get(newName)?.segment;

describe.each<[string, (w: World) => Promise<unknown>]>([
  ['force', (w) => w.enrich({ force: true })],
  ['a Sync', (w) => w.sync()],
])('DATE_MODIFY unchanged, and a person wants it to be right, by %s', (_, ask) => {
  test('what is blank is filled', async () => {
    const w = await enriched();
    w.desk.customers.edit(newName, { shopPlan: '', crmCompanyUrl: '' });
    w.clock.advance(61 * minute);
    await ask(w);
    expect(w.desk.customers.get(newName)).toMatchObject({
      shopPlan: 'Grow 2024',
      crmCompanyUrl: 'https://crm.example/crm/company/details/63001/',
    });
  });

  test('what stands there stays, whoever wrote it', async () => {
    const w = await enriched();
    renamed(w);
    await ask(w);
    expect(segmentOf(w)).toBe('Medium');
    w.desk.customers.edit(newName, { segment: 'SME' });
    renamed(w);
    await ask(w);
    expect(segmentOf(w)).toBe('SME');
  });

  describe('an older DATE_MODIFY than what was written', () => {
    const older = modifiedAt - minute;

    test('counts if the CRM has said so just now', async () => {
      const w = await enriched();
      renamed(w, 'Mid-Market', older);
      await ask(w);
      expect(w.desk.customers.get(newName)).toMatchObject({ segment: 'Mid-Market', companyModifiedAt: older });
    });

    test('changes and mends nothing if a later check has been written meanwhile', async () => {
      const w = await enriched();
      renamed(w, 'Mid-Market', older);
      w.desk.customers.edit(newName, { shopPlan: '', lastCheckedAt: w.clock() + minute });
      w.crm.records['63001'] = '{"ID":"63001","DATE_MODIFY":"older"}';
      await ask(w);
      expect(w.desk.writes.filter((write) => write.startsWith('snapshot'))).toEqual([]);
      expect(w.desk.customers.get(newName)).toMatchObject({ segment: 'Medium', shopPlan: '' });
    });
  });
});

test('nobody asked for it: nothing is mended', async () => {
  const w = await enriched();
  w.desk.customers.edit(newName, { shopPlan: '' });
  renamed(w);
  await w.enrich();
  expect(w.desk.customers.get(newName)).toMatchObject({ segment: 'Medium', shopPlan: '' });
});

test('a Sync writes the older version that its preview had from the CRM, although it has the answer from the cache', async () => {
  const w = await enriched(60);
  renamed(w, 'Mid-Market', modifiedAt - minute);
  const { changes } = await w.sync({ action: 'preview' });
  w.clock.advance(minute);
  expect(await w.sync()).toMatchObject({ status: 'cached', changes });
  expect(segmentOf(w)).toBe('Mid-Market');
});

test('the preview of a Sync shows what it would mend, and writes nothing', async () => {
  const w = await enriched();
  w.desk.customers.edit(newName, { shopPlan: '' });
  renamed(w);
  const { changes } = await w.sync({ action: 'preview', ticket });
  expect(changes).toEqual([{ field: 'custom_shopplan_name', from: null, to: 'Grow 2024' }]);
  expect(w.desk.writes).toEqual([]);
  expect((await w.sync()).changes).toEqual(changes);
});
