import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import type { AppEnv } from '#http/context.ts';

/** The service's figures in Prometheus' text format. */
export interface Exposed {
  readonly contentType: string;
  text(): Promise<string>;
}

/** GET /metrics with `Authorization: Bearer <METRICS_TOKEN>`, one of two while it is being replaced; anything else is a 401. */
export function metricsRoute({ contentType, text }: Exposed, tokens: readonly string[]) {
  const expected = tokens.map((token) => digestOf(`bearer ${token}`));

  return async (c: Context<AppEnv>) => {
    const given = digestOf((c.req.header('authorization') ?? '').replace(/^bearer\s+/i, 'bearer '));
    // Compared at equal length, so that timing reveals nothing. The word, not the token, may be in capitals.
    const isRight = expected.map((one) => timingSafeEqual(one, given)).includes(true);
    if (!isRight) {
      c.set('errorCode', 'unauthenticated');
      c.header('www-authenticate', 'Bearer');
      const data = { code: 'unauthenticated', request_id: c.get('requestId') };
      return c.json({ success: false, data, message: 'The metrics need METRICS_TOKEN as a bearer token.' }, 401);
    }
    return c.body(await text(), 200, { 'content-type': contentType });
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
