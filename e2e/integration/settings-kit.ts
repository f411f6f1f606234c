import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseConfig } from '@deskside/proxy/config';
import { changeSetting, promoteSetting, sealAgain } from '@deskside/proxy/settings/change-setting';
import { type RunningProxy, startProxy } from '@deskside/proxy/start';
import { startCrm } from '@deskside/simulators/crm/server';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { makeSeed } from '@deskside/simulators/seed/index';
import { onTestFinished } from 'vitest';
import { proxyEnvironment } from '../demo/proxy-environment.ts';

export const masterKey = Buffer.alloc(32, 9).toString('base64');
const operator = { name: 'lan@desk.example' };

/** Both simulators and two proxies on one store, which only have what nothing works without in their environment. */
export async function twoReplicas(
  environment: Record<string, string> = {},
  finished: (end: () => Promise<void>) => void = onTestFinished,
) {
  const seed = makeSeed();
  const [helpdesk, crm] = await Promise.all([startHelpdesk({ seed: seed.helpdesk }), startCrm({ seed: seed.crm })]);
  const data = await mkdtemp(path.join(tmpdir(), 'deskside-settings-'));
  const variables = {
    ...proxyEnvironment({ helpdesk }, `file:${data}`),
    MASTER_KEY: masterKey,
    LOG_LEVEL: 'silent',
    ...environment,
  };
  const start = () => startProxy(parseConfig(variables));
  const replicas = [await start(), await start()];
  finished(async () => {
    await Promise.all(replicas.map((one) => one.close()));
    await Promise.all([helpdesk.close(), crm.close()]);
    await rm(data, { recursive: true, force: true });
  });
  const [one, other] = replicas as [RunningProxy, RunningProxy];
  const { signal } = new AbortController();
  const ctx = { settings: one.settings, clock: Date.now };
  /** Changes it on the first, and has the second look, as it does every other second. */
  async function change(...args: Parameters<typeof wantedOf>) {
    const changed = await changeSetting(ctx, { actor: operator, ...wantedOf(...args) }, signal);
    await other.settings.refresh();
    return changed;
  }
  async function promote(name: Parameters<typeof wantedOf>[0]) {
    await promoteSetting(ctx, { actor: operator, name }, signal);
    await other.settings.refresh();
  }
  const sealSecretsAgain = () => sealAgain(ctx, operator);
  return { helpdesk, crm, one, other, data, variables, change, promote, sealSecretsAgain, start, replicas };
}

function wantedOf(
  name: Parameters<typeof changeSetting>[1]['name'],
  value: string | null,
  slot: 'current' | 'next' = 'current',
) {
  return { name, value, slot };
}
