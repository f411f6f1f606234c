import { createAdminClient } from '#adapters/helpdesk-frappe/admin/admin-client.ts';
import { serviceKeyOf, withServiceKeys } from '#adapters/helpdesk-frappe/client/service-keys.ts';
import { createProofSite } from '#adapters/helpdesk-frappe/proof-site.ts';
import { meetPublicUrl } from '#checks/public-url.ts';
import type { Config } from '#config/environment.ts';
import { createEgress, type Egress } from '#net/egress.ts';
import type { ProofSite } from '#ports/operator/proof.ts';
import type { Secret } from '#ports/runtime/secret.ts';
import { judgePublicUrl } from '#setup/doctor/public-url.ts';

/** Longest wait for one response. */
const withinMs = 30_000;

/**
 * Part of the composition root: the helpdesk for `prove`, for the command and the operator page alike, as long as the work
 * takes.
 *
 * @param adminKey a System Manager's `key:secret`, or null: then less is said, and the helpdesk keeps a copy of the ticket
 */
export async function withProofSite<T>(
  config: Config,
  adminKey: Secret | null,
  work: (site: ProofSite) => Promise<T>,
): Promise<T> {
  const egress = createEgress({ allowInsecure: config.ALLOW_INSECURE_UPSTREAMS });
  try {
    return await work(wireProofSite(config, egress, adminKey));
  } finally {
    await egress.close();
  }
}

function wireProofSite(config: Config, egress: Egress, adminKey: Secret | null): ProofSite {
  const upstream = withServiceKeys(
    config,
    egress.upstream(config.HELPDESK_URL, { timeoutMs: withinMs, maxConnections: 2 }),
  );
  const serviceKey = serviceKeyOf(config);
  const clients = {
    service: createAdminClient(upstream, serviceKey),
    admin: adminKey && createAdminClient(upstream, adminKey.reveal()),
  };
  return createProofSite(clients, (ticket, signal) => askForProfile(config, egress, ticket, signal));
}

/** As an agent's browser asks, at PUBLIC_URL; why there is no profile, or null. */
async function askForProfile(
  config: Config,
  egress: Egress,
  ticket: string,
  signal: AbortSignal,
): Promise<string | null> {
  const { PUBLIC_URL } = config;
  if (PUBLIC_URL === undefined) return 'PUBLIC_URL is not set, so nobody can ask for a profile.';
  const met = await meetPublicUrl({ ...config, PUBLIC_URL }, egress, withinMs);
  const [found] = judgePublicUrl(PUBLIC_URL, met, Date.now()).findings;
  if (met.kind !== 'us' && met.kind !== 'other_version')
    return found?.problem ?? 'PUBLIC_URL is not asked for a profile: keys would cross the network in the clear.';
  const path = `/api/method/platform_crm_customer_profile?ticket=${encodeURIComponent(ticket)}`;
  const headers = { authorization: `token ${serviceKeyOf(config)}` };
  const upstream = egress.upstream(PUBLIC_URL, { timeoutMs: withinMs, maxConnections: 1 });
  const { status } = await upstream.request({ method: 'GET', path, headers, signal });
  return status === 200 ? null : `The profile of the ticket was answered with HTTP ${status}.`;
}
