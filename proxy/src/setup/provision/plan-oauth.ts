import { compareClient } from '#setup/compare.ts';
import { type Browser, desiredOAuthClient, oauthRoles, publicClient } from '#setup/desired-state.ts';
import type { OwnSettings } from './options.ts';
import { type PlanItem, unseenItem } from './plan-item.ts';
import type { SiteState } from './read-site.ts';

/**
 * The public client of one browser's extension, identified by its name. Of several, the one with the right redirect address is
 * used.
 */
export function planOAuthClient(
  oauth: SiteState['oauth'],
  { use, redirectUri }: { use: Browser; redirectUri: string },
): PlanItem {
  const client = desiredOAuthClient(use, redirectUri);
  const what = `OAuth Client "${client.app_name}"`;
  if (oauth === 'unseen') return unseenItem(what);
  const { clients, asksForMethod } = oauth;
  const named = clients.filter(({ app_name }) => app_name === client.app_name);
  const found = named.find(({ redirect_uris }) => redirect_uris === client.redirect_uris) ?? named[0];
  if (found === undefined) {
    const allowed_roles = oauthRoles.map((role) => ({ role }));
    const document = { ...client, ...(asksForMethod && publicClient), allowed_roles };
    const step = { kind: 'create', doctype: 'OAuth Client', document } as const;
    return { what, state: 'create', detail: client.redirect_uris, step, client: { use, id: null } };
  }
  const { changes } = compareClient(found, { use, redirectUri }, asksForMethod);
  const ours = { use, id: found.name };
  const others = named.length > 1 ? `; ${named.length - 1} more with this name, not used` : '';
  if (Object.keys(changes).length === 0) {
    return { what, state: 'exists', detail: `${client.redirect_uris}${others}`, step: null, client: ours };
  }
  const step = { kind: 'update', doctype: 'OAuth Client', name: found.name, changes } as const;
  return { what, state: 'change', detail: `${Object.keys(changes).join(', ')}${others}`, step, client: ours };
}

/**
 * Where the browsers learn their client's id: the file of settings, unless the environment says it.
 *
 * @param clients as planned
 */
export function planClientIds({ ids, by }: OwnSettings['clientIds'], clients: readonly PlanItem[]): PlanItem[] {
  const what = 'Setting OAUTH_CLIENT_IDS';
  const planned = clients.flatMap(({ client }) => client ?? []);
  if (planned.length === 0) return [];
  const known = { ...ids, ...Object.fromEntries(planned.flatMap(({ use, id }) => (id === null ? [] : [[use, id]]))) };
  const isComplete = planned.every(({ use, id }) => id !== null && ids[use] === id);
  if (isComplete) return [{ what, state: 'exists', detail: Object.keys(known).join(', '), step: null }];
  if (by === 'environment') {
    const detail = 'the environment goes over the file: kept; set it to what is printed below, or take it out there';
    return [{ what, state: 'conflict', detail, step: null }];
  }
  const uses = [...new Set([...Object.keys(known), ...planned.map(({ use }) => use)])];
  const step = { kind: 'client_ids', known } as const;
  return [{ what, state: by === null ? 'create' : 'change', detail: uses.join(', '), step }];
}
