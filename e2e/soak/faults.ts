import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { PostgresServer } from '@deskside/proxy/testing/postgres-server';
import type { CrmFault, CrmSimulator } from '@deskside/simulators/crm/server';
import type { Fault } from '@deskside/simulators/helpdesk/api';
import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/server';
import type { Random } from '@deskside/simulators/seed/random';

/** What can be made to fail. */
export interface Breakable {
  helpdesk: HelpdeskSimulator;
  crm: CrmSimulator;
  /** The file of SQLite, or the server. */
  store: string | PostgresServer;
}

/** Without those after which a portal is left alone for minutes (docs/crm.md#errors): the run would be over by then. */
const crmFaults: readonly CrmFault[] = [
  ...(['hang', 'cut', 'truncated', 'html', 'html_502', 'null_result', 'limit', 'empty_error'] as const),
  ...(['error_200', 'server_error', 'slow_body', 'wrong_company', 'ignored_filter'] as const),
];
const helpdeskFaults: readonly Fault[] = ['hang', 'cut', 'html', 'deadlock', 500, 502, 503, 429];

/** One fault after the other, with pauses between them, until the signal; each is over when it ends. Gives how often each was had. */
export async function breakThings(
  { helpdesk, crm, store }: Breakable,
  random: Random,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const kinds: Record<string, (milliseconds: number) => Promise<void>> = {
    async crm(milliseconds) {
      crm.fault = random.pick(crmFaults);
      await wait(milliseconds);
      crm.fault = null;
    },
    /** Now nothing works there, now a third of the requests does not. */
    async helpdesk(milliseconds) {
      const [fault, share] = [random.pick(helpdeskFaults), random.pick([0.3, 1])];
      helpdesk.fault = () => (random.chance(share) ? fault : null);
      await wait(milliseconds);
      helpdesk.fault = null;
    },
    async store(milliseconds) {
      if (typeof store !== 'string') return random.chance(0.5) ? store.crashAndRestart() : store.terminateConnections();
      const database = new DatabaseSync(store, { timeout: 5_000 });
      try {
        // As a backup or an operator's own look would hold it.
        database.exec('begin immediate');
        await wait(milliseconds);
        database.exec('rollback');
      } finally {
        database.close();
      }
    },
  };
  const had: Record<string, number> = {};
  while (!signal.aborted) {
    const kind = random.pick(Object.keys(kinds));
    had[kind] = (had[kind] ?? 0) + 1;
    await kinds[kind]?.(500 + random.int(5_000));
    await wait(random.int(4_000));
  }
  return had;
}
