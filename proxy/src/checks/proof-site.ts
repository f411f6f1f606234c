import { createAdminClient } from '#adapters/helpdesk-frappe/admin/admin-client.ts';
import { serviceKeyOf, withServiceKeys } from '#adapters/helpdesk-frappe/client/service-keys.ts';
import { createProofSite } from '#adapters/helpdesk-frappe/proof-site.ts';
import type { Config } from '#config/environment.ts';
import { type Egress, withEgress } from '#net/egress.ts';
import type { ProofSite } from '#ports/operator/proof.ts';
import type { Secret } from '#ports/runtime/secret.ts';
import { reachPublicUrl } from './public-url.ts';

/** Longest wait for one response. */
const withinMs = 30_000;

/**
 * The helpdesk for `prove`, for the command and the operator page alike, as long as the work takes.
 *
 * @param adminKey a System Manager's `key:secret`, or null: then less is said, and the helpdesk keeps a copy of the ticket
 */
export async function withProofSite<T>(
  config: Config,
  adminKey: Secret | null,
  work: (site: ProofSite) => Promise<T>,
): Promise<T> {
  return withEgress(config, (egress) => {
    const upstream = withServiceKeys(
      config,
      egress.upstream(config.HELPDESK_URL, { timeoutMs: withinMs, maxConnections: 2 }),
    );
    const clients = {
      service: createAdminClient(upstream, serviceKeyOf(config)),
      admin: adminKey && createAdminClient(upstream, adminKey.reveal()),
    };
    return work(createProofSite(clients, (ticket, signal) => askForProfile(config, egress, ticket, signal)));
  });
}

/** As an agent's browser asks, at PUBLIC_URL; why there is no profile, or null. */
async function askForProfile(
  config: Config,
  egress: Egress,
  ticket: string,
  signal: AbortSignal,
): Promise<string | null> {
  const { service, problems } = await reachPublicUrl(config, egress, withinMs);
  if (service === null) return problems[0] ?? null;
  const path = `/api/method/platform_crm_customer_profile?ticket=${encodeURIComponent(ticket)}`;
  const headers = { authorization: `token ${serviceKeyOf(config)}` };
  const { status } = await service.request({ method: 'GET', path, headers, signal });
  return status === 200 ? null : `The profile of the ticket was answered with HTTP ${status}.`;
}
