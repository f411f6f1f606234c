import { revisionHeader, trustForRevision } from '@deskside/shared/compat';
import type { ProfileData } from '@deskside/shared/profile';
import type { Context } from 'hono';
import type { Caller } from '#app/access/caller.ts';
import type { GetTicketProfile, RememberedProfile } from '#app/profile/get-ticket-profile.ts';
import { callerOf } from '#http/caller.ts';
import type { AppEnv } from '#http/context.ts';
import { inputOf } from '#http/input.ts';
import { type JsonBytes, jsonBytes, jsonBytesOf } from '#http/json-bytes.ts';
import type { Repeats } from '#http/repeats.ts';

/** GET /api/method/platform_crm_customer_profile: the customer profile of a ticket (docs/api.md#profile). */
export function customerProfileRoute({
  getTicketProfile,
  rememberedProfile,
  repeats,
}: {
  getTicketProfile: GetTicketProfile;
  rememberedProfile: RememberedProfile;
  repeats: Repeats;
}) {
  // An answer that is given again is the same object; its text in the terms of each revision is kept with it.
  const texts = { current: new WeakMap<ProfileData, JsonBytes>(), former: new WeakMap<ProfileData, JsonBytes>() };

  function bytesOf(profile: ProfileData, revision: string | undefined): JsonBytes {
    const kept = Number(revision) >= 2 ? texts.current : texts.former;
    const text = kept.get(profile) ?? textOf(profile, revision);
    kept.set(profile, text);
    return text;
  }

  /** Made here and not where the request is answered: it is kept, and with it all that is in sight, as a request and its answer. */
  function againFor(caller: Caller, ticket: string, revision: string | undefined) {
    return (client: string) => {
      const profile = rememberedProfile({ ...caller, client }, ticket);
      return profile === undefined ? null : bytesOf(profile, revision);
    };
  }

  return async (c: Context<AppEnv>) => {
    const caller = callerOf(c);
    const { ticket, refresh } = inputOf(c, 'customerProfile');
    const requestId = c.get('requestId');
    const data = await getTicketProfile({
      ...{ caller, ticket, refresh, requestId },
      get signal() {
        return c.req.raw.signal;
      },
    });
    const revision = c.req.header(revisionHeader);
    if (!refresh) repeats.keep(c, againFor(caller, ticket, revision));
    return jsonBytes(c, bytesOf(data, revision));
  };
}

function textOf(data: ProfileData, revision: string | undefined): JsonBytes {
  const { bitrix } = data;
  const told = { ...data, bitrix: { ...bitrix, lookup_trust: trustForRevision(revision, bitrix.lookup_trust) } };
  return jsonBytesOf({ success: true, data: told, message: 'Customer profile loaded.' });
}
