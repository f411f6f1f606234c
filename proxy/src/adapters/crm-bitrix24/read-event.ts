import type { CompanyEvent } from '#ports/crm/crm.ts';

/** Reads the form that an outgoing webhook posts (docs/crm.md#events). Without a token the token is ''. */
export function readEvent(body: string): { token: string; event: CompanyEvent | null } {
  const form = new URLSearchParams(body);
  const id = form.get('data[FIELDS][ID]')?.trim() ?? '';
  const kind = kindOf((form.get('event') ?? '').trim().toUpperCase());
  return {
    token: form.get('auth[application_token]') ?? '',
    event: kind && { kind, companyId: /^[1-9]\d{0,19}$/.test(id) ? id : null },
  };
}

function kindOf(name: string): CompanyEvent['kind'] | null {
  if (name.startsWith('ONCRMCOMPANYUSERFIELD')) return 'fields_changed';
  if (name === 'ONCRMCOMPANYADD') return 'added';
  return name === 'ONCRMCOMPANYUPDATE' || name === 'ONCRMCOMPANYDELETE' ? 'changed' : null;
}
