import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CustomerMatches } from '@deskside/shared/customer-matches';
import { makeSeedInUse } from '@deskside/simulators/seed/in-use';
import { childEnvironment } from '@deskside/testing/child-environment';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { describe, expect, onTestFinished, test } from 'vitest';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { startWorld } from '../../demo/world.ts';
import { documentsOf } from '../enrichment-kit.ts';

/** A helpdesk that has been in use, with its proxy, and the command beside it. */
async function world(generation: '1.24' | '1.28') {
  const data = await mkdtemp(path.join(tmpdir(), 'deskside-match-'));
  const seed = makeSeedInUse({ seed: 5, customers: 24 });
  const started = await startWorld({ data, generation, seed });
  onTestFinished(async () => {
    await started.close();
    await rm(data, { recursive: true, force: true });
  });
  const { helpdesk, crm } = started;
  const env = childEnvironment({
    ...proxyEnvironment({ helpdesk }, `file:${data}`),
    ...{ CRM_WEBHOOK_URL: crm.webhookUrl, CRM_PLAN: 'enterprise', LOG_LEVEL: 'silent' },
  });
  const customers = (...options: string[]) =>
    new Promise<{ code: number; out: string }>((resolve) => {
      execFile(process.execPath, [proxyCli, 'customers', ...options], { cwd: data, env }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out: out + err }),
      );
    });
  const orgIds = async () => {
    const all = await documentsOf(started, 'HD Customer');
    return Object.fromEntries(all.map(({ name, custom_platform_orgid: id }) => [name, id || null]));
  };
  return { ...started, seed, customers, orgIds };
}

describe.each(['1.24', '1.28'] as const)('Helpdesk %s', (generation) => {
  test('customers made by hand are matched, looked at, made their companies, and given back what they were', async () => {
    const { seed, crm, customers, orgIds } = await world(generation);
    const before = await orgIds();
    const asked = JSON.parse((await customers('match', '--json')).out) as CustomerMatches & { ended: string };
    expect(asked).toMatchObject({ ended: 'done', failed: 0, run: { is_done: true } });
    expect(await orgIds()).toEqual(before);
    const requests = crm.journal.length;
    expect(requests).toBeLessThan(24);

    const list = async () => JSON.parse((await customers('list', '--json')).out) as CustomerMatches;
    const certain = asked.matches.filter(({ verdict }) => verdict === 'certain');
    expect(certain.length).toBeGreaterThan(3);
    const shown = await customers('list');
    expect(shown.out).toMatch(
      new RegExp(`^certain +${certain[0]?.customer} +${certain[0]?.candidates[0]?.org_id}`, 'm'),
    );

    const { code, out } = await customers('accept', '--certain');
    expect(code).toBe(0);
    const batch = /--batch (\S+)/.exec(out)?.[1] ?? '';
    const after = await orgIds();
    for (const { customer, candidates } of certain) expect(after[customer]).toBe(candidates[0]?.org_id);
    for (const [customer, { orgId }] of Object.entries(seed.truth))
      if (after[customer]) expect(after[customer], customer).toBe(orgId);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    const left = await list();
    expect(left.accepted.map(({ customer }) => customer).toSorted()).toEqual(
      certain.map(({ customer }) => customer).toSorted(),
    );

    const likely = left.matches.find(
      (one) => one.verdict === 'likely' && !one.rivals && one.candidates[0]?.customer === null,
    );
    const [name, orgId] = [likely?.customer ?? '', likely?.candidates[0]?.org_id ?? ''];
    const one = await customers('accept', name, '--org-id', orgId);
    expect([one.code, (await orgIds())[name]]).toEqual([0, orgId]);
    const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(one.out)?.[0] ?? '';
    expect((await customers('undo', id)).out).toBe(`Taken back: ${name}\n`);
    expect((await customers('undo', '--batch', batch)).code).toBe(0);
    expect(await orgIds()).toEqual(before);
  });
});

test('what cannot be done is said in one sentence', async () => {
  const { customers, helpdesk } = await world('1.28');
  expect(await customers('accept', '--certain')).toEqual({
    code: 1,
    out: 'Nothing has been looked at yet: run "deskside customers match" first.\n',
  });
  for (const wrong of [['accept', 'A', '--certain'], ['accept', 'A', '--org-id', 'x'], ['undo']])
    expect((await customers(...wrong)).code, wrong.join(' ')).not.toBe(0);
  expect(await customers('undo', 'nothing')).toEqual({ code: 1, out: 'Nothing was accepted under this id.\n' });
  expect((await customers('accept', 'Nobody', '--org-id', '1000069001')).out).toContain('does not exist any more');
  expect((await customers('accept', 'Khách lẻ', '--org-id', '1000069001')).out).toContain('another customer already');
  expect((await customers('accept', 'Nobody', '--org-id', '1')).out).toContain(
    'the CRM has no company with this org id',
  );
  helpdesk.fault = () => 500;
  expect((await customers('match')).out).toMatch(/^The helpdesk or the store failed \(.+\)\n$/);
});
