import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { demo } from '@deskside/simulators/seed/index';
import { childEnvironment } from '@deskside/testing/child-environment';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { describe, expect, onTestFinished, test } from 'vitest';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { call } from '../enrichment-kit.ts';
import { profileOf } from '../kit.ts';
import { decisionsOf, routedWorld, settle } from '../pipeline-kit.ts';

const medium = { orgId: '200000376001', name: 'Gốm Sứ Làng Mơ' };
const fresh = { orgId: '1000700232', bitrixId: '63032', name: 'Đèn Lồng Phố Hội' };

describe.each(['1.24', '1.28'] as const)('Helpdesk %s', (generation) => {
  test('beside a running proxy, nothing of a purged company is left in the bytes of its files', async () => {
    const data = await mkdtemp(path.join(tmpdir(), 'deskside-purge-'));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    const w = await routedWorld({ generation, data });
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

    const purge = (...options: string[]) =>
      new Promise<{ code: number; printed: string }>((resolve) => {
        const env = childEnvironment(proxyEnvironment({ helpdesk: w.helpdesk }, `file:${data}`));
        execFile(process.execPath, [proxyCli, 'purge', ...options], { cwd: data, env }, (error, out, err) =>
          resolve({ code: error ? Number(error.code) : 0, printed: out + err }),
        );
      });
    const markers = [fresh.orgId, fresh.name];
    expect(await left(...markers)).toEqual(markers);
    const { code, printed } = await purge('--org-id', fresh.orgId, '--yes');
    expect([code, printed]).toEqual([0, expect.stringMatching(/^Deleted /)]);
    expect(await left(...markers)).toEqual([]);

    expect(await decisionsOf(w, tickets[1] ?? '')).toEqual([]);
    for (const ticket of [tickets[0], tickets[2]]) expect(await decisionsOf(w, ticket ?? '')).toHaveLength(1);
    expect(await left(medium.orgId, medium.name)).toEqual([medium.orgId, medium.name]);
    await w.pipeline.sweep(true);
    await settle(w);
    expect(await left(...markers)).toEqual([]);
  });
});
