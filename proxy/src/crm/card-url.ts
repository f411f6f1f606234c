/**
 * Address of a record's card in the CRM (docs/crm.md#links). The id must be digits only; the portal is an origin
 * configured by the operator. Null for anything else.
 */
export function cardUrl(portal: string, kind: 'company' | 'contact', id: string): string | null {
  if (!/^\d+$/.test(id)) return null;
  const url = URL.parse(`/crm/${kind}/details/${id}/`, portal);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}
