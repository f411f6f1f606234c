import { contract, type Discovery } from '@deskside/shared/contract';
import type { Handler } from 'hono';
import type { Context, Lasting } from '#context.ts';
import { HelpdeskError, helpdeskProblem } from '#helpdesk/errors.ts';
import type { Helpdesk } from '#helpdesk/helpdesk.ts';
import type { LastingFault } from '#runtime/log.ts';
import { machine } from '#runtime/machine.ts';
import { describeHeard, heardOf } from '#store/backlog.ts';
import { driverCode, isFull, StoreUnavailable } from '#store/engine.ts';
import { probe } from '#store/notes.ts';
import type { AppEnv } from './middleware.ts';
import { describeApi, type OpenApi } from './openapi.ts';

/** Origins of browser extensions, which no page can have. */
const extension = /^(chrome|moz)-extension:\/\//;

/** What anybody may ask by GET, without a credential, by path. */
export function openRoutes(
  discovery: Discovery,
  readiness: Pick<Readiness, 'checks'>,
): Record<string, Handler<AppEnv>> {
  let described: OpenApi | undefined;
  return {
    // What the extension needs before anyone has signed in. It may read this before its person has granted it the proxy's
    // address (docs/api.md#callers); pages may not.
    [contract.discovery.path]: (c) => {
      const origin = c.req.header('origin') ?? '';
      c.header('vary', 'Origin');
      if (extension.test(origin)) c.header('access-control-allow-origin', origin);
      return c.json({ success: true, data: discovery, message: 'Deskside.' });
    },

    '/livez': (c) => c.json({ success: true, data: {}, message: 'Alive.' }),

    // 503, with what is wrong, unless every part works. Not the CRM: without it, profiles still work.
    '/readyz': async (c) => {
      const checks = await readiness.checks();
      const failing = checks.filter(({ ok }) => !ok).map(({ message }) => message);
      const isReady = failing.length === 0;
      const message = isReady ? 'Ready.' : `Not ready. ${failing.join(' ')}`;
      return c.json({ success: isReady, data: { checks }, message }, isReady ? 200 : 503);
    },

    // Made when first asked for.
    '/openapi.json': (c) => {
      described ??= describeApi(discovery.version);
      return c.json(described);
    },
  };
}

/** One part that must work before requests are welcome, in a sentence for the operator. Holds no secret. */
interface ReadinessCheck {
  check: 'store' | 'helpdesk' | 'webhook';
  ok: boolean;
  message: string;
}

/** What one look at a part found; `fault`: what it becomes if it stays so. */
type Looked = { ok: true; message: string } | { ok: false; message: string; fault: LastingFault };

const lookEveryMs = 5_000;
const againMs = 15_000;

/** How long one look at the helpdesk may take. */
const withinMs = 5_000;

export type Readiness = ReturnType<typeof createReadiness>;

/** Whether requests are welcome, in words. What changes is logged; what fails twice in a row is a fault. */
export function createReadiness(
  { db, helpdesk, clock, logger }: Lasting,
  sleep: Context['pause'] = (ms, signal) => machine.wait(ms, signal),
) {
  /** None rejects. */
  const parts: Record<ReadinessCheck['check'], () => Promise<Looked>> = {
    store: () =>
      probe(db).then(
        () => ({ ok: true, message: 'The store answers.' }),
        (error: unknown) => ({ ok: false, message: whyNoStore(error), fault: 'store_failing' }),
      ),
    helpdesk: () =>
      askHelpdesk(helpdesk, machine.timeout(withinMs)).then(
        () => ({ ok: true, message: 'The helpdesk answers the service account.' }),
        problemOf,
      ),
    // It delays tickets and keeps nobody from being served, so it is told and does not count.
    webhook: () =>
      heardOf(db).then(
        (heard) => ({ ok: true, message: describeHeard(heard).text }),
        () => ({ ok: true, message: 'Last webhook: unknown.' }),
      ),
  };
  const names = Object.keys(parts) as ReadinessCheck['check'][];
  const before = new Map<ReadinessCheck['check'], Looked>();
  const lasting = new Map<ReadinessCheck['check'], LastingFault>();
  let last: { checks: Promise<ReadinessCheck[]>; startedAt: number } | undefined;

  async function look(check: ReadinessCheck['check']): Promise<ReadinessCheck> {
    const looked = await parts[check]();
    const { ok, message } = looked;
    const known = before.get(check);
    before.set(check, looked);
    if (ok && !known?.ok) logger.info({ check }, known ? `Ready again: ${message}` : message);
    if (!ok && known?.message !== message) logger.warn({ check }, `Not ready: ${message}`);
    const raised = lasting.get(check);
    if (raised !== undefined && (looked.ok || looked.fault !== raised)) {
      lasting.delete(check);
      logger.info({ fault_ended: raised, check }, 'What kept the service from being ready is over');
    }
    if (!looked.ok && known?.ok === false && !lasting.has(check)) {
      lasting.set(check, looked.fault);
      logger.error({ fault: looked.fault, check }, message);
    }
    return { check, ok, message };
  }

  function checks(): Promise<ReadinessCheck[]> {
    if (last === undefined || clock() - last.startedAt >= lookEveryMs)
      last = { checks: Promise.all(names.map(look)), startedAt: clock() };
    return last.checks;
  }

  let looking: Promise<void> | undefined;

  async function until(stopped: AbortSignal, firstAfterMs: number): Promise<void> {
    if (firstAfterMs > 0) await sleep(firstAfterMs, stopped).catch(() => {});
    while (!stopped.aborted && !(await checks()).every(({ ok }) => ok)) await sleep(againMs, stopped).catch(() => {});
  }

  function once(work: () => Promise<void>): Promise<void> {
    looking ??= work().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  return {
    /** Each part as it is now. Open to everyone, so the parts are looked at once in five seconds at most. */
    checks,
    /** Looks again and again until everything works, or the signal fires. */
    untilReady: (stopped: AbortSignal) => once(() => until(stopped, 0)),
    /**
     * Looks likewise, as soon as no earlier look stands any more: to be called when something has failed elsewhere that may
     * keep it from being ready. Harmless while it is looked already.
     */
    lookAgain: (stopped: AbortSignal) => once(() => until(stopped, lookEveryMs)),
  };
}

function whyNoStore(error: unknown): string {
  return isFull(error instanceof StoreUnavailable ? error.code : driverCode(error))
    ? "The store's disk is full. Free up space."
    : 'The store cannot be read. Check the database and its disk.';
}

/** Throws unless the service account is answered. Once what is remembered of the site has been read, that is one request. */
async function askHelpdesk(helpdesk: Helpdesk, signal: AbortSignal) {
  if (helpdesk.missingFields() !== null) return helpdesk.people.ping(signal);
  try {
    await helpdesk.warm(signal);
  } catch (error) {
    // It says more of the reason.
    await helpdesk.people.ping(signal);
    throw error;
  }
}

function problemOf(error: unknown): Looked {
  const { text, todo } = helpdeskProblem(error);
  const isRefused = error instanceof HelpdeskError && ['unauthenticated', 'forbidden'].includes(error.kind);
  return { ok: false, message: `${text} ${todo}`, fault: isRefused ? 'service_key_refused' : 'helpdesk_unreachable' };
}
