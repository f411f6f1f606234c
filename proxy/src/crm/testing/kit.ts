import { parseOrgId } from '@deskside/shared/orgid';
import { type CrmOptions, type CrmSimulator, startCrm } from '@deskside/simulators/crm/server';
import { makeSeed } from '@deskside/simulators/seed/index';
import { onTestFinished } from 'vitest';
import { createBitrix24 } from '#crm/bitrix24.ts';
import type { Crm, UserAnswer } from '#crm/crm.ts';
import type { CrmConnection } from '#crm/crm-adapter.ts';
import { FieldMap } from '#crm/field-map.ts';
import { createEgress } from '#net/egress.ts';

/** Too long to fire in a test that is not about it. */
export const unhurried = () => AbortSignal.timeout(15_000);

export function orgId(value: string) {
  const id = parseOrgId(value);
  if (!id) throw new Error(`${value} is not an org id.`);
  return id;
}

/** The adapter under test, over real sockets to the CRM simulator; both are stopped after the test. */
export async function bitrixForTest(
  options: (crm: CrmSimulator) => Partial<CrmConnection<FieldMap>> = () => ({}),
  simulator: Partial<CrmOptions> = {},
): Promise<{ crm: CrmSimulator; bitrix: Crm }> {
  const crm = await startCrm({ seed: makeSeed().crm, ...simulator });
  const egress = createEgress({ allowInsecure: true });
  onTestFinished(async () => {
    await egress.close();
    await crm.close();
  });
  const bitrix = createBitrix24({
    webhookUrls: [crm.webhookUrl],
    responsibleWebhookUrls: [crm.webhookUrl],
    portalUrl: null,
    fieldMap: FieldMap.parse({}),
    upstream: (origin) => egress.upstream(origin),
    ...options(crm),
  });
  return { crm, bitrix };
}

/** The answer for one user. */
export async function findUser(bitrix: Crm, id: string, signal: AbortSignal): Promise<UserAnswer> {
  const answer = (await bitrix.findUsers([id], signal)).get(id);
  if (!answer) throw new Error(`No answer for user ${id}.`);
  return answer;
}
