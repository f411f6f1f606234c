import { callProxy } from '@deskside/shared/client';
import type { Found } from '#messaging/page-protocol.ts';
import { parseAddress } from '#settings/address.ts';

/** Timeout of each request, in milliseconds. */
const deadlineMs = 8_000;

/**
 * Asks the proxy at an address which helpdesk it serves, before anything is saved or granted.
 * @returns the helpdesk's origin, or why there is none: `bad_answer` if something else answers there, `bad_helpdesk` if
 *   the proxy names an address that the extension may not use
 */
export async function findHelpdesk(proxy: string, fetch: typeof globalThis.fetch): Promise<Found> {
  const found = await callProxy('discovery', {}, { baseUrl: proxy, authorization: null, timeoutMs: deadlineMs, fetch });
  if (found.ok) {
    const helpdesk = parseAddress(found.data.helpdesk_url);
    return helpdesk.ok ? { ok: true, proxy, helpdesk: helpdesk.origin } : { ok: false, code: 'bad_helpdesk' };
  }
  const { code } = found.error;
  // A server that is no Deskside proxy lets nobody read its answer, which looks like no answer at all.
  return { ok: false, code: code === 'unreachable' && (await answers(proxy, fetch)) ? 'bad_answer' : code };
}

/** Whether anything answers at an address. */
function answers(origin: string, fetch: typeof globalThis.fetch): Promise<boolean> {
  const signal = AbortSignal.timeout(deadlineMs);
  return fetch(origin, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal }).then(
    () => true,
    () => false,
  );
}
