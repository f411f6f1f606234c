import { contract, type Discovery } from '@deskside/shared/contract';
import type { Handler } from 'hono';
import type { Context, ProcessServices } from '#context.ts';
import { HelpdeskError, helpdeskProblem, isForbidden, isUnknownKey } from '#helpdesk/errors.ts';
import type { Helpdesk } from '#helpdesk/helpdesk.ts';
import { noAgent } from '#helpdesk/sight.ts';
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

/** One part of what the service needs, in a sentence for the operator. Holds no secret. */
interface ReadinessCheck {
  check: 'store' | 'helpdesk' | 'fields' | 'webhook';
  ok: boolean;
  message: string;
}

/** What one look at a part found; `fault`: what it becomes if it stays so. Not everything that is a fault keeps requests away. */
interface PartHealth {
  ok: boolean;
  message: string;
  fault: LastingFault | null;
}

/** How often it looks by itself, and how soon again where something is wrong. */
const watchEveryMs = 10_000;
const lookEveryMs = 5_000;

/** How long one look at the helpdesk may take. */
const withinMs = 5_000;

export type Readiness = ReturnType<typeof createReadiness>;

/** Whether requests are welcome, in words. What changes is logged; what fails twice in a row is a fault. */
export function createReadiness(
  { db, helpdesk, clock, logger }: ProcessServices,
  sleep: Context['pause'] = (ms, signal) => machine.wait(ms, signal),
) {
  const fine = (message: string): PartHealth => ({ ok: true, message, fault: null });
  /** None rejects. */
  const parts: Record<ReadinessCheck['check'], () => Promise<PartHealth>> = {
    store: () =>
      probe(db).then(
        () => fine('The store answers.'),
        (error: unknown) => ({ ok: false, message: whyNoStore(error), fault: 'store_failing' }),
      ),
    helpdesk: () => askHelpdesk(helpdesk, machine.timeout(withinMs)).catch(problemOf),
    // Their values are left out, and everything else works.
    fields: async () => {
      const missing = helpdesk.missingFields() ?? [];
      if (missing.length === 0) return fine('No field is known to be missing.');
      const message = `The helpdesk lacks ${missing.join(', ')}. Run "deskside provision".`;
      return { ok: true, message, fault: 'helpdesk_field_missing' };
    },
    // It delays tickets and keeps nobody from being served, so it is told and does not count.
    webhook: () =>
      heardOf(db).then(
        (heard) => fine(describeHeard(heard).text),
        () => fine('Last webhook: unknown.'),
      ),
  };
  const names = Object.keys(parts) as ReadinessCheck['check'][];
  const before = new Map<ReadinessCheck['check'], PartHealth>();
  const lasting = new Map<ReadinessCheck['check'], LastingFault>();
  let last: { checks: Promise<ReadinessCheck[]>; startedAt: number } | undefined;

  async function look(check: ReadinessCheck['check']): Promise<ReadinessCheck> {
    const looked = await parts[check]();
    const { ok, message, fault } = looked;
    const known = before.get(check);
    before.set(check, looked);
    if (ok && !known?.ok) logger.info({ check }, known ? `Ready again: ${message}` : message);
    if (!ok && known?.message !== message) logger.warn({ check }, `Not ready: ${message}`);
    const raised = lasting.get(check);
    if (raised !== undefined && fault !== raised) {
      lasting.delete(check);
      logger.info({ fault_ended: raised, check, kind: check }, 'What was wrong is over');
    }
    if (fault !== null && known?.fault && !lasting.has(check)) {
      lasting.set(check, fault);
      logger.error({ fault, check, kind: check }, message);
    }
    return { check, ok, message };
  }

  /** Each part as it is now. Open to everyone, so the parts are looked at once in five seconds at most. */
  function checks(): Promise<ReadinessCheck[]> {
    if (last === undefined || clock() - last.startedAt >= lookEveryMs)
      last = { checks: Promise.all(names.map(look)), startedAt: clock() };
    return last.checks;
  }

  return {
    checks,
    /** Looks until the signal fires, whether anybody asks or not. */
    async watch(stopped: AbortSignal): Promise<void> {
      while (!stopped.aborted) {
        const isReady = (await checks()).every(({ ok }) => ok);
        await sleep(isReady ? watchEveryMs : lookEveryMs, stopped).catch(() => {});
      }
    },
  };
}

/** The fault of which a regular task failed; null where it is none that an operator can mend. */
export function faultOf(error: unknown): LastingFault | null {
  if (error instanceof StoreUnavailable || driverCode(error).startsWith('SQLITE_')) return 'store_failing';
  if (isForbidden(error)) return 'service_account_limited';
  const isHelpdesk = error instanceof HelpdeskError || (error instanceof DOMException && error.name === 'TimeoutError');
  return isHelpdesk ? problemOf(error).fault : null;
}

function whyNoStore(error: unknown): string {
  const code = error instanceof StoreUnavailable ? error.code : driverCode(error);
  return isFull(code)
    ? "The store's disk is full. Free up space."
    : `The store cannot be written to (${code}). Check the database and its disk.`;
}

/** Throws unless the service account is answered. What is remembered of the site is read on the way where it is old. */
async function askHelpdesk(helpdesk: Helpdesk, signal: AbortSignal): Promise<PartHealth> {
  const { user, isAgent } = await helpdesk.people.identifyService(signal);
  if (!isAgent) {
    const { text, todo } = noAgent(user);
    return { ok: false, message: `${text} ${todo}`, fault: 'service_account_limited' };
  }
  await helpdesk.warm(signal);
  return { ok: true, message: 'The helpdesk answers the service account.', fault: null };
}

function problemOf(error: unknown): PartHealth {
  const { text, todo } = helpdeskProblem(error);
  const isRefused = isUnknownKey(error) || isForbidden(error);
  return { ok: false, message: `${text} ${todo}`, fault: isRefused ? 'service_key_refused' : 'helpdesk_unreachable' };
}
