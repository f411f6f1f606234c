import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { revisionHeader } from '@deskside/shared/compat';
import type { Context } from 'hono';
import { routePath } from 'hono/route';
import type { Memory } from '#ports/runtime/memory.ts';
import type { AppEnv } from './context.ts';
import { createCountRequest } from './count-request.ts';
import { type JsonBytes, jsonHeaders } from './json-bytes.ts';
import type { RequestLogDeps } from './middleware/request-log.ts';
import { requestIdOf } from './request-id.ts';

/** The JSON that a request would be answered with now; null where its route has to be asked. */
type Again = (client: string) => JsonBytes | null;

/** Who sends a request, and what follows if they have a valid credential. */
interface Sender {
  client(): string;
  markKnown(): void;
}

/**
 * Requests that are the same, letter by letter, as one that was answered: they are not parsed and routed again
 * (docs/decisions.md 40). What they are answered with is the route's to say, each time.
 */
export interface Repeats {
  /** For a route that has answered a GET, in whose parts only address, credential and revision matter. */
  keep(c: Context<AppEnv>, again: Again): void;
  /** Answers a request at once, or not at all: then false. */
  answer(incoming: IncomingMessage, outgoing: ServerResponse, sender: Sender): boolean;
}

/** A request that has not been repeated for so long is forgotten, and its credential with it. */
const keptMs = 60_000;
const maxKept = 2_000;

export function createRepeats({ memory, ...deps }: RequestLogDeps & { memory: Memory }): Repeats {
  const kept = memory.area<{ route: string; again: Again }>({ ttlMs: keptMs, max: maxKept });
  const countRequest = createCountRequest(deps);

  return {
    keep(c, again) {
      const { pathname, search } = new URL(c.req.url);
      const { authorization, [revisionHeader]: revision } = c.req.header();
      const key = keyOf(pathname + search, authorization, revision);
      kept.set(key, { route: routePath(c, -1), again });
    },

    answer({ method, url = '', headers }, outgoing, { client, markKnown }) {
      if (method !== 'GET' || hasBody(headers)) return false;
      const startedAt = performance.now();
      const known = kept.get(keyOf(url, headers.authorization, headers[revisionHeader]));
      if (known === undefined) return false;
      const requestId = requestIdOf(headers['x-request-id']?.toString());
      const bytes = deps.inRequest(requestId, () => known.again(client()));
      if (bytes === null) return false;
      markKnown();
      outgoing
        .writeHead(200, [...alwaysSent, 'x-request-id', requestId, 'content-length', String(bytes.length)])
        .end(bytes, 'latin1');
      countRequest({ requestId, method, route: known.route, status: 200, code: undefined, startedAt });
      return true;
    },
  };
}

/** Names and values in turn, which takes Node less time than an object. */
const alwaysSent = Object.entries(jsonHeaders).flat();

function keyOf(url: string, authorization = '', revision: string | string[] = ''): string {
  return `${url}\n${String(revision)}\n${authorization}`;
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
