import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, type onTestFinished, test } from 'vitest';
import type { World } from '../../demo/world.ts';
import { call, decisionsOf, profileOf } from '../kit.ts';
import { routedWorld, settle } from '../pipeline-kit.ts';

const { matched } = demo.tickets;
const orgId = '200000376001';
const crmId = '63002';
const customer = `Gốm Sứ Làng Mơ - ${orgId}`;
const oldPlan = 'OMNI SCALE 2025 (1 năm)';
const newPlan = 'OMNI GROW 2026 (2 năm)';

/** What each of the four made of the CRM's answer: its status, and the plan that it went by. */
interface Seen {
  status: string | undefined;
  error: string | undefined;
  plan?: unknown;
}

const planOnRecord = ({ helpdesk }: World) => helpdesk.document('HD Customer', customer)?.custom_shopplan_name;

const askers: Record<'enrichment' | 'refresh' | 'sync' | 'the pipeline', (w: World) => Promise<Seen>> = {
  async enrichment(w) {
    const { status, error } = await call(w, 'enrichCompany', { orgid: orgId });
    return { status, error: error?.code, plan: planOnRecord(w) };
  },
  async refresh(w) {
    const { bitrix } = await call(w, 'refreshCustomer', { hd_customer: customer });
    return { status: bitrix.status, error: undefined, plan: planOnRecord(w) };
  },
  async sync(w) {
    const { status } = await call(w, 'syncTicketCustomer', { ticket: matched, company_id: orgId, action: 'apply' });
    return { status, error: undefined, plan: planOnRecord(w) };
  },
  async 'the pipeline'(w) {
    const values = { subject: 'x', custom_orgid: orgId };
    const name = await w.helpdesk.insertTicket(demo.portal.name, values, { portal: true });
    await settle(w);
    const [decision] = await decisionsOf(w, name);
    const crm = decision?.inputs.crm;
    return { status: crm?.status, error: crm?.error ?? undefined, plan: decision?.inputs.customer?.shop_plan };
  },
};

const names = Object.keys(askers) as (keyof typeof askers)[];

/** Longer than a person at a panel would wait, and than the shorter CRM_TIMEOUT_SECONDS of these tests. */
const latencyMs = 5_500;

/** A world that has asked for the company an hour and a minute ago; the CRM has changed since, and has become slow. */
async function anHourLater(seconds: number, finished: typeof onTestFinished): Promise<World> {
  let ahead = 0;
  const w = await routedWorld(
    { clock: () => Date.now() + ahead, environment: { CRM_TIMEOUT_SECONDS: String(seconds) } },
    finished,
  );
  expect(await askers.enrichment(w)).toMatchObject({ status: 'matched', plan: oldPlan });
  expect((await profileOf(w, matched)).bitrix.status).toBe('matched');
  ahead = 61 * 60_000;
  const company = w.crm.company(crmId);
  if (!company) throw new Error('The CRM has no such company.');
  w.crm.putCompany({
    ...company,
    UF_CRM_CURRENT_SHOPPLAN: newPlan,
    DATE_MODIFY: new Date(Date.now() + ahead).toISOString(),
  });
  w.crm.latencyMs = latencyMs;
  return w;
}

describe.concurrent('a CRM that is slow', () => {
  test.for(names)('%s waits for its answer and goes by that', async (name, { expect, onTestFinished }) => {
    const w = await anHourLater(55, onTestFinished);
    expect(await askers[name](w)).toEqual({ status: 'matched', error: undefined, plan: newPlan });
  });

  test('the panel shows at once what it knows, and says that it is old', async ({ expect, onTestFinished }) => {
    const w = await anHourLater(55, onTestFinished);
    const { bitrix } = await profileOf(w, matched);
    expect(bitrix).toMatchObject({
      status: 'matched',
      cached: false,
      stale: true,
      company: { current_shopplan: oldPlan },
    });
  });
  test.for(names)(
    '%s gives up, and does not pass off what it knew as an answer',
    async (name, { expect, onTestFinished }) => {
      const w = await anHourLater(3, onTestFinished);
      const seen = await askers[name](w);
      expect(seen).toMatchObject({ status: 'error' });
      if (seen.error !== undefined) expect(seen.error).toBe('timeout');
      expect(planOnRecord(w)).toBe(oldPlan);
    },
  );
});
