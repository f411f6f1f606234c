import { buildConnector, Pool } from 'undici';
import { EgressError } from './egress-error.ts';
import { codeOf, type EgressRequest, type EgressResponse, exchange } from './exchange.ts';

export { EgressError, type EgressErrorCode } from './egress-error.ts';
export type { EgressRequest, EgressResponse } from './exchange.ts';

/**
 * A server that the operator configured by its exact origin. Because of that it may be private; nothing that a
 * caller supplies can lead a request to any other host or port.
 */
export interface Upstream {
  readonly origin: string;
  /**
   * Sends one request and reads the whole answer, whatever its status; a redirect is an answer too. Rejects with the
   * reason of `signal` once that fires, and otherwise only with an EgressError.
   */
  request(options: EgressRequest): Promise<EgressResponse>;
}

export interface UpstreamOptions {
  /** Connections open at once; further requests wait for one. Default 32. */
  maxConnections?: number;
  /** Largest answer, packed or unpacked. Default 4 MiB. */
  maxBytes?: number;
  /** Longest time for one request, waiting for a connection included, in milliseconds. Default 20,000. */
  timeoutMs?: number;
}

/** Opens the connections to configured servers. Addresses that strangers name go by guarded.ts, and nothing else opens any. */
export interface Egress {
  /** Throws an EgressError `blocked` for anything that is not an exact https origin (http where allowed). */
  upstream(origin: string, options?: UpstreamOptions): Upstream;
  /** Closes all connections; requests that are still under way fail. */
  close(): Promise<void>;
}

/** `allowInsecure` lets upstreams be http: for the demo and tests only (design.md section 10). */
export function createEgress({ allowInsecure }: { allowInsecure: boolean }): Egress {
  const pools: Pool[] = [];
  return {
    upstream(
      origin,
      { maxConnections = 32, maxBytes = 4 * 2 ** 20, timeoutMs = 20_000 }: UpstreamOptions = {},
    ): Upstream {
      checkOrigin(origin, allowInsecure);
      const pool = new Pool(origin, {
        connections: maxConnections,
        allowH2: false,
        connect: connector(timeoutMs),
        // The deadline of the exchange covers both.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      pools.push(pool);
      return {
        origin,
        async request(options) {
          checkPath(origin, options.path);
          return exchange(pool, origin, options, { maxBytes, timeoutMs });
        },
      };
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}

function checkOrigin(origin: string, allowInsecure: boolean): void {
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
    throw new EgressError(
      'blocked',
      'An upstream is given as scheme, host and port only, such as https://host.example.',
    );
  }
  const { protocol } = new URL(origin);
  if (protocol !== 'https:' && !(protocol === 'http:' && allowInsecure)) {
    throw new EgressError('blocked', 'An upstream must be https.');
  }
}

/**
 * Lets through what reads the same before and after URL normalisation: printable ASCII without backslash, dot
 * segments or fragment, and with one slash at the front. So no path names another host or climbs out of its folder.
 */
function checkPath(origin: string, path: string): void {
  const [pathname] = path.split('?', 1);
  const safe =
    /^\/(?!\/)[\x21\x22\x24-\x5b\x5d-\x7e]*$/.test(path) &&
    URL.canParse(path, origin) &&
    new URL(path, origin).origin === origin &&
    new URL(path, origin).pathname === pathname;
  if (!safe) throw new EgressError('blocked', 'The path of a request must be a plain path on the same server.');
}

/** Connects as the library does, but names every failure to connect `unreachable`. */
function connector(timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false });
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error === null) callback(null, socket);
      else callback(new EgressError('unreachable', `The connection could not be opened (${codeOf(error)}).`), null);
    });
}
