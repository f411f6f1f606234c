import { type ComparedClient, compareClient } from '#setup/compare-oauth.ts';
import {
  builtExtensionIds,
  type OAuthUse,
  oauthRolesOf,
  operatorRedirectUri,
  redirectUriOf,
} from '#setup/desired-state.ts';
import type { Deadline, HelpdeskReader } from '#setup/helpdesk-reader.ts';
import { type AreaReport, areaReport, finding, listed } from './finding.ts';

/** The helpdesk's record of one client, compared with the extension as built by this repository. Null: there is none with this id. */
export interface OAuthFacts {
  use: OAuthUse;
  client: ComparedClient | null;
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
      const redirectUri =
        use === 'operator' ? operatorRedirectUri(publicUrl ?? '') : redirectUriOf(use, builtExtensionIds[use]);
      return { use, client: client && compareClient(client, { use, redirectUri }) };
    }),
  );
}

/** Says whether agents, and only they, can sign in with the extension and operators on their page (docs/helpdesk.md#oauth). */
export function judgeOAuth(facts: readonly OAuthFacts[]): AreaReport {
  const uses = listed(facts.map(({ use }) => nameOf(use)));
  return areaReport('Sign-in', {
    findings: facts.flatMap(judgeClient),
    fine: facts.length > 0 && `People of the desk can sign in with ${uses}.`,
  });
}

const nameOf = (use: OAuthFacts['use']) => (use === 'operator' ? 'the operator page' : use);

function judgeClient({ use, client }: OAuthFacts) {
  const isOperator = use === 'operator';
  if (client === null) {
    const problem = `The helpdesk has no OAuth client with the id in OAUTH_CLIENT_IDS for ${nameOf(use)}.`;
    const remedy = 'Run "deskside provision"; if the environment sets OAUTH_CLIENT_IDS, take it out there.';
    return [finding('oauth_client_missing', problem, remedy)];
  }
  return [
    !client.leadsBack &&
      finding(
        'oauth_client_redirect_differs',
        isOperator
          ? 'The OAuth client of the operator page does not lead back to PUBLIC_URL: nobody can sign in there.'
          : `The OAuth client for ${use} does not lead back to the extension as built by this repository.`,
        isOperator
          ? 'Run "deskside provision" with the PUBLIC_URL of the proxy.'
          : 'Run "deskside provision", unless the extension was built with another id.',
      ),
    !client.staffOnly &&
      finding(
        'oauth_client_open_to_all',
        `The OAuth client for ${nameOf(use)} lets people sign in who are not of the desk.`,
        `Set its "Allowed Roles" to ${listed(oauthRolesOf(use))}.`,
      ),
  ];
}
