import type { ProfileData } from '@deskside/shared/profile';
import type { Context } from 'hono';
import type { GetTicketProfile } from '#app/profile/get-ticket-profile.ts';
import { callerOf } from '#http/caller.ts';
import type { AppEnv } from '#http/context.ts';
import { eitherInputOf } from '#http/input.ts';
import { profileMessages } from './profile-message.ts';

/** GET or POST /api/method/platform_crm_customer_profile: the customer profile of a ticket (docs/api.md#profile). */
export function customerProfileRoute(getTicketProfile: GetTicketProfile) {
  return async (c: Context<AppEnv>) => {
    const caller = callerOf(c);
    const { ticket, refresh } = await eitherInputOf(c, 'customerProfile');
    const requestId = c.get('requestId');
    const profile = await getTicketProfile({ caller, ticket, refresh, requestId, signal: c.req.raw.signal });
    c.set('lasts', !refresh && isWhole(profile));
    return c.json({ success: true, data: profile, message: profileMessages[profile.bitrix.status] });
  };
}

/** Whether nothing of it is missing, old or failed. */
function isWhole({ pending, bitrix }: ProfileData): boolean {
  const companies = [bitrix, ...bitrix.also_named.map(({ file, trust }) => ({ ...file, lookup_trust: trust }))];
  return (
    pending.length === 0 &&
    companies.every(
      ({ company, stale, error, lookup_trust }) => !stale && error === null && (company === null || lookup_trust),
    )
  );
}
