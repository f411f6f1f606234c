import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import { type CrmOptions, type CrmSimulator, startCrm } from '@deskside/simulators/crm/server';
import { sharedSeed } from '@deskside/simulators/seed/index';
import { onTestFinished } from 'vitest';
import type { FieldOrder } from '#crm/answer.ts';
import { type Bitrix24, type Connection, openBitrix24, type UserAnswer } from '#crm/bitrix24.ts';
import { FieldMap } from '#crm/company.ts';
import { codeOfException } from '#crm/rest.ts';
import { createEgress, type Upstream } from '#net/egress.ts';
import { answerBy, companyIdFirst, type TestAnswer } from './test-answer.ts';

/** Too long to fire in a test that is not about it. */
export const unhurried = () => AbortSignal.timeout(15_000);

export function orgId(value: string) {
  const id = parseOrgId(value);
  if (!id) throw new Error(`${value} is not an org id.`);
  return id;
}

/** The client under test, over an upstream. */
export function bitrixOn(upstream: Upstream, change: Partial<Connection> = {}): Bitrix24 {
  const webhookUrls = [`${upstream.origin}/rest/57001/s3cr3t0key/`];
  return openBitrix24({
    webhookUrls,
    responsibleWebhookUrls: webhookUrls,
    portalUrl: null,
    fieldMap: FieldMap.parse({}),
    upstream: () => upstream,
    ...change,
  });
}

/** The client under test, over real sockets to the CRM simulator; both are stopped after the test. */
export async function bitrixForTest(
  options: (crm: CrmSimulator) => Partial<Connection> = () => ({}),
  simulator: Partial<CrmOptions> = {},
): Promise<{ crm: CrmSimulator; bitrix: Bitrix24 }> {
  const crm = await startCrm({ seed: sharedSeed().crm, ...simulator });
  const egress = createEgress({ allowInsecure: true });
  onTestFinished(async () => {
    await egress.close();
    await crm.close();
  });
  const urls = [crm.webhookUrl];
  const change = { webhookUrls: urls, responsibleWebhookUrls: urls, ...options(crm) };
  return { crm, bitrix: bitrixOn(egress.upstream(crm.url), change) };
}

/** What these org ids come to by one order of the fields; a request that fails as a whole fails each of them, as in the queue. */
export async function findCompanies(
  bitrix: Bitrix24,
  orgIds: readonly OrgId[],
  signal = unhurried(),
  order: FieldOrder = companyIdFirst,
): Promise<{ companies: Map<OrgId, TestAnswer>; users: Map<string, UserAnswer> }> {
  try {
    const { companies, users } = await bitrix.findCompanies(orgIds, signal);
    return { companies: new Map([...companies].map(([id, result]) => [id, answerBy(order, result)])), users };
  } catch (error) {
    const failed: TestAnswer = { kind: 'failed', code: codeOfException(error, signal.aborted) };
    return { companies: new Map(orgIds.map((id) => [id, failed])), users: new Map() };
  }
}

/** The answer for one user, likewise. */
export async function findUser(bitrix: Bitrix24, id: string, signal = unhurried()): Promise<UserAnswer> {
  const answers = await bitrix.findUsers([id], signal).catch((error: unknown) => {
    const failed: UserAnswer = { kind: 'failed', code: codeOfException(error, signal.aborted) };
    return new Map([[id, failed]]);
  });
  const answer = answers.get(id);
  if (!answer) throw new Error(`No answer for user ${id}.`);
  return answer;
}
