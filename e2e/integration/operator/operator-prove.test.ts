import { OperatorProof } from '@deskside/shared/operator/proof';
import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { World } from '../../demo/world.ts';
import { documentsOf } from '../enrichment-kit.ts';
import { world } from '../kit.ts';
import { Visitor } from '../operator-kit.ts';

async function signedIn(w: World, user: string) {
  const visitor = new Visitor(w);
  await visitor.signIn(user);
  return visitor;
}

const proofIn = (body: unknown) => z.object({ data: OperatorProof }).parse(body).data;

test('a System Manager proves on the page that it works, one at a time; nobody else may', async () => {
  const w = await world({ operator: true, pipeline: true });
  const tickets = () => documentsOf(w, 'HD Ticket', []);
  const before = await tickets();
  const manager = await signedIn(w, demo.manager.name);
  expect(await manager.ask('prove')).toMatchObject({ status: 403, body: { data: { code: 'not_a_system_manager' } } });
  expect(await new Visitor(w).ask('prove')).toMatchObject({ status: 401 });
  const admin = await signedIn(w, demo.admin.name);
  expect(await admin.ask('prove', { headers: { origin: 'https://elsewhere.example' } })).toMatchObject({ status: 400 });

  const both = (await Promise.all([admin.ask('prove'), admin.ask('prove')])).map(({ body }) => proofIn(body));
  expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(['busy', 'followed']);
  expect(both.find(({ outcome }) => outcome === 'followed')).toMatchObject({
    hops: ['inserted', 'heard', 'taken', 'crm', 'decided', 'profile'].map((hop) => ({ hop, ms: expect.any(Number) })),
    ...{ met: { cause: 'webhook', crm: 'matched', team: expect.any(String) }, problems: [], is_copy_kept: true },
  });
  expect(await tickets()).toEqual(before);

  // Why it could not be begun is said, and the next one is not kept from beginning.
  w.helpdesk.fault = ({ method, path }) => (method === 'POST' && /HD.+Ticket/.test(path) ? 500 : null);
  const failed = await admin.ask('prove');
  w.helpdesk.fault = null;
  expect(proofIn(failed.body)).toEqual({ outcome: 'failed', why: expect.stringMatching(/helpdesk/i) });
  expect(proofIn((await admin.ask('prove')).body)).toMatchObject({ outcome: 'followed', problems: [] });
});
