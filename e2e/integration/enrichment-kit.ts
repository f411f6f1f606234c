import { type CallError, callProxy } from '@deskside/shared/client';
import type { Input, Output } from '@deskside/shared/contract';
import { demo } from '@deskside/simulators/seed/index';
import type { World } from '../demo/world.ts';
import { keyOf } from './kit.ts';

type Posted = 'enrichCompany' | 'refreshCustomer' | 'syncTicketCustomer' | 'rejectCompany' | 'legacyProfile';
const agent = keyOf(demo.agent);

/** Calls an endpoint as an agent; throws where it is refused. */
export async function call<E extends Posted>(
  { proxyUrl }: Pick<World, 'proxyUrl'>,
  endpoint: E,
  input: Input<E>,
  authorization = agent,
): Promise<Output<E>> {
  const result = await callProxy(endpoint, input, { baseUrl: proxyUrl, authorization });
  if (!result.ok) throw new Error(`${result.error.status} ${result.error.code}`);
  return result.data;
}

/** Calls an endpoint that must refuse; gives the error. */
export async function refusal<E extends Posted>(
  { proxyUrl }: Pick<World, 'proxyUrl'>,
  endpoint: E,
  input: Input<E>,
  authorization = agent,
): Promise<CallError> {
  const result = await callProxy(endpoint, input, { baseUrl: proxyUrl, authorization });
  if (result.ok) throw new Error(`Expected a refusal, got ${JSON.stringify(result.data)}`);
  return result.error;
}

/** What was written to the helpdesk, as `METHOD DocType name`. */
export function writesOf({ helpdesk }: World): string[] {
  return helpdesk.journal
    .filter(({ method, path, status }) => method !== 'GET' && path.startsWith('/api/resource/') && status < 300)
    .map(({ method, path }) => `${method} ${path.replace('/api/resource/', '').replace('/', ' ')}`);
}

/** A site that keeps snapshots: the specification's HD Customer Data. */
export function keepSnapshots({ helpdesk }: Pick<World, 'helpdesk'>): void {
  const field = (fieldname: string, fieldtype: string, options?: string) => ({
    fieldname,
    label: fieldname,
    fieldtype,
    ...(options && { options }),
  });
  helpdesk.put('DocType', {
    name: 'HD Customer Data',
    autoname: 'hash',
    fields: [
      field('hd_customer', 'Link', 'HD Customer'),
      field('source', 'Data'),
      field('entity_type', 'Data'),
      field('external_id', 'Data'),
      field('external_url', 'Data'),
      field('match_key', 'Data'),
      field('confidence', 'Percent'),
      field('last_synced_at', 'Datetime'),
      field('summary_json', 'Long Text'),
    ],
    permissions: ['System Manager', 'Agent', 'Agent Manager'].map((role) => ({ role, read: 1, write: 1, create: 1 })),
  });
}

/** Documents of a DocType as the service account sees them. */
export async function documentsOf({ helpdesk }: Pick<World, 'helpdesk'>, doctype: string, filters: unknown[] = []) {
  const query = new URLSearchParams({ fields: '["*"]', filters: JSON.stringify(filters), limit_page_length: '0' });
  const response = await fetch(`${helpdesk.url}/api/resource/${encodeURIComponent(doctype)}?${query}`, {
    headers: { authorization: keyOf(demo.service) },
  });
  const { data } = (await response.json()) as { data: Record<string, unknown>[] };
  return data;
}
