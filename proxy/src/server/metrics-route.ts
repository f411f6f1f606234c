import type { Context } from 'hono';
import { isOneOf, refuse } from './by-secret.ts';
import type { AppEnv } from './http-context.ts';

/** The service's figures in Prometheus' text format. */
export interface Exposed {
  readonly contentType: string;
  text(): Promise<string>;
}

/** GET /metrics with `Authorization: Bearer <METRICS_TOKEN>`, one of two while it is being replaced; anything else is a 401. */
export function metricsRoute({ contentType, text }: Exposed, tokens: readonly string[]) {
  const isRight = isOneOf(tokens.map((token) => `bearer ${token}`));

  return async (c: Context<AppEnv>) => {
    // The word, not the token, may be in capitals.
    if (!isRight((c.req.header('authorization') ?? '').replace(/^bearer\s+/i, 'bearer '))) {
      c.header('www-authenticate', 'Bearer');
      c.set('isAnonymous', true);
      return refuse(c, 'unauthenticated', 'The metrics need METRICS_TOKEN as a bearer token.', 401);
    }
    return c.body(await text(), 200, { 'content-type': contentType });
  };
}
