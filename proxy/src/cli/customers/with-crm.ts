import type { Context } from '#app/context.ts';
import { hasCrmOn, type WithCrm } from '#app/crm/crm-layers.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { untilInterrupted } from '#cli/arguments.ts';
import { loadConfig } from '#cli/load-config.ts';
import { sayWaiting } from '#cli/own-store.ts';
import { StartError } from '#http/server/listen.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import { withContext } from '#wiring/context.ts';

/** How a run over all customers ended before it was done. */
export const earlyEndings = {
  busy: 'Another process is at it; nothing more was done here.',
  stopped: 'Interrupted; run it again to go on.',
  crm_failing: 'The CRM does not answer ("deskside doctor" says why); run it again to go on.',
};

/**
 * A command's work with helpdesk and CRM, until the operator interrupts it.
 *
 * @throws StartError with one sentence if there is no CRM, or if the helpdesk or the store fails; ConfigError; StoreError
 */
export async function withCrm<T>(work: (ctx: WithCrm<Context>, signal: AbortSignal) => Promise<T>): Promise<T> {
  const config = await loadConfig();
  const signal = untilInterrupted();
  return withContext(config, sayWaiting, async (ctx) => {
    if (!hasCrmOn(ctx)) throw new StartError('There is no CRM to ask: set CRM_WEBHOOK_URL, and CRM_ENABLED to 1.');
    return work(ctx, signal);
  }).catch((error: unknown) => {
    if (!(error instanceof HelpdeskError || error instanceof AppError)) throw error;
    throw new StartError(`The helpdesk or the store failed (${error.message})`);
  });
}
