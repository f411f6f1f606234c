import type { Context, Handler } from 'hono';
import type { output, ZodMiniType } from 'zod/mini';
import { bodyOf } from './body.ts';
import type { AppEnv } from './context.ts';
import { parseInput } from './input.ts';
import type { Verbs } from './verbs.ts';

/** An endpoint as a contract has it. */
interface Entry {
  method: 'GET' | 'POST';
  path: string;
  input: ZodMiniType<object>;
  data: ZodMiniType;
}

/** What an endpoint does, in the order in which it does it. */
interface Row<E extends Entry, W, D extends output<E['data']>> {
  /** Who asks; throws if they may not. Known before a body is read. */
  who: (c: Context<AppEnv>, ctx: Verbs) => Promise<W>;
  /** Is asked the contract's input by them. */
  verb: (ctx: Verbs, asked: output<E['input']> & W, signal: AbortSignal) => Promise<D>;
  /** A sentence about the answer. */
  message: string | ((data: D) => string);
  /** What the envelope says of it; without: that it succeeded. */
  success?: (data: D) => boolean;
  /** Whether the answer may be given again for a second (docs/decisions.md 40); without: never. */
  lasts?: (data: D, asked: output<E['input']> & W) => boolean;
}

/** An endpoint that the app can serve. */
export interface Served {
  method: 'GET' | 'POST';
  path: string;
  who: (c: Context<AppEnv>, ctx: Verbs) => Promise<unknown>;
  /** Whether some of its answers are given again for a second. */
  mayLast: boolean;
  handler: (ctx: Verbs) => Handler<AppEnv>;
}

/** One row of a table of endpoints. What its verb answers is sent as it is. */
export function endpoint<E extends Entry, W, D extends output<E['data']>>(entry: E, row: Row<E, W, D>): Served {
  const { who, verb, message, success = () => true, lasts } = row;
  const handler = (ctx: Verbs) => async (c: Context<AppEnv>) => {
    const asking = await who(c, ctx);
    const asked = { ...parseInput(entry.input as E['input'], await givenIn(c)), ...asking };
    const data = await verb(ctx, asked, c.req.raw.signal);
    if (lasts) c.set('lasts', lasts(data, asked));
    const said = typeof message === 'string' ? message : message(data);
    return c.json({ success: success(data), data, message: said });
  };
  return { method: entry.method, path: entry.path, who, mayLast: lasts !== undefined, handler };
}

/** The query; of a POST also the body, which takes precedence. */
async function givenIn(c: Context<AppEnv>): Promise<Record<string, unknown>> {
  const query = c.req.query();
  return c.req.method === 'POST' ? { ...query, ...(await bodyOf(c)) } : query;
}
