import { type AreaReport, type DoctorFinding, finding } from '#setup/doctor/finding.ts';
import type { OAuthFacts } from '#setup/doctor/gather/oauth.ts';

/** Judges whether agents, and only they, can sign in with the extension (docs/helpdesk.md#oauth). */
export function judgeOAuth(facts: readonly OAuthFacts[]): AreaReport {
  const findings = facts.flatMap(judgeClient);
  const browsers = facts.map(({ browser }) => browser).join(', ');
  const passed = findings.length === 0 && facts.length > 0 ? [`Agents can sign in with ${browsers}.`] : [];
  return { area: 'Sign-in', findings, passed, unchecked: [] };
}

function judgeClient({ browser, client }: OAuthFacts): DoctorFinding[] {
  if (client === null) {
    const problem = `The helpdesk has no OAuth client with the id in OAUTH_CLIENT_IDS for ${browser}.`;
    return [finding('oauth_client_missing', problem, 'Run "provision" and set OAUTH_CLIENT_IDS to what it prints.')];
  }
  const findings = [];
  if (!client.leadsToExtension) {
    findings.push(
      finding(
        'oauth_client_redirect_differs',
        `The OAuth client for ${browser} does not lead back to the extension as built by this repository.`,
        'Run "provision", unless the extension was built with another id.',
      ),
    );
  }
  if (!client.agentsOnly) {
    findings.push(
      finding(
        'oauth_client_open_to_all',
        `The OAuth client for ${browser} lets users other than agents sign in.`,
        'Set its "Allowed Roles" to Agent and Agent Manager.',
      ),
    );
  }
  return findings;
}
