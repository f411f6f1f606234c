import { desiredOAuthClient, type OAuthUse, oauthRolesOf, publicClient } from '#setup/desired-state.ts';
import type { AdminDocument } from '#setup/helpdesk-admin.ts';
import { differences } from './plan-documents.ts';
import type { PlanItem } from './plan-item.ts';
import type { SiteState } from './read-site.ts';

/**
 * The public client of one use, identified by its name. Of several, the one with the right redirect address is
 * used.
 */
export function planOAuthClient(
  { clients, asksForMethod }: SiteState['oauth'],
  { use, redirectUri }: { use: OAuthUse; redirectUri: string },
): PlanItem {
  const client = desiredOAuthClient(use, redirectUri);
  const desired = { ...client, ...(asksForMethod && publicClient) };
  const what = `OAuth Client "${client.app_name}"`;
  const allowed_roles = oauthRolesOf(use).map((role) => ({ role }));
  const named = clients.filter(({ app_name }) => app_name === client.app_name);
  const found = named.find(({ redirect_uris }) => redirect_uris === client.redirect_uris) ?? named[0];
  if (found === undefined) {
    const step = { kind: 'create', doctype: 'OAuth Client', document: { ...desired, allowed_roles } } as const;
    return { what, state: 'create', detail: client.redirect_uris, step, client: { use, id: null } };
  }
  const changes = { ...differences(found, desired), ...(!hasRoles(found, oauthRolesOf(use)) && { allowed_roles }) };
  const ours = { use, id: found.name };
  const others = named.length > 1 ? `; ${named.length - 1} more with this name, not used` : '';
  if (Object.keys(changes).length === 0) {
    return { what, state: 'exists', detail: `${client.redirect_uris}${others}`, step: null, client: ours };
  }
  const step = { kind: 'update', doctype: 'OAuth Client', name: found.name, changes } as const;
  return { what, state: 'change', detail: `${Object.keys(changes).join(', ')}${others}`, step, client: ours };
}

function hasRoles({ allowed_roles }: AdminDocument, wanted: readonly string[]): boolean {
  const rows = Array.isArray(allowed_roles) ? (allowed_roles as { role?: unknown }[]) : [];
  return rows.length === wanted.length && wanted.every((role) => rows.some((row) => row.role === role));
}
