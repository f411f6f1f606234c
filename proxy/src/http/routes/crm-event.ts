import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import type { MarkCompanyStale } from '../../app/mark-company-stale.ts';
import type { AppEnv } from '../context.ts';

/** What the CRM's events need: the application tokens that count, in the clear, and what is done about an event. */
export interface CrmEvents {
  tokens: readonly string[];
  markCompanyStale: MarkCompanyStale;
}

/** An event is a few hundred bytes; more than this is none. */
export const mostEventBytes = 64 * 1024;

/**
 * POST /webhooks/crm/company: Bitrix24's outgoing webhook, form-encoded (facts/bitrix24.md 7.1). A wrong application token
 * is 403; events that say nothing to us are taken all the same, since nobody is there to read another answer.
 */
export function crmEventRoute({ tokens, markCompanyStale }: CrmEvents) {
  const digests = tokens.map(digestOf);

  return async (c: Context<AppEnv>) => {
    const form = new URLSearchParams(await c.req.text());
    const given = digestOf(form.get('auth[application_token]') ?? '');
    // Each is compared, and of equal length, so that the time taken tells nothing.
    const known = digests.map((digest) => timingSafeEqual(digest, given)).includes(true);
    if (!known) {
      c.set('errorCode', 'wrong_event_token');
      const data = { code: 'unauthenticated', request_id: c.get('requestId') };
      return c.json({ success: false, data, message: 'The application token is not the one agreed on.' }, 403);
    }
    const id = form.get('data[FIELDS][ID]')?.trim() ?? '';
    await markCompanyStale({
      event: (form.get('event') ?? '').trim().toUpperCase(),
      companyId: /^[1-9]\d{0,19}$/.test(id) ? id : null,
    });
    return c.json({ success: true, data: {}, message: 'Noted.' });
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
