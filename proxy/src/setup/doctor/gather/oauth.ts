import {
  builtExtensionIds,
  type OAuthUse,
  oauthRolesOf,
  operatorRedirectUri,
  redirectUriOf,
} from '#setup/desired-state.ts';
import { column, type Deadline, type HelpdeskReader, textOf } from './helpdesk-reader.ts';

/** The helpdesk's record of one client. Null: there is none with this id. */
export interface OAuthFacts {
  use: OAuthUse;
  client: {
    /** Leads back to the extension as built by this repository, or to the operator page. */
    leadsBack: boolean;
    /** Portal customers may not use it to sign in. */
    staffOnly: boolean;
  } | null;
}

/** Reads the clients whose ids the proxy publishes. */
export async function gatherOAuth(
  admin: HelpdeskReader,
  { ids, publicUrl }: { ids: Partial<Record<OAuthUse, string>>; publicUrl: string | null },
  deadline: Deadline,
): Promise<OAuthFacts[]> {
  const set = Object.entries(ids) as [OAuthUse, string][];
  return Promise.all(
    set.map(async ([use, id]) => {
      const client = await admin.get('OAuth Client', id, deadline());
      if (client === null) return { use, client };
      const roles = column(client.allowed_roles, 'role');
      const wanted =
        use === 'operator' ? operatorRedirectUri(publicUrl ?? '') : redirectUriOf(use, builtExtensionIds[use]);
      const addresses = textOf(client.redirect_uris).split(/\s+/);
      return {
        use,
        client: {
          leadsBack: addresses.includes(wanted),
          staffOnly: roles.length > 0 && roles.every((role) => oauthRolesOf(use).includes(role)),
        },
      };
    }),
  );
}
