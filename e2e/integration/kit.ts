import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CallError, callProxy } from '@deskside/shared/client';
import type { EndpointName, Input, Output } from '@deskside/shared/contract';
import { demo, keyOf } from '@deskside/simulators/seed/index';
import { onTestFinished } from 'vitest';
import { type DemoWorld, startWorld, type WorldOptions } from '../demo/world.ts';

const agent = keyOf(demo.agent);
type Proxy = Pick<DemoWorld, 'proxyUrl'>;
type Site = Pick<DemoWorld, 'helpdesk'>;

/** A world with its records in a folder of its own, and what ends both. */
export async function openWorld(options: Partial<WorldOptions> = {}) {
  const data = await mkdtemp(path.join(tmpdir(), 'deskside-test-'));
  const world = await startWorld({ data, ...options });
  const close = async () => {
    await world.close();
    await rm(data, { recursive: true, force: true });
  };
  return { world, data, close };
}

/** A world for one test, ended with it. A concurrent test has to hand in the hook of its own. */
export async function world(options: Partial<WorldOptions> = {}, finished = onTestFinished): Promise<DemoWorld> {
  const { world, close } = await openWorld(options);
  finished(close);
  return world;
}

// On a busy machine an answer may take longer than an agent would wait.
const ask = <E extends EndpointName>({ proxyUrl }: Proxy, endpoint: E, input: Input<E>, authorization: string) =>
  callProxy(endpoint, input, { baseUrl: proxyUrl, authorization, timeoutMs: 45_000 });

/** Calls an endpoint as an agent; throws where it is refused. */
export async function call<E extends EndpointName>(
  proxy: Proxy,
  endpoint: E,
  input: Input<E>,
  authorization = agent,
): Promise<Output<E>> {
  const result = await ask(proxy, endpoint, input, authorization);
  if (!result.ok) throw new Error(`${result.error.status} ${result.error.code}`);
  return result.data;
}

/** Calls an endpoint that must refuse; gives the error. */
export async function refusal<E extends EndpointName>(
  proxy: Proxy,
  endpoint: E,
  input: Input<E>,
  authorization = agent,
): Promise<CallError> {
  const result = await ask(proxy, endpoint, input, authorization);
  if (result.ok) throw new Error(`Expected a refusal, got ${JSON.stringify(result.data)}`);
  return result.error;
}

/** Asks for a profile; throws where there is none. */
export const profileOf = (proxy: Proxy, ticket: string, { refresh = 0 }: { refresh?: 0 | 1 } = {}) =>
  call(proxy, 'customerProfile', { ticket, refresh });

/** Every decision on a ticket, newest first, as an agent sees them. */
export const decisionsOf = async (proxy: Proxy, ticket: string) =>
  (await call(proxy, 'routingDecisions', { ticket })).decisions;

/** What was written to the helpdesk, as `METHOD DocType name`. */
export function writesOf({ helpdesk }: Site): string[] {
  return helpdesk.journal
    .filter(({ method, path, status }) => method !== 'GET' && path.startsWith('/api/resource/') && status < 300)
    .map(({ method, path }) => `${method} ${path.replace('/api/resource/', '').replace('/', ' ')}`);
}

/** A site that keeps snapshots: the specification's HD Customer Data. */
export function keepSnapshots({ helpdesk }: Site): void {
  const types = {
    hd_customer: 'Link',
    ...{ source: 'Data', entity_type: 'Data', external_id: 'Data', external_url: 'Data', match_key: 'Data' },
    ...{ confidence: 'Percent', last_synced_at: 'Datetime', summary_json: 'Long Text' },
  };
  helpdesk.put('DocType', {
    name: 'HD Customer Data',
    autoname: 'hash',
    fields: Object.entries(types).map(([fieldname, fieldtype]) => ({
      ...{ fieldname, label: fieldname, fieldtype },
      ...(fieldtype === 'Link' && { options: 'HD Customer' }),
    })),
    permissions: ['System Manager', 'Agent', 'Agent Manager'].map((role) => ({ role, read: 1, write: 1, create: 1 })),
  });
}
