import { statSync } from 'node:fs';
import { contract, type PageAnchor, PageAnchors, type SetupGap, type Whoami } from '@deskside/shared/contract';
import * as z from 'zod';
import { readTextFile } from '#config.ts';
import { type Call, type Context, endpoint } from '#context.ts';
import type { Logger } from '#runtime/log.ts';
import * as notes from '#store/notes.ts';

// What an extension asks and tells of the installation itself.

/** The longest that is read, in bytes: the list goes to every extension. */
const maxBytes = 8_192;

/** The file as an operator writes it: a key that is none is a slip, and said. */
const File = z.strictObject(PageAnchors.shape);

/**
 * The operator's selectors for a helpdesk page that has changed (docs/operate.md#after-an-update-of-the-helpdesk).
 * @param file `anchors.json` beside the file of rules, which need not be there; null: there is no such file of rules
 * @returns undefined if there are none; what is wrong with a file is logged once, and the file counts as none
 */
export function readPageAnchors(file: string | null, logger: Pick<Logger, 'warn'>): PageAnchors | undefined {
  const wrong = (problem: string): undefined => {
    logger.warn({ file, problem }, 'The list of page anchors cannot be used and counts as none');
  };
  const size = file === null ? undefined : statSync(file, { throwIfNoEntry: false })?.size;
  if (file === null || size === undefined) return undefined;
  if (size > maxBytes) return wrong(`it has ${size} bytes, at most ${maxBytes} are read`);
  try {
    const { data, error } = File.safeParse(JSON.parse(readTextFile(file)));
    return data ?? wrong(z.prettifyError(error).replaceAll('\n', ' '));
  } catch (error) {
    return wrong(
      error instanceof SyntaxError ? 'it is not JSON' : error instanceof Error ? error.message : 'unreadable',
    );
  }
}

/** An extension tells it once per browser session. */
export const reportsPerAgent = { burst: 5, perSecond: 5 / 3_600 };
/** However many agents have the same page, the log says so once in six hours. */
const quietMs = 6 * 3_600_000;

/**
 * An agent's extension does not find its place on the ticket page: the operator is told, by code and versions only,
 * and `doctor` knows. Throws `unauthenticated`, `not_an_agent`, `rate_limited`.
 */
export async function noteMissingAnchor(
  ctx: Call,
  { anchor, extension }: { anchor: PageAnchor; extension: string },
): Promise<Record<string, never>> {
  ctx.anchorReports.spend(await ctx.gate.requireAgent(ctx.caller, ctx.signal));
  // Worth knowing, but not worth failing for.
  const helpdesk = await ctx.helpdesk.version(ctx.signal).catch(() => null);
  const isNews = await notes.noteMissingAnchor(ctx.db, { anchor, extension, helpdesk, at: ctx.clock() }, quietMs);
  const line = { fault: 'helpdesk_page_changed', anchor, extension, helpdesk } as const;
  if (isNews) ctx.logger.warn(line, 'The extension does not find its place on the ticket page');
  return {};
}

export const missingAnchorEndpoint = endpoint(contract.missingAnchor, {
  who: 'agent',
  handle: noteMissingAnchor,
  message: () => 'Noted.',
});

/** Reports who a credential belongs to and, to agents only, what the setup lacks. Throws `unauthenticated`. */
async function describeCaller(ctx: Call): Promise<Whoami> {
  const user = await ctx.gate.whoIs(ctx.caller, ctx.signal);
  const isManager = user.isAgent && (await ctx.helpdesk.people.isManager(user.id, ctx.signal).catch(() => false));
  return {
    user: user.id,
    full_name: user.fullName,
    language: user.language,
    is_agent: user.isAgent,
    is_manager: isManager,
    proxy_version: ctx.about.version,
    helpdesk_url: ctx.about.helpdeskUrl,
    missing: user.isAgent ? gaps(ctx) : [],
  };
}

function gaps({ crm, crmEnabled, helpdesk }: Context): SetupGap[] {
  const missing: SetupGap[] = [];
  if (!crmEnabled) missing.push({ part: 'crm', code: 'crm_disabled' });
  else if (crm === null) missing.push({ part: 'crm', code: 'crm_not_configured' });
  else if (!crm.knowsUsers) missing.push({ part: 'crm', code: 'responsible_not_configured' });
  const fields = helpdesk.missingFields();
  if (fields === null) missing.push({ part: 'service_account', code: 'helpdesk_refused' });
  else if (fields.length > 0) missing.push({ part: 'helpdesk', code: 'fields_missing', detail: fields.join(', ') });
  return missing;
}

export const whoamiEndpoint = endpoint(contract.whoami, {
  who: 'signed_in',
  handle: describeCaller,
  message: ({ is_agent }) => (is_agent ? 'You are signed in as an agent.' : 'You are signed in, but not as an agent.'),
});
