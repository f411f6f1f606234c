import { type AreaReport, areaReport, finding } from '#setup/doctor/finding.ts';

export interface SettingsFacts {
  publicUrl: string | null;
  webhookSecretSet: boolean;
  /** Browsers with a configured client id. */
  browsers: readonly string[];
  /** The operator page: whether it is switched on, and whether its client id is configured. */
  operator: { on: boolean; clientIdSet: boolean };
}

/** Judges the proxy's own settings, as far as wrong ones are not already refused at startup. */
export function judgeSettings({ publicUrl, webhookSecretSet, browsers, operator }: SettingsFacts): AreaReport {
  return areaReport('Settings', {
    findings: [
      publicUrl === null &&
        finding(
          'public_url_missing',
          'PUBLIC_URL is not set, so the address at which the helpdesk and the browsers reach the proxy is unknown.',
          'Set PUBLIC_URL to that address, such as https://deskside.example.com.',
        ),
      publicUrl !== null &&
        !isSafe(publicUrl) &&
        finding(
          'public_url_not_https',
          `PUBLIC_URL is ${publicUrl}: keys, tickets and CRM data would cross the network in the clear.`,
          'Put a web server with a certificate in front of the proxy and set PUBLIC_URL to its https address.',
        ),
      !webhookSecretSet &&
        finding(
          'webhook_secret_not_set',
          'HELPDESK_WEBHOOK_SECRET is not set, so the proxy accepts no events about new tickets.',
          'Run "deskside provision", which makes one.',
        ),
      browsers.length === 0 &&
        finding(
          'oauth_clients_not_set',
          'OAUTH_CLIENT_IDS is not set, so agents can only sign in with an API key.',
          'Run "deskside provision", which makes the clients.',
        ),
      operator.on &&
        !operator.clientIdSet &&
        finding(
          'operator_client_not_set',
          'OPERATOR_UI is on, but OAUTH_CLIENT_IDS has no "operator", so nobody can sign in to the operator page.',
          'Run "deskside provision", which makes the clients.',
        ),
    ],
    fine: 'What others need to reach and trust the proxy is set.',
  });
}

/** Loopback traffic never leaves the machine. */
function isSafe(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
