import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CallError, callProxy } from '@deskside/shared/client';
import type { ProfileData } from '@deskside/shared/profile';
import { demo } from '@deskside/simulators/seed/index';
import { onTestFinished } from 'vitest';
import { startWorld, type World, type WorldOptions } from '../demo/world.ts';
import { keyOf } from './key-of.ts';

export { keyOf };

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
export async function world(options: Partial<WorldOptions> = {}, finished = onTestFinished): Promise<World> {
  const { world, close } = await openWorld(options);
  finished(close);
  return world;
}

const agent = keyOf(demo.agent);

/** Asks for a profile; throws where there is none. */
export async function profileOf(
  { proxyUrl }: World,
  ticket: string,
  { refresh = 0, authorization = agent }: { refresh?: 0 | 1; authorization?: string } = {},
): Promise<ProfileData> {
  // On a busy machine it may take longer than an agent would wait.
  const how = { baseUrl: proxyUrl, authorization, timeoutMs: 45_000 };
  const result = await callProxy('customerProfile', { ticket, refresh }, how);
  if (!result.ok) throw new Error(`${result.error.status} ${result.error.code}`);
  return result.data;
}

/** Asks for a profile that must be refused; gives the error. */
export async function refusalOf({ proxyUrl }: World, ticket: string, authorization: string): Promise<CallError> {
  const result = await callProxy('customerProfile', { ticket }, { baseUrl: proxyUrl, authorization });
  if (result.ok) throw new Error(`Expected a refusal, got the profile of ${result.data.ticket.name}`);
  return result.error;
}
