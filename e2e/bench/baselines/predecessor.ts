import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/server';

/**
 * The flow of the specification, which scripts inside the helpdesk carry out: the ticket's org ids in order, each asked for
 * by itself, then the contact, then the owner. What the scripts read of the helpdesk costs nothing here, and of the
 * helpdesk's own time only the one request that runs them is counted.
 */
export interface Predecessor {
  helpdesk: HelpdeskSimulator;
  /** The CRM's incoming webhook. It should have no limit that a process of ours is also counted by. */
  webhookUrl: string;
  /** Of the agent who asks. */
  authorization: string;
  /** What the time-to-live still covers, by org id. */
  kept: Map<string, unknown>;
}

/** One profile. `isOld`: past the time-to-live, so the CRM is asked again. */
export async function predecessorProfile(flow: Predecessor, ticket: string, isOld = false): Promise<void> {
  const { helpdesk, authorization, kept } = flow;
  const answer = await fetch(`${helpdesk.url}/api/resource/HD Ticket/${ticket}`, { headers: { authorization } });
  if (!answer.ok) throw new Error(`The helpdesk answered ${answer.status}.`);
  const { data } = (await answer.json()) as { data: { custom_orgid?: string; customer?: string } };
  const customer = data.customer ? helpdesk.document('HD Customer', data.customer) : undefined;
  const candidates = [data.custom_orgid, customer?.custom_platform_orgid as string | undefined].filter(Boolean);
  for (const orgId of new Set(candidates as string[])) {
    if (kept.has(orgId) && !isOld) return;
    const [company] = await call<Record<string, string>[]>(flow, 'crm.company.list', {
      filter: { UF_CRM_COMPANY_ID: orgId },
      select: ['*', 'UF_*', 'EMAIL', 'PHONE', 'WEB'],
      order: { DATE_MODIFY: 'DESC' },
    });
    if (company === undefined) continue;
    await call(flow, 'crm.contact.list', { filter: { COMPANY_ID: company.ID } });
    await call(flow, 'user.get', { ID: company.ASSIGNED_BY_ID });
    kept.set(orgId, company);
    return;
  }
}

async function call<T>({ webhookUrl }: Predecessor, method: string, params: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${webhookUrl}${method}.json`, { method: 'POST', headers, body: JSON.stringify(params) });
  const { result, error } = (await answer.json()) as { result?: T; error?: string };
  if (result === undefined) throw new Error(`The CRM answered ${error}.`);
  return result;
}
