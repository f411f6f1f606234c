import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { CrmSimulator } from '@deskside/simulators/crm/server';
import { type Config, parseConfig } from '#config.ts';
import { crmUpstreams, openCrm } from '#crm/crm.ts';
import { createEgress } from '#net/egress.ts';
import { createBackground } from '#runtime/jobs.ts';
import type { Logger } from '#runtime/log.ts';
import { lruMemory } from '#runtime/memory.ts';
import { openStore } from '#store/database.ts';
import { uncounted } from '#testing/quiet.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** A clock that runs so many times as fast as the real one, and the waiting that goes with it. */
export function fastClock(speed: number) {
  const started = Date.now();
  return {
    clock: () => started + (Date.now() - started) * speed,
    sleep: (ms: number, value?: undefined, options?: { signal: AbortSignal }) => wait<void>(ms / speed, value, options),
    /** Waits for so many milliseconds of this clock. */
    pause: (ms: number) => wait(ms / speed),
  };
}

export interface LayersOptions {
  crm: CrmSimulator;
  /** Folder of the store: whoever has the same one shares budget, leases and answers, as processes do. */
  data: string;
  time?: ReturnType<typeof fastClock>;
  environment?: Record<string, string>;
  logger?: Logger;
}

/** What stands before the CRM, as the proxy wires it, without the proxy's HTTP. */
export async function openLayers({ crm, data, time = fastClock(1), environment = {}, logger = silent }: LayersOptions) {
  const config: Config = parseConfig({
    HELPDESK_URL: 'https://help.example',
    HELPDESK_API_KEY: 'none',
    HELPDESK_API_SECRET: 'none',
    CRM_WEBHOOK_URL: crm.webhookUrl,
    CRM_RESPONSIBLE_WEBHOOK_URL: crm.webhookUrl,
    ALLOW_INSECURE_UPSTREAMS: '1',
    ...environment,
  });
  const store = await openStore(`file:${data}`, time.clock);
  const egress = createEgress({ allowInsecure: true });
  const background = createBackground(logger);
  const layers = openCrm(config, {
    store,
    crmUpstream: crmUpstreams(egress),
    memory: lruMemory,
    background,
    logger,
    metrics: uncounted,
    ...time,
  });
  if (!layers) throw new Error('The CRM is not configured.');
  return {
    layers,
    async close() {
      await background.drain(1_000);
      await Promise.all([store.close(), egress.close()]);
    },
  };
}

/** A folder that is removed afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'deskside-layers-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
