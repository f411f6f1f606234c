import { onTestFinished } from 'vitest';
import { type CrmOptions, type CrmSimulator, startCrm } from '#crm/server.ts';
import { sharedSeed } from '#seed/index.ts';

/** An answer of the simulator, read as loosely as tests want it. */
export interface PortalAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** A running simulator that ends with the test. */
export async function crmForTest(options: Partial<CrmOptions> = {}): Promise<CrmSimulator> {
  const crm = await startCrm({ seed: sharedSeed().crm, ...options });
  onTestFinished(() => crm.close());
  return crm;
}

/** Calls a method with JSON parameters. */
export async function call(webhook: string, method: string, params: unknown = {}): Promise<PortalAnswer> {
  const response = await fetch(`${webhook}${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(params),
    redirect: 'manual',
  });
  return { status: response.status, body: (await response.json()) as PortalAnswer['body'] };
}
