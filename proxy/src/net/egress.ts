import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { neverOpened, notOpened } from './connect-to.ts';
import { EgressError } from './egress-error.ts';
import { type EgressRequest, type EgressResponse, exchange } from './exchange.ts';

export { certificateProblem, EgressError } from './egress-error.ts';
export type { EgressResponse } from './exchange.ts';

/**
 * A server that the operator configured by its exact origin. It may therefore be private; nothing supplied by a caller can
 * direct a request to any other host or port.
 */
export interface Upstream {
  readonly origin: string;
  /**
   * Sends one request and reads the whole response, whatever its status; a redirect is a response too. Rejects with the
   * reason of `signal` once that fires, and otherwise only with an EgressError.
   */
  request(options: EgressRequest): Promise<EgressResponse>;
}

export interface UpstreamOptions {
  /** Maximum number of open connections; further requests wait for one. Default 32. */
  maxConnections?: number;
  /** Largest response, compressed or decompressed. Default 4 MiB. */
  maxBytes?: number;
  /** Longest time for one request, including the wait for a connection, in milliseconds. Default 20,000. */
  timeoutMs?: number;
  /** Whether to connect without a proxy, whatever the environment says: to our own service. */
  direct?: boolean;
}

/**
 * Opens the connections to configured servers. Addresses supplied by strangers go through guarded.ts; nothing else
 * connects.
 */
export interface Egress {
  /** Throws an EgressError `blocked` for anything that is not an exact https origin (http if allowed). */
  upstream(origin: string, options?: UpstreamOptions): Upstream;
  /** Closes all connections; requests under way fail. */
  close(): Promise<void>;
}

export interface EgressOptions {
  /** Permits http upstreams: for the demo and tests only (docs/operate.md#variables). */
  allowInsecure: boolean;
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are looked up, in either case. */
  env?: Readonly<Record<string, string | undefined>>;
}

export function createEgress({ allowInsecure, env = process.env }: EgressOptions): Egress {
  const pools: Dispatcher[] = [];
  return {
    upstream(
      origin,
      { maxConnections = 32, maxBytes = 4 * 2 ** 20, timeoutMs = 20_000, direct = false }: UpstreamOptions = {},
    ): Upstream {
      checkOrigin(origin, allowInsecure);
      const how = {
        connections: maxConnections,
        allowH2: false,
        // A server that closes an idle connection while a request is on its way breaks that request; one that does not say
        // how long it waits may do so after two seconds (docs/helpdesk.md#reading).
        keepAliveTimeout: 1_000,
        // The deadline of the exchange covers both.
        headersTimeout: 0,
        bodyTimeout: 0,
      };
      const proxy = direct ? undefined : proxyFor(origin, env);
      const pool =
        proxy === undefined
          ? new Pool(origin, { ...how, connect: connector(timeoutMs) })
          : new EnvHttpProxyAgent({ ...how, ...proxy });
      pools.push(pool);
      return {
        origin,
        async request(options) {
          checkPath(origin, options.path);
          return exchange(pool, origin, options, { maxBytes, timeoutMs }, proxy && neverOpened);
        },
      };
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}

/** Does work with connections that are closed after it. */
export async function withEgress<T>(
  { ALLOW_INSECURE_UPSTREAMS: allowInsecure }: { ALLOW_INSECURE_UPSTREAMS: boolean },
  work: (egress: Egress) => Promise<T>,
): Promise<T> {
  const egress = createEgress({ allowInsecure });
  try {
    return await work(egress);
  } finally {
    await egress.close();
  }
}

/** What the environment says of a proxy for this origin; undefined if it names none. */
function proxyFor(origin: string, env: NonNullable<EgressOptions['env']>) {
  const named = (name: string) => env[name.toLowerCase()] || env[name];
  const proxy = named(origin.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (proxy === undefined || proxy === '') return undefined;
  return { httpProxy: proxy, httpsProxy: proxy, noProxy: named('NO_PROXY') ?? '', proxyTunnel: true };
}

function checkOrigin(origin: string, allowInsecure: boolean): void {
  const url = URL.parse(origin);
  if (url?.origin !== origin) {
    throw new EgressError(
      'blocked',
      'An upstream must be an origin (scheme, host and port), such as https://host.example.',
    );
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowInsecure)) {
    throw new EgressError('blocked', 'An upstream must use https.');
  }
}

/**
 * Accepts only paths that URL normalisation leaves unchanged: printable ASCII without backslashes, dot segments or
 * fragment, and with one leading slash. So no path can name another host or climb out of its folder.
 */
function checkPath(origin: string, path: string): void {
  const [pathname] = path.split('?', 1);
  const isPlain = /^\/(?!\/)[\x21\x22\x24-\x5b\x5d-\x7e]*$/.test(path);
  const url = isPlain ? URL.parse(path, origin) : null;
  if (url?.origin !== origin || url.pathname !== pathname)
    throw new EgressError('blocked', 'A request path must be a plain path on the same server.');
}

/** Connects as the library does, but reports every failure to connect as `unreachable`. */
function connector(timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false });
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error === null) callback(null, socket);
      else callback(notOpened(error), null);
    });
}
