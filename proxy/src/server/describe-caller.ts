import type { SetupGap, Whoami } from '@deskside/shared/contract';
import { contract } from '@deskside/shared/contract';
import type { Call, Context } from '#context.ts';
import { endpoint } from '#endpoint.ts';

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
