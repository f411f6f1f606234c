import type { FindData } from '@deskside/shared/find';
import type { Context } from 'hono';
import type { FindCompanies } from '#app/find/find-companies.ts';
import { callerOf } from '#http/caller.ts';
import type { AppEnv } from '#http/context.ts';
import { bodyInputOf } from '#http/input.ts';

/** POST /api/companies/find: the companies that an agent may mean (docs/api.md#find-company). */
export function findCompaniesRoute(findCompanies: FindCompanies) {
  return async (c: Context<AppEnv>) => {
    const caller = callerOf(c);
    const { ticket, query } = await bodyInputOf(c, 'findCompanies');
    const requestId = c.get('requestId');
    const data = await findCompanies({ caller, ticket, query, requestId, signal: c.req.raw.signal });
    return c.json({ success: true, data, message: messageOf(data) });
  };
}

function messageOf({ read_as, companies, crm, helpdesk }: FindData): string {
  if (read_as.length === 0) return 'Nothing to search for.';
  if (companies.length > 0) return 'Companies found.';
  return crm.status === 'failed' || helpdesk.status === 'failed' ? 'The search failed in part.' : 'No company found.';
}
