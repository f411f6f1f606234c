import type { PageAnchor } from '@deskside/shared/contract';
import { contract } from '@deskside/shared/contract';
import type { Context } from '#context.ts';
import { endpoint } from '#endpoint.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import { AppError } from '#runtime/app-error.ts';
import * as notes from '#store/notes.ts';

/** An extension tells it once per browser session. */
export const reportsPerAgent = { burst: 5, perSecond: 5 / 3_600 };
/** However many agents have the same page, the log says so once in six hours. */
const quietMs = 6 * 3_600_000;

interface Asked {
  caller: Caller;
  anchor: PageAnchor;
  /** Version of the extension. */
  extension: string;
}

/**
 * An agent's extension does not find its place on the ticket page: the operator is told, by code and versions only,
 * and `doctor` knows. Throws `unauthenticated`, `not_an_agent`, `rate_limited`.
 */
export async function noteMissingAnchor(
  ctx: Context,
  asked: Asked,
  signal: AbortSignal,
): Promise<Record<string, never>> {
  const { anchor, extension } = asked;
  const { id } = await ctx.gate.requireAgent(asked.caller, signal);
  if (!ctx.anchorReports.take(id)) throw AppError.rateLimited(ctx.anchorReports.waitSeconds(id));
  // Worth knowing, but not worth failing for.
  const helpdesk = await ctx.helpdesk.version(signal).catch(() => null);
  const isNews = await notes.noteMissingAnchor(ctx.db, { anchor, extension, helpdesk, at: ctx.clock() }, quietMs);
  const line = { fault: 'helpdesk_page_changed', anchor, extension, helpdesk } as const;
  if (isNews) ctx.logger.warn(line, 'The extension does not find its place on the ticket page');
  return {};
}

export const missingAnchorEndpoint = endpoint(contract.missingAnchor, {
  who: 'agent',
  handle: (ctx, asked) => noteMissingAnchor(ctx, { ...asked, caller: ctx.caller }, ctx.signal),
  message: () => 'Noted.',
});
