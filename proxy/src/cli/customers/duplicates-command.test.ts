import { execFile } from 'node:child_process';
import { demo } from '@deskside/simulators/seed/index';
import { childEnvironment } from '@deskside/testing/child-environment';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { describe, expect, test } from 'vitest';
import { type Clinic, clinic } from '#cli/testing/doctor-kit.ts';

/** Runs `duplicates` in a process of its own. */
const run = ({ data, environment }: Clinic, ...options: string[]) =>
  new Promise<{ code: number; printed: string }>((resolve) => {
    const env = childEnvironment(environment);
    execFile(process.execPath, [proxyCli, 'duplicates', ...options], { cwd: data, env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, printed: out + err }),
    );
  });

describe.each(['1.24', '1.28'] as const)('Helpdesk %s', (generation) => {
  test('customers that look like twins are listed with what they share; nothing is written', async () => {
    const world = await clinic({ generation });
    const { helpdesk } = world;
    const before = JSON.parse((await run(world, '--json')).printed) as { customers: number; twins: unknown[] };
    const put = (name: string, fields: object = {}) =>
      helpdesk.put('HD Customer', { name, creation: '2026-11-20 12:00:00.000000', ...fields });
    put('Nón Lá Huế', { domain: 'nonla.example' });
    put('Nón Lá Huế - 555000111', { custom_platform_orgid: '555000111', custom_crm_company_id: '9001' });
    put('Shop\u001b[31m', { custom_platform_orgid: '555000222' });
    put('Shop khác', { custom_platform_orgid: '555000222' });
    helpdesk.clearJournal();
    const { code, printed } = await run(world);
    expect(code).toBe(1);
    expect(printed).toMatch(
      /same name +Nón Lá Huế +\(none\) +nonla\.example +0 +0 +2026-11-20 +rename to it, and merge\n +Nón Lá Huế - 555000111 +555000111 +9001 +0 +0 +2026-11-20 +keep: has the org id\n/,
    );
    expect(printed).toMatch(/same org id +Shop \[31m +555000222 +0 +0 +2026-11-20 +keep: is the oldest\n/);
    expect(printed).toContain(`${before.twins.length + 2} groups of twins among ${before.customers + 4} customers.`);
    expect(helpdesk.journal.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(new Set(helpdesk.journal.map(({ user }) => user))).toEqual(new Set([demo.service.name]));
    const json = JSON.parse((await run(world, '--json')).printed) as { twins: { same: object[] }[] };
    expect(json.twins.map(({ same }) => same)).toContainEqual([{ what: 'org_id', value: '555000222' }]);

    // Joined as it says, by the helpdesk itself.
    const merge = { doctype: 'HD Customer', old_name: 'Nón Lá Huế', new_name: 'Nón Lá Huế - 555000111', merge: 1 };
    const headers = {
      authorization: `token ${demo.admin.apiKey}:${demo.admin.apiSecret}`,
      'content-type': 'application/json',
    };
    const url = `${helpdesk.url}/api/method/frappe.client.rename_doc`;
    expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(merge) })).status).toBe(200);
    expect((await run(world)).printed).not.toContain('Nón Lá Huế');
  });
});

test('without twins it ends with 0, without a helpdesk with 1 and one sentence', async () => {
  const world = await clinic({ seed: ({ helpdesk }) => helpdesk.documents['HD Customer']?.splice(1) });
  expect(await run(world)).toEqual({ code: 0, printed: expect.stringMatching(/^No twins among \d+ customers?\.\n$/) });
  world.helpdesk.fault = () => 500;
  const { code, printed } = await run(world);
  expect(code).toBe(1);
  expect(printed).toMatch(/^The helpdesk cannot be searched, so nothing was done \(.+\)\n$/);
});
