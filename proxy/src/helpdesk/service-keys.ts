import type { Upstream } from '#net/egress.ts';
import type { Secret } from '#runtime/secret.ts';

/** As the settings name them; of two secrets the first is the one to use. */
interface Keys {
  HELPDESK_API_KEY: Secret;
  HELPDESK_API_SECRET: readonly Secret[];
}

/** The service account's `key:secret`, with the first of two secrets. */
export function serviceKeyOf({ HELPDESK_API_KEY: key, HELPDESK_API_SECRET: secrets }: Keys): string {
  return `${key.reveal()}:${secrets[0]?.reveal()}`;
}

/**
 * The helpdesk, for whoever asks as `serviceKeyOf`: while the secret is being replaced (docs/settings.md#secrets) such a
 * request goes with the one of the two that was accepted last, and once more with the other where that one is refused.
 * The helpdesk has done nothing for a key that it refuses, so a write may go twice.
 */
export function withServiceKeys(config: Keys, upstream: Upstream): Upstream {
  const named = `token ${serviceKeyOf(config)}`;
  const [, second] = config.HELPDESK_API_SECRET;
  if (second === undefined) return upstream;
  const other = `token ${config.HELPDESK_API_KEY.reveal()}:${second.reveal()}`;
  let accepted = named;
  return {
    origin: upstream.origin,
    async request(request) {
      if (request.headers?.authorization !== named) return upstream.request(request);
      const as = (authorization: string) =>
        upstream.request({ ...request, headers: { ...request.headers, authorization } });
      const tried = accepted;
      const response = await as(tried);
      if (response.status !== 401) return response;
      const next = tried === named ? other : named;
      const again = await as(next);
      if (again.status !== 401) accepted = next;
      return again;
    },
  };
}

/**
 * The helpdesk, with separate connections for the service account, so that tickets are routed and `/readyz` works however
 * many callers there are.
 *
 * @param via.onRefused called whenever the helpdesk does not know the service account's key (any more)
 * @param via.onWrite called whenever something may have been written, whatever came of it
 */
export function helpdeskUpstream(
  config: Keys,
  via: { callers: Upstream; service: Upstream; onRefused: () => void; onWrite: () => void },
): Upstream {
  const service = withServiceKeys(config, via.service);
  const authorization = `token ${serviceKeyOf(config)}`;
  async function send(request: Parameters<Upstream['request']>[0]) {
    if (request.headers?.authorization !== authorization) return via.callers.request(request);
    const response = await service.request(request);
    if (response.status === 401) via.onRefused();
    return response;
  }
  return {
    origin: via.callers.origin,
    request: (request) => (request.method === 'GET' ? send(request) : send(request).finally(via.onWrite)),
  };
}
