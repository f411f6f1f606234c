import { type ComparedClient, compareClient } from '#setup/compare-oauth.ts';
import { type Browser, builtExtensionIds, oauthRoles, redirectUriOf } from '#setup/desired-state.ts';
import type { Deadline, HelpdeskReader } from '#setup/helpdesk-reader.ts';
import { type AreaReport, areaReport, finding, listed } from './finding.ts';

/** The helpdesk's record of one client, compared with the extension as built by this repository. Null: there is none with this id. */
export interface OAuthFacts {
  use: Browser;
  client: ComparedClient | null;
}

/** Reads the clients whose ids the proxy publishes. */
export async function gatherOAuth(
  admin: HelpdeskReader,
  ids: Partial<Record<Browser, string>>,
  deadline: Deadline,
): Promise<OAuthFacts[]> {
  const set = Object.entries(ids) as [Browser, string][];
  return Promise.all(
    set.map(async ([use, id]) => {
      const client = await admin.get('OAuth Client', id, deadline());
      const redirectUri = redirectUriOf(use, builtExtensionIds[use]);
      return { use, client: client && compareClient(client, { use, redirectUri }) };
    }),
  );
}

/** Says whether agents, and only they, can sign in with the extension (docs/helpdesk.md#oauth). */
export function judgeOAuth(facts: readonly OAuthFacts[]): AreaReport {
  const uses = listed(facts.map(({ use }) => use));
  return areaReport('Sign-in', {
    findings: facts.flatMap(judgeClient),
    fine: facts.length > 0 && `People of the desk can sign in with ${uses}.`,
  });
}

function judgeClient({ use, client }: OAuthFacts) {
  if (client === null) {
    const problem = `The helpdesk has no OAuth client with the id in OAUTH_CLIENT_IDS for ${use}.`;
    const remedy = 'Run "deskside provision"; if the environment sets OAUTH_CLIENT_IDS, take it out there.';
    return [finding('oauth_client_missing', problem, remedy)];
  }
  return [
    !client.leadsBack &&
      finding(
        'oauth_client_redirect_differs',
        `The OAuth client for ${use} does not lead back to the extension as built by this repository.`,
        'Run "deskside provision", unless the extension was built with another id.',
      ),
    !client.staffOnly &&
      finding(
        'oauth_client_open_to_all',
        `The OAuth client for ${use} lets people sign in who are not of the desk.`,
        `Set its "Allowed Roles" to ${listed(oauthRoles)}.`,
      ),
  ];
}
