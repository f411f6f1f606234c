import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { customersCommand } from '@deskside/proxy/customers';
import { makeSeedInUse } from '@deskside/simulators/seed/in-use';
import type { Seed } from '@deskside/simulators/seed/index';
import { childEnvironment } from '@deskside/testing/child-environment';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { expect, onTestFinished, test } from 'vitest';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { openWorld, writesOf } from '../kit.ts';
import { runHere } from '../processes.ts';

/** A helpdesk with its proxy, and the command beside it. `seed`: what stands in both; without one, the demo's. */
async function world(generation: '1.24' | '1.28', seed?: Pick<Seed, 'helpdesk' | 'crm'>) {
  const { world: started, data, close } = await openWorld({ generation, ...(seed && { seed }) });
  onTestFinished(close);
  const { helpdesk, crm } = started;
  const environment = {
    ...proxyEnvironment({ helpdesk }, `file:${data}`),
    ...{ CRM_WEBHOOK_URL: crm.webhookUrl, CRM_PLAN: 'enterprise', LOG_LEVEL: 'silent' },
  };
  /** The command without a process of its own. */
  const customersHere = (...args: string[]) => runHere(customersCommand(), args, environment);
  /** `killAfter`: kills it, by nothing that it could notice, once it has printed so many lines. */
  async function customers(args: string[], { killAfter = Number.POSITIVE_INFINITY } = {}) {
    const child = spawn(process.execPath, [proxyCli, 'customers', ...args], {
      cwd: data,
      env: childEnvironment(environment),
    });
    const printed = { out: '', error: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      printed.out += chunk;
      if (printed.out.split('\n').length > killAfter) child.kill('SIGKILL');
    });
    child.stderr.on('data', (chunk: Buffer) => (printed.error += chunk));
    const [code] = await once(child, 'close');
    return { code, ...printed };
  }
  function orgIds() {
    const all = started.helpdesk.documents('HD Customer');
    return Object.fromEntries(all.map(({ name, custom_platform_orgid: id }) => [name, id || null]));
  }
  async function file(name: string, text: string) {
    const at = path.join(data, name);
    await writeFile(at, text);
    return at;
  }
  return { ...started, customers, customersHere, orgIds, file };
}

/** The rows of a printed table, by column. */
function rowsOf(table: string): Record<string, string>[] {
  expect(table.startsWith('\uFEFF"')).toBe(true);
  const lines = table.slice(1).trimEnd().split('\n');
  const cells = lines.map((line) =>
    line
      .slice(1, -1)
      .split('","')
      .map((cell) => cell.replaceAll('""', '"')),
  );
  const [head = [], ...rows] = cells;
  return rows.map((row) => Object.fromEntries(head.map((column, at) => [column, row[at] ?? ''])));
}

/** As a spreadsheet saves it in a country with decimal commas. */
function withSemicolons(rows: Record<string, string>[]): string {
  const quoted = (cell: string) => (/[;"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return [Object.keys(rows[0] ?? {}), ...rows.map(Object.values)]
    .map((row) => `${row.map(quoted).join(';')}\r\n`)
    .join('');
}

test('customers made by hand are matched, looked at, made their companies, and given back what they were', async () => {
  const seed = makeSeedInUse({ seed: 5, customers: 24 });
  const w = await world('1.28', seed);
  const before = w.orgIds();
  const matched = await w.customers(['match']);
  expect([matched.code, writesOf(w)]).toEqual([0, []]);
  const rows = rowsOf(matched.out);
  const ofVerdict = (verdict: string) => rows.filter((row) => row.verdict === verdict);
  const certain = ofVerdict('certain');
  expect(certain.length).toBeGreaterThan(3);
  const byHand = Object.keys(before).filter((name) => before[name] === null);
  expect(rows.flatMap(({ customer, verdict }) => (verdict === 'twin' ? [] : [customer])).toSorted()).toEqual(
    byHand.toSorted(),
  );
  expect(w.crm.journal.length).toBeLessThan(24);
  expect(matched.error).toContain(`${certain.length} certain, ${ofVerdict('likely').length} likely`);

  // Killed in the middle of it, and run again.
  const table = await w.file('customers.csv', withSemicolons(rows));
  const half = await w.customers(['accept', table, '--only', 'certain'], { killAfter: 3 });
  expect(half.code).not.toBe(0);
  const accepted = await w.customersHere('accept', table, '--only', 'certain');
  expect([accepted.code, accepted.error]).toEqual([0, '']);
  const done = rowsOf(accepted.out);
  expect(done.map(({ customer }) => customer)).toEqual(certain.map(({ customer }) => customer));
  expect(new Set(done.map(({ id }) => id)).size).toBe(certain.length);
  const after = w.orgIds();
  for (const row of certain) expect(after[row.customer ?? '']).toBe(row['org id']);
  for (const [name, orgId] of Object.entries(seed.truth)) if (after[name]) expect(after[name], name).toBe(orgId);
  expect(Object.keys(after)).toEqual(Object.keys(before));

  const undone = await w.customersHere('undo', await w.file('all.csv', withSemicolons(done)));
  expect([undone.code, w.orgIds()]).toEqual([0, before]);
  const again = rowsOf((await w.customersHere('match')).out).filter((row) =>
    row['what is against']?.includes('this was undone before'),
  );
  expect(again.map(({ verdict }) => verdict)).toEqual(certain.map(() => 'likely'));
});

test('what goes wrong with a row is said by its number, and ends with 1; a wrong call ends with 2', async () => {
  const w = await world('1.24', makeSeedInUse({ seed: 5, customers: 24 }));
  const rows = [
    'Nobody,,1000069001,likely',
    'Khách lẻ,,2.00E+11,likely',
    'Khách lẻ,,,none',
    'Khách lẻ,,1000069001,twin',
    'Khách lẻ,ai đó,1000069001,likely',
  ];
  const table = await w.file('table.csv', `customer,people,org id,verdict\n${rows.join('\n')}\n`);
  const { code, out, error } = await w.customersHere('accept', table);
  expect(code).toBe(1);
  expect(rowsOf(out)).toHaveLength(3);
  expect(error).toMatch(
    /^Row 2, Nobody: there is no such customer\.\nRow 3, Khách lẻ: a spreadsheet has made the number 2\.00E\+11 of the org id, .+\.\nRow 6, Khách lẻ: column "people": ai đó is no e-mail address\.\n$/,
  );
  expect(writesOf(w)).toEqual([]);

  const refused = await w.customers(['accept', 'none.csv']);
  expect([refused.code, refused.out]).toEqual([2, '']);
  expect(refused.error).toMatch(/none\.csv cannot be used: there is no such file/);

  w.helpdesk.fault = () => 500;
  expect(await w.customers(['match'])).toMatchObject({
    code: 1,
    out: '',
    error: expect.stringMatching(/^The helpdesk failed \(.+\)\n$/),
  });
});

test('customers that no ticket has brought up are brought up to date, beside a proxy that serves', async () => {
  const w = await world('1.24');
  const count = w.helpdesk.documents('HD Customer').length;
  const withOrgId = Object.values(w.orgIds()).filter((id) => id !== null && id !== '0').length;
  const { code, out, error } = await w.customers(['refresh']);
  const [updated = 0, unchanged = 0, notFound = 0] = out.match(/\d+/g)?.map(Number) ?? [];
  const failed = [...error.matchAll(/^(\d+) failed: /gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  expect([updated + unchanged + notFound + failed, code]).toEqual([withOrgId, failed > 0 ? 1 : 0]);
  expect(updated).toBeGreaterThan(0);
  const after = w.helpdesk.documents('HD Customer');
  expect(after).toHaveLength(count);
  const checked = after.filter(({ custom_crm_last_checked_at: at }) => at).length;
  expect(checked).toBeGreaterThanOrEqual(withOrgId - failed);

  // What the CRM said a moment ago is not asked again.
  w.crm.clearJournal();
  expect((await w.customersHere('refresh')).out).toMatch(/^0 updated/);
  const asked = w.crm.journal.filter(({ method }) => method !== 'crm.company.userfield.list');
  expect(asked.length).toBeLessThanOrEqual(failed);
});
