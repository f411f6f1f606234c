import {
  type AlertCause,
  type AlertKind,
  type AlertNews,
  alertCauses,
  alertKindOf,
  alertNames,
} from '#domain/alerts/alert-causes.ts';
import type { AlertChannel } from '#ports/operator/alert-channel.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Metrics } from '#ports/runtime/metrics.ts';
import type { Store } from '#store/store.ts';

/** An alert that is not over. `kind`: the part that it is limited to, if there are several. */
interface ActiveAlert {
  cause: AlertCause;
  kind: AlertKind | null;
  /** Epoch milliseconds. */
  since: number;
}

/** Knows what is wrong, and has each cause and its end told once (docs/monitoring.md#alerts). Nobody waits for it. */
export interface AlertDesk {
  raise(cause: AlertCause, kind: AlertKind | null): void;
  /** It seems to be over; null: whatever its kind. Harmless if it was never raised. */
  end(cause: AlertCause, kind: AlertKind | null): void;
  /** What is wrong in this replica, longest first. */
  active(): ActiveAlert[];
  /** Notices what is over, and tells what another replica no longer tells. To be called every few seconds. */
  tend(): Promise<void>;
  /** Lets other replicas take over. */
  stop(): Promise<void>;
}

/** A cause that comes back within this time is the same alert: what comes and goes is told once. */
const settleMs = 2 * 60_000;
/** A replica that died leaves its alerts to the others after this long. */
const leaseMs = 11_000;

interface Entry extends ActiveAlert {
  seenAt: number;
  endedAt: number | null;
  /** Whether this replica holds it in the store and has told it, and so is to tell its end. */
  told: boolean;
}

const beginning = 'alert ';

/** What is wrong in any replica on the store, by name: a few seconds old at most, two minutes once it is over. */
export async function openAlerts(
  leases: Pick<Store['leases'], 'keysHeld'>,
): Promise<Pick<ActiveAlert, 'cause' | 'kind'>[]> {
  return (await leases.keysHeld(beginning)).flatMap((key) => {
    const [name, kind] = key.slice(beginning.length).split(' ');
    const cause = alertNames.find((known) => known === name);
    return cause ? [{ cause, kind: alertKindOf(kind) }] : [];
  });
}

/** @param deps.channel null: alerts are kept in the store, and told to nobody */
export function createAlertDesk(deps: {
  channel: Pick<AlertChannel, 'send'> | null;
  leases: Pick<Store['leases'], 'take' | 'release'>;
  clock: Clock;
  metrics: Pick<Metrics, 'alertRaised'>;
}): AlertDesk {
  const { channel, leases, clock } = deps;
  const owner = crypto.randomUUID();
  const entries = new Map<string, Entry>();
  const keyOf = (cause: AlertCause, kind: AlertKind | null) => `${beginning}${cause}${kind === null ? '' : ` ${kind}`}`;

  /** Of all replicas that see the cause, one tells it. If the store is what fails, each does. */
  async function holds(key: string): Promise<boolean> {
    return leases.take([key], owner, leaseMs).then(
      (taken) => taken.has(key),
      () => true,
    );
  }

  async function letGo(key: string): Promise<void> {
    await leases.release([key], owner).catch(() => {});
  }

  async function tell(key: string, entry: Entry): Promise<void> {
    if (!(await holds(key)) || entry.told) return;
    // It may have ended, and another one begun, while the store was asked.
    if (entries.get(key) !== entry) return letGo(key);
    entry.told = true;
    channel?.send(newsOf(entry, 'raised'));
  }

  async function resolve(key: string, entry: Entry): Promise<void> {
    entries.delete(key);
    if (!entry.told) return;
    channel?.send(newsOf(entry, 'resolved'));
    await letGo(key);
  }

  async function tendOne(key: string, entry: Entry): Promise<void> {
    const now = clock();
    const { quietMinutes } = alertCauses[entry.cause];
    if (quietMinutes !== null && now - entry.seenAt >= quietMinutes * 60_000) entry.endedAt ??= entry.seenAt;
    if (entry.endedAt !== null && now - entry.endedAt >= settleMs) await resolve(key, entry);
    else if (entry.told) await holds(key);
    else await tell(key, entry);
  }

  return {
    raise(cause, kind) {
      const key = keyOf(cause, kind);
      const now = clock();
      const known = entries.get(key);
      if (known) {
        known.seenAt = now;
        known.endedAt = null;
        return;
      }
      const entry = { cause, kind, since: now, seenAt: now, endedAt: null, told: false };
      entries.set(key, entry);
      deps.metrics.alertRaised(cause);
      void tell(key, entry);
    },
    end(cause, kind) {
      for (const entry of entries.values())
        if (entry.cause === cause && (kind === null || entry.kind === kind)) entry.endedAt ??= clock();
    },
    active: () =>
      [...entries.values()]
        .filter(({ endedAt }) => endedAt === null)
        .map(({ cause, kind, since }) => ({ cause, kind, since }))
        .sort((a, b) => a.since - b.since),
    async tend() {
      for (const [key, entry] of entries) await tendOne(key, entry);
    },
    async stop() {
      for (const [key, { told }] of entries) if (told) await letGo(key);
    },
  };
}

function newsOf({ cause, kind, since, endedAt }: Entry, state: AlertNews['state']): AlertNews {
  return { cause, kind, state, since, until: state === 'raised' ? null : endedAt };
}

/** Nobody else will say that what another service could not do is over; if it is not, it is raised again at once. */
export function endAlertsOfCrm({ end }: Pick<AlertDesk, 'end'>): void {
  for (const cause of alertNames) if (cause.startsWith('crm_')) end(cause, null);
}
