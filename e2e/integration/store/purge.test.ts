import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, onTestFinished, test } from 'vitest';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { call, decisionsOf, openWorld, profileOf } from '../kit.ts';
import { settle } from '../pipeline-kit.ts';
import { runDeskside } from '../processes.ts';

const medium = { orgId: '200000376001', name: 'Gốm Sứ Làng Mơ' };
const fresh = { orgId: '1000700232', bitrixId: '63032', name: 'Đèn Lồng Phố Hội' };

describe.each(['1.24', '1.28'] as const)('Helpdesk %s', (generation) => {
  test('beside a running proxy, nothing of a purged company is left in the bytes of its files', async () => {
    const { world: w, data, close } = await openWorld({ generation, pipeline: true });
    onTestFinished(close);
    const bytes = async () => {
      const files = (await readdir(data)).filter((name) => /\.db(-wal)?$/.test(name));
      return Buffer.concat(await Promise.all(files.map((name) => readFile(path.join(data, name)))));
    };
    const left = async (...markers: string[]) => {
      const found = await bytes();
      return markers.filter((marker) => found.includes(marker));
    };

    const insert = (orgId: string) =>
      w.helpdesk.insertTicket(
        demo.portal.name,
        { subject: 'Không in được đơn', custom_orgid: orgId },
        { portal: true },
      );
    const tickets = [await insert(medium.orgId), await insert(fresh.orgId), await insert(medium.orgId)];
    await settle(w);
    const synced = demo.tickets.missingOrgId;
    await call(w, 'syncTicketCustomer', { ticket: synced, company_id: fresh.orgId, bitrix_id: fresh.bitrixId });
    for (const ticket of [...tickets, synced, demo.tickets.matched]) await profileOf(w, ticket, { refresh: 1 });
    await w.idle();

    const environment = proxyEnvironment({ helpdesk: w.helpdesk }, `file:${data}`);
    const markers = [fresh.orgId, fresh.name];
    expect(await left(...markers)).toEqual(markers);
    const purged = await runDeskside(['purge', '--org-id', fresh.orgId, '--yes'], environment);
    expect(purged).toMatchObject({ code: 0, out: expect.stringMatching(/^Deleted /) });
    expect(await left(...markers)).toEqual([]);

    expect(await decisionsOf(w, tickets[1] ?? '')).toEqual([]);
    for (const ticket of [tickets[0], tickets[2]]) expect(await decisionsOf(w, ticket ?? '')).toHaveLength(1);
    expect(await left(medium.orgId, medium.name)).toEqual([medium.orgId, medium.name]);
    await w.pipeline.sweep(true);
    await settle(w);
    expect(await left(...markers)).toEqual([]);
  });
});
