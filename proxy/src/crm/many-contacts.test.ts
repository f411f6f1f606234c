import { expect, test } from 'vitest';
import { chooseContact, lookupCompany } from './lookup.ts';
import { inFolder, openLayers } from './testing/crm-layers.ts';
import { bitrixForTest, orgId } from './testing/kit.ts';

const gom = orgId('200000376001');

/** A company with so many contacts, of whom each has an address. */
async function withContacts(count: number, work: (world: Awaited<ReturnType<typeof open>>) => Promise<void>) {
  await inFolder(async (data) => {
    const world = await open(count, data);
    await work(world).finally(world.close);
  });
}

async function open(count: number, data: string) {
  const { crm } = await bitrixForTest();
  for (let n = 1; n <= count; n += 1)
    crm.putContact({
      ID: String(90_000 + n),
      NAME: `Person ${n}`,
      COMPANY_ID: '63002',
      EMAIL: [{ VALUE: `Person${n}@shop.example` }],
    } as never);
  const { layers, close } = await openLayers({ crm, data });
  /** The contact who is shown for a sender. */
  const shown = async (sender: string, how: { refresh?: boolean; by?: 'platform_orgid_then_company_id' } = {}) => {
    const looked = await lookupCompany(layers, {
      orgId: gom,
      refresh: false,
      deadlineMs: 60_000,
      senders: [sender],
      ...how,
    });
    return chooseContact(looked.companies[0]?.contacts ?? [], [sender])?.name;
  };
  return { crm, close, shown };
}

test.each([undefined, 'platform_orgid_then_company_id'] as const)(
  'of a company with more contacts than a page the sender is found, in the same request (%s)',
  async (by) => {
    await withContacts(120, async ({ crm, shown }) => {
      expect(await shown('person117@shop.example', { by })).toBe('Person 117');
      expect(crm.journal).toHaveLength(1);
      expect(crm.journal[0]?.commands?.length).toBeLessThanOrEqual(50);
      // Known now, without another request.
      expect(await shown('PERSON117@shop.example', { by })).toBe('Person 117');
      expect(crm.journal).toHaveLength(1);
    });
  },
);

test('another sender of a company that is known is asked for, once, whether there or not', async () => {
  await withContacts(60, async ({ crm, shown }) => {
    await shown('person1@shop.example');
    expect(await shown('person59@shop.example')).toBe('Person 59');
    expect(crm.journal).toHaveLength(2);
    for (let n = 0; n < 3; n += 1)
      expect(await shown('stranger@elsewhere.example')).toBe(await shown('nobody@x.example'));
    expect(crm.journal).toHaveLength(4);
  });
});

test('where all contacts fit on a page nobody is asked for anew', async () => {
  await withContacts(10, async ({ crm, shown }) => {
    expect(await shown('person7@shop.example')).toBe('Person 7');
    await shown('stranger@elsewhere.example');
    expect(crm.journal).toHaveLength(1);
  });
});

test('a contact of another company with the same address is not taken for this one’s', async () => {
  await withContacts(60, async ({ crm, shown }) => {
    crm.putContact({
      ID: '99999',
      NAME: 'Elsewhere',
      COMPANY_ID: '63003',
      EMAIL: [{ VALUE: 'lan@x.example' }],
    } as never);
    expect(await shown('lan@x.example')).not.toBe('Elsewhere');
  });
});
