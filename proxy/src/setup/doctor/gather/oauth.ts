import { type Browser, builtExtensionIds, oauthRoles, redirectUriOf } from '#setup/desired-state.ts';
import { column, type Deadline, type HelpdeskReader, textOf } from './helpdesk-reader.ts';

/** The helpdesk's record of one browser's client. Null: there is none with this id. */
export interface OAuthFacts {
  browser: Browser;
  client: {
    /** Leads back to the extension as built by this repository. */
    leadsToExtension: boolean;
    /** Only agents may use it to sign in. */
    agentsOnly: boolean;
  } | null;
}

/** Reads the clients whose ids the proxy publishes. */
export async function gatherOAuth(
  admin: HelpdeskReader,
  ids: Partial<Record<Browser, string>>,
  deadline: Deadline,
): Promise<OAuthFacts[]> {
  const set = Object.entries(ids) as [Browser, string][];
  return Promise.all(
    set.map(async ([browser, id]) => {
      const client = await admin.get('OAuth Client', id, deadline());
      if (client === null) return { browser, client };
      const roles = column(client.allowed_roles, 'role');
      const addresses = textOf(client.redirect_uris).split(/\s+/);
      return {
        browser,
        client: {
          leadsToExtension: addresses.includes(redirectUriOf(browser, builtExtensionIds[browser])),
          agentsOnly: roles.length > 0 && roles.every((role) => (oauthRoles as readonly string[]).includes(role)),
        },
      };
    }),
  );
}
