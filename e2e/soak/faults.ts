import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { CrmFault, CrmSimulator } from '@deskside/simulators/crm/server';
import type { Fault } from '@deskside/simulators/helpdesk/api';
import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/server';
import type { Random } from '@deskside/simulators/seed/random';
import type { Relay } from './relay.ts';

/** What can be made to fail. */
export interface Breakable {
  helpdesk: HelpdeskSimulator;
  crm: CrmSimulator;
  /** The network between the proxies and each of these, and to the proxies. */
  network: { helpdesk: Relay; crm: Relay; proxies: Relay };
  /** `state.db`, or the network to PostgreSQL. */
  store: { sqlite: string } | { postgres: Relay };
}

/** Without those after which a portal is left alone for minutes (docs/crm.md#errors): the run would be over by then. */
const crmFaults: readonly CrmFault[] = [
  ...(['hang', 'cut', 'truncated', 'html', 'html_502', 'null_result', 'limit', 'empty_error'] as const),
  ...(['error_200', 'server_error', 'slow_body', 'wrong_company', 'ignored_filter'] as const),
];
const helpdeskFaults: readonly Fault[] = ['hang', 'cut', 'html', 'deadlock', 500, 502, 503, 429];

/**
 * One fault after the other, with pauses between them, until the signal; each is over when it ends. Gives how often each
 * was had.
 */
export async function breakThings(
  things: Breakable,
  random: Random,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const had = new Map<string, number>();
  const kinds = { crm: breakCrm, helpdesk: breakHelpdesk, network: breakNetwork, store: breakStore };
  while (!signal.aborted) {
    const kind = random.pick(Object.keys(kinds) as (keyof typeof kinds)[]);
    const milliseconds = 500 + random.int(5_000);
    had.set(kind, (had.get(kind) ?? 0) + 1);
    await kinds[kind](things, random, milliseconds);
    await wait(random.int(4_000));
  }
  return had;
}

async function breakCrm({ crm }: Breakable, random: Random, milliseconds: number): Promise<void> {
  crm.fault = random.pick(crmFaults);
  await wait(milliseconds);
  crm.fault = null;
}

/** A part of the requests only: a site that answers nothing at all is an outage, which the network's faults are. */
async function breakHelpdesk({ helpdesk }: Breakable, random: Random, milliseconds: number): Promise<void> {
  const fault = random.pick(helpdeskFaults);
  helpdesk.fault = () => (random.chance(0.3) ? fault : null);
  await wait(milliseconds);
  helpdesk.fault = null;
}

async function breakNetwork({ network }: Breakable, random: Random, milliseconds: number): Promise<void> {
  await breakRelay(random.pick(Object.values(network)), random, milliseconds);
}

async function breakStore({ store }: Breakable, random: Random, milliseconds: number): Promise<void> {
  if ('postgres' in store) return breakRelay(store.postgres, random, milliseconds);
  const database = new DatabaseSync(store.sqlite, { timeout: 5_000 });
  try {
    // As a backup or an operator's own look would hold it.
    database.exec('begin immediate');
    await wait(milliseconds);
    database.exec('rollback');
  } finally {
    database.close();
  }
}

async function breakRelay(relay: Relay, random: Random, milliseconds: number): Promise<void> {
  if (random.chance(0.5)) {
    const release = relay.hold();
    await wait(milliseconds);
    release();
    return;
  }
  for (let left = milliseconds; left > 0; left -= 250) {
    relay.cut();
    await wait(250);
  }
}
