import type { PageAnchor } from '@deskside/shared/contract';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { Caller } from '#app/access/caller.ts';
import type { Helpdesk } from '#ports/helpdesk/helpdesk.ts';
import type { MissingAnchors } from '#ports/operator/missing-anchors.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { Memory } from '#ports/runtime/memory.ts';
import { AppError } from './app-error.ts';
import { createRateLimit } from './rate-limit.ts';

/**
 * An agent's extension does not find its place on the ticket page: the operator is alerted, by code and versions only,
 * and `doctor` knows.
 * Throws `unauthenticated`, `not_an_agent`, `rate_limited`.
 */
export type NoteMissingAnchor = (input: {
  caller: Caller;
  anchor: PageAnchor;
  /** Version of the extension. */
  extension: string;
  signal: AbortSignal;
}) => Promise<void>;

/** An extension tells it once per browser session. */
const perUser = { burst: 5, perSecond: 5 / 3_600 };
/** However many agents have the same page, the log says so once in six hours. */
const quietMs = 6 * 3_600_000;

export function createNoteMissingAnchor({
  gate,
  helpdesk,
  missing,
  memory,
  clock,
  logger,
}: {
  gate: Pick<AgentGate, 'requireAgent'>;
  helpdesk: Pick<Helpdesk, 'version'>;
  missing: Pick<MissingAnchors, 'record'>;
  memory: Memory;
  clock: Clock;
  logger: Logger;
}): NoteMissingAnchor {
  const users = createRateLimit(memory, perUser);
  return async ({ caller, anchor, extension, signal }) => {
    const { id } = await gate.requireAgent(caller, signal);
    if (!users.take(id)) throw AppError.rateLimited(users.waitSeconds(id));
    // Worth knowing, but not worth failing for.
    const version = await helpdesk.version(signal).catch(() => null);
    if (!(await missing.record({ anchor, extension, helpdesk: version, at: clock() }, quietMs))) return;
    logger.warn(
      { alert: 'helpdesk_page_changed', anchor, extension, helpdesk: version },
      'The extension does not find its place on the ticket page',
    );
  };
}
