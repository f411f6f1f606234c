import type { OrgId } from '@deskside/shared/orgid';
import type { Crm } from './crm.ts';

/** A change announced by the CRM. `changed`: a company was changed or deleted. `companyId`: null if none is named. */
export interface CompanyEvent {
  kind: 'added' | 'changed' | 'fields_changed';
  companyId: string | null;
}

/** No application token is nearly as long. */
const given = /(?:^|&)auth(?:\[|%5b)application_token(?:\]|%5d)=([^&]{0,1024})/i;

/**
 * The token in the form that an outgoing webhook posts, found in its bytes before anything is parsed, so that a stranger's
 * costs next to nothing (docs/crm.md#events); '' without one.
 */
export function eventToken(body: Buffer): string {
  return new URLSearchParams(`token=${given.exec(body.toString('latin1'))?.[1] ?? ''}`).get('token') ?? '';
}

/** What such a form announces; null if that does not concern us. */
export function readEvent(body: Buffer): CompanyEvent | null {
  const form = new URLSearchParams(body.toString());
  const id = form.get('data[FIELDS][ID]')?.trim() ?? '';
  const kind = kindOf((form.get('event') ?? '').trim().toUpperCase());
  return kind && { kind, companyId: /^[1-9]\d{0,19}$/.test(id) ? id : null };
}

function kindOf(name: string): CompanyEvent['kind'] | null {
  if (name.startsWith('ONCRMCOMPANYUSERFIELD')) return 'fields_changed';
  if (name === 'ONCRMCOMPANYADD') return 'added';
  return name === 'ONCRMCOMPANYUPDATE' || name === 'ONCRMCOMPANYDELETE' ? 'changed' : null;
}

/**
 * Notes a change in the CRM (docs/crm.md#events). Cached entries of the company are marked as outdated; gives their org
 * ids. A company that is new, or not cached, may be the one that an org id was missing, so every "no such company" is
 * dropped. Makes no requests, and is safe to repeat: events only shorten how long an answer counts.
 */
export async function noteEvent(crm: Crm, { kind, companyId }: CompanyEvent): Promise<OrgId[]> {
  if (kind === 'fields_changed') {
    crm.forgetSegments();
    return [];
  }
  if (kind === 'changed' && companyId === null) return [];
  const marked = kind === 'changed' && companyId !== null ? await crm.cache.markOutdated(companyId, crm.clock()) : [];
  if (marked.length === 0) await crm.cache.forgetMissing();
  return marked;
}
