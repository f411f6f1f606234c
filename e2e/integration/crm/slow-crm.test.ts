import { demo, keyOf } from '@deskside/simulators/seed/index';
import { describe, type onTestFinished, test } from 'vitest';
import type { DemoWorld } from '../../demo/world.ts';
import { call, profileOf, world } from '../kit.ts';

const { matched, notFound } = demo.tickets;
const orgId = '200000376001';
const customer = `Gốm Sứ Làng Mơ - ${orgId}`;
const oldPlan = 'OMNI SCALE 2025 (1 năm)';
const newPlan = 'OMNI GROW 2026 (2 năm)';

const enrich = (w: DemoWorld) => call(w, 'enrichCompany', { orgid: orgId }, keyOf(demo.manager));
const planOnRecord = ({ helpdesk }: DemoWorld) => helpdesk.document('HD Customer', customer)?.custom_shopplan_name;

/**
 * A world that has asked for the company an hour and a minute ago; the CRM has changed since, and has become slow: slower than a
 * person at a panel would wait, and than the shorter CRM_TIMEOUT_SECONDS of these tests.
 */
async function anHourLater(seconds: number, finished: typeof onTestFinished): Promise<DemoWorld> {
  let ahead = 0;
  const clock = () => Date.now() + ahead;
  const w = await world({ clock, environment: { CRM_TIMEOUT_SECONDS: String(seconds) } }, finished);
  await enrich(w);
  await profileOf(w, matched);
  ahead = 61 * 60_000;
  const changed = { UF_CRM_CURRENT_SHOPPLAN: newPlan, DATE_MODIFY: new Date(clock()).toISOString() };
  w.crm.putCompany({ ...w.crm.company('63002'), ID: '63002', ...changed });
  w.crm.latencyMs = 5_500;
  return w;
}

// Each waits for the CRM.
describe.concurrent('a CRM that is slow', () => {
  test('the panel shows at once what it knows, and says that it is old', async ({ expect, onTestFinished }) => {
    const w = await anHourLater(55, onTestFinished);
    const { bitrix } = await profileOf(w, matched);
    const old = { company: { current_shopplan: oldPlan }, status: 'matched', cached: false, stale: true };
    expect(bitrix).toMatchObject(old);
  });

  test('whoever writes by its answer waits for it; a profile of which nothing is known does not', async ({
    expect,
    onTestFinished,
  }) => {
    const w = await anHourLater(55, onTestFinished);
    const [{ bitrix }, enriched] = await Promise.all([profileOf(w, notFound), enrich(w)]);
    expect(bitrix).toMatchObject({ status: 'error', outcome: null, company: null, error: { code: 'timeout' } });
    expect(enriched).toMatchObject({ status: 'matched' });
    expect(planOnRecord(w)).toBe(newPlan);
  });

  test('after CRM_TIMEOUT_SECONDS it is given up, and what was known is not passed off as an answer', async ({
    expect,
    onTestFinished,
  }) => {
    const w = await anHourLater(3, onTestFinished);
    expect(await enrich(w)).toMatchObject({ status: 'error', error: { code: 'timeout' } });
    expect(planOnRecord(w)).toBe(oldPlan);
  });
});
