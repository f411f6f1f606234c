import type { ClaimsMode } from '@deskside/shared/routing';
import type { Secret } from '#runtime/secret.ts';
import type { Browser } from '#setup/desired-state.ts';
import { type AreaReport, areaReport, finding } from './finding.ts';

/** The proxy's settings, as far as they are checked. */
export interface DoctorSettings {
  publicUrl: string | null;
  databaseUrl: string;
  /** The current secret, then possibly the previous one; empty if none is set. */
  webhookSecrets: readonly Secret[];
  scriptSecrets: readonly Secret[];
  oauthClientIds: Partial<Record<Browser, string>>;
  claims: ClaimsMode;
  /** DocType of the site's platform accounts; null if none is configured. */
  accountLinkDoctype: string | null;
  /** Teams that tickets are routed to. */
  teams: readonly string[];
  crmEnabled: boolean;
}

/** Judges the proxy's own settings, as far as wrong ones are not already refused at startup. */
export function judgeSettings({ publicUrl, webhookSecrets, oauthClientIds }: DoctorSettings): AreaReport {
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
      webhookSecrets.length === 0 &&
        finding(
          'webhook_secret_not_set',
          'HELPDESK_WEBHOOK_SECRET is not set, so the proxy accepts no events about new tickets.',
          'Run "deskside provision", which makes one.',
        ),
      Object.keys(oauthClientIds).length === 0 &&
        finding(
          'oauth_clients_not_set',
          'OAUTH_CLIENT_IDS is not set, so agents can only sign in with an API key.',
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
