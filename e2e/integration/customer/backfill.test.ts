import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { childEnvironment } from '@deskside/testing/child-environment';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { expect, onTestFinished, test } from 'vitest';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { startWorld } from '../../demo/world.ts';
import { documentsOf } from '../enrichment-kit.ts';

interface Report {
  ended: string;
  total: number;
  updated: number;
  unchanged: number;
  notFound: number;
  withoutOrgId: number;
  fresh: number;
  failed: Record<string, number>;
}

test('customers that no ticket has brought up are brought up to date, beside a proxy that serves, and then left alone', async () => {
  const data = await mkdtemp(path.join(tmpdir(), 'deskside-backfill-'));
  const world = await startWorld({ data });
  onTestFinished(async () => {
    await world.close();
    await rm(data, { recursive: true, force: true });
  });
  const { helpdesk, crm } = world;
  const env = childEnvironment({
    ...proxyEnvironment({ helpdesk }, `file:${data}`),
    CRM_WEBHOOK_URL: crm.webhookUrl,
    LOG_LEVEL: 'silent',
  });
  const backfill = (...options: string[]) =>
    new Promise<Report>((resolve, reject) => {
      execFile(process.execPath, [proxyCli, 'backfill', '--json', ...options], { cwd: data, env }, (_, out, err) => {
        if (out === '') reject(new Error(err));
        else resolve(JSON.parse(out) as Report);
      });
    });
  const customers = () => documentsOf(world, 'HD Customer');
  const before = await customers();
  const withOrgId = before.filter(({ custom_platform_orgid: id }) => id && id !== '0').length;

  const dry = await backfill('--dry-run');
  expect(dry).toMatchObject({ total: withOrgId, withoutOrgId: before.length - withOrgId, updated: 0 });
  expect(await customers()).toEqual(before);
  expect(crm.journal).toEqual([]);

  const first = await backfill();
  expect(first.ended).toBe('done');
  const failed = Object.values(first.failed).reduce((sum, count) => sum + count, 0);
  expect(first.updated + first.unchanged + first.notFound + failed).toBe(withOrgId);
  expect(first.updated).toBeGreaterThan(0);
  const after = await customers();
  expect(after).toHaveLength(before.length);
  const checked = after.filter(({ custom_crm_last_checked_at: at }) => at).length;
  expect(checked).toBeGreaterThanOrEqual(withOrgId - failed);

  const asked = crm.journal.length;
  expect(await backfill('--stale-after', '1')).toMatchObject({ ended: 'done', total: failed, updated: 0 });
  expect(crm.journal.length - asked).toBeLessThanOrEqual(failed);
});
