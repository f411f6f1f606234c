import type { RoutingInputs } from '@deskside/shared/routing';

/**
 * The org id of another shop that the ticket names, where its customer's own org id is better vouched for
 * (docs/decisions.md 10a); null if it names none.
 */
export function otherShop({ org_id, findings }: Pick<RoutingInputs, 'org_id' | 'findings'>): string | null {
  const named = findings.filter(({ kind }) => kind === 'org_id').map(({ value }) => value);
  if (org_id === null || named.includes(org_id.value)) return null;
  return named[0] ?? null;
}
