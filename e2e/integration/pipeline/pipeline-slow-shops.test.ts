import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from 'vitest';
import type { WorldOptions } from '../../demo/world.ts';
import { decisionsOf, routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

const medium = '200000376001';

test('shops that do not answer hold up nobody; a ticket follows once its shop has answered', async () => {
  const opened = Promise.withResolvers<void>();
  const askMeta: WorldOptions['askMeta'] = async (host) => {
    await opened.promise;
    const orgId = host === 'slow1.example' ? medium : null;
    return { kind: 'found', address: `https://${host}/meta.json`, orgId, domains: [], name: null };
  };
  const w = await routedWorld({ askMeta });
  const insert = (custom_store_url: string | null) =>
    w.helpdesk.insertTicket(demo.service.name, {
      subject: 'x',
      raised_by: 'khach.la@hopthu.example',
      custom_store_url,
    });
  const slow: string[] = [];
  for (let n = 1; n <= 10; n += 1) slow.push(await insert(`https://slow${n}.example`));
  const plain = await insert(null);
  await settle(w);
  for (const name of [...slow, plain]) expect(ticketOf(w, name).group).toBe('CS 60p');
  const [first = ''] = slow;
  expect(await decisionsOf(w, first)).toMatchObject([{ outcome: { fallback: 'meta_json' } }]);
  opened.resolve();
  await expect.poll(async () => (await decisionsOf(w, first)).length).toBe(2);
  await settle(w);
  expect(ticketOf(w, first).orgId).toBe(medium);
  const [latest] = await decisionsOf(w, first);
  expect(latest).toMatchObject({ cause: 'repair', state: 'applied', inputs: { org_id: { value: medium } } });
});
