import type { CompanyEvent } from './crm.ts';

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
