import { callerSlots, serviceSlots } from '#app/access/credential-pools.ts';
import type { Config } from '#config/environment.ts';
import type { Egress, Upstream } from '#net/egress.ts';

/** Longest time one request to the helpdesk may take; a healthy one takes 30 ms at most (docs/helpdesk.md#speed). */
const timeoutMs = 8_000;

/**
 * Part of the composition root: the helpdesk, with separate connections for the service account, so that tickets are
 * routed and `/readyz` works however many callers there are.
 */
export function wireHelpdeskUpstream(config: Config, egress: Egress): Upstream {
  const callers = egress.upstream(config.HELPDESK_URL, { timeoutMs, maxConnections: callerSlots });
  const service = egress.upstream(config.HELPDESK_URL, { timeoutMs, maxConnections: serviceSlots });
  const authorization = `token ${config.HELPDESK_API_KEY.reveal()}:${config.HELPDESK_API_SECRET.reveal()}`;
  return {
    origin: callers.origin,
    request: (request) => (request.headers?.authorization === authorization ? service : callers).request(request),
  };
}
