import { serviceKeyOf, withServiceKeys } from '#adapters/helpdesk-frappe/client/service-keys.ts';
import { callerSlots, serviceSlots } from '#app/access/credential-pools.ts';
import type { Config } from '#config/environment.ts';
import type { Egress, Upstream } from '#net/egress.ts';

/** Longest time one request to the helpdesk may take; a healthy one takes 30 ms at most (docs/helpdesk.md#speed). */
const timeoutMs = 8_000;

/**
 * The helpdesk, with separate connections for the service account, so that tickets are
 * routed and `/readyz` works however many callers there are.
 *
 * @param on.onRefused called whenever the helpdesk does not know the service account's key (any more)
 * @param on.onWrite called whenever something may have been written, whatever came of it
 */
export function helpdeskUpstream(
  config: Config,
  egress: Egress,
  { onRefused = () => {}, onWrite = () => {} }: { onRefused?: () => void; onWrite?: () => void } = {},
): Upstream {
  const callers = egress.upstream(config.HELPDESK_URL, { timeoutMs, maxConnections: callerSlots });
  const service = withServiceKeys(
    config,
    egress.upstream(config.HELPDESK_URL, { timeoutMs, maxConnections: serviceSlots }),
  );
  const authorization = `token ${serviceKeyOf(config)}`;
  async function send(request: Parameters<Upstream['request']>[0]) {
    if (request.headers?.authorization !== authorization) return callers.request(request);
    const response = await service.request(request);
    if (response.status === 401) onRefused();
    return response;
  }
  return {
    origin: callers.origin,
    request: (request) => (request.method === 'GET' ? send(request) : send(request).finally(onWrite)),
  };
}
