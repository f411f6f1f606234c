import type { SetupGap, Whoami } from '@deskside/shared/contract';
import type { Helpdesk } from '#ports/helpdesk/helpdesk.ts';
import type { AgentGate } from './agent-gate.ts';
import type { Caller } from './caller.ts';

export type DescribeCaller = (input: { caller: Caller; signal: AbortSignal }) => Promise<Whoami>;

export interface DescribeCallerDeps {
  gate: AgentGate;
  helpdesk: Helpdesk;
  crmState: { enabled: boolean; configured: boolean; knowsUsers: boolean };
  about: { version: string; helpdeskUrl: string };
}

/** Reports who a credential belongs to and, to agents only, what the setup lacks. Throws `unauthenticated`. */
export function createDescribeCaller({ gate, helpdesk, crmState, about }: DescribeCallerDeps): DescribeCaller {
  return async ({ caller, signal }) => {
    const user = await gate.whoIs(caller, signal);
    return {
      user: user.id,
      full_name: user.fullName,
      language: user.language,
      is_agent: user.isAgent,
      proxy_version: about.version,
      helpdesk_url: about.helpdeskUrl,
      missing: user.isAgent ? gaps() : [],
    };
  };

  function gaps(): SetupGap[] {
    const missing: SetupGap[] = [];
    if (!crmState.enabled) missing.push({ part: 'crm', code: 'crm_disabled' });
    else if (!crmState.configured) missing.push({ part: 'crm', code: 'crm_not_configured' });
    else if (!crmState.knowsUsers) missing.push({ part: 'crm', code: 'responsible_not_configured' });
    const fields = helpdesk.missingFields();
    if (fields === null) missing.push({ part: 'service_account', code: 'helpdesk_refused' });
    else if (fields.length > 0) missing.push({ part: 'helpdesk', code: 'fields_missing', detail: fields.join(', ') });
    return missing;
  }
}
