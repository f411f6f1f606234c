import type { Hono } from 'hono';
import type { Call, Context } from '#context.ts';
import type { Crm } from '#crm/crm.ts';
import { AppError } from '#runtime/app-error.ts';
import { lruMemory } from '#runtime/memory.ts';
import { silent, uncounted } from '#runtime/testing/quiet.ts';
import { createApp, endpoints, type Surface } from '#server/app.ts';
import type { AppEnv } from '#server/middleware.ts';

type Name = keyof typeof endpoints;
type VerbOf<N extends Name> = (typeof endpoints)[N]['handle'];
type TestedInput<N extends Name> = Parameters<VerbOf<N>>[1] & Pick<Call, 'caller' | 'requestId'>;

/** What of an app a test brings itself. */
export interface TestAppParts extends Partial<Surface> {
  /** By endpoint; each takes what is asked and the signal. */
  verbs?: { [N in Name]?: (asked: TestedInput<N>, signal: AbortSignal) => ReturnType<VerbOf<N>> };
  ctx?: Partial<Context>;
}

/** Every endpoint that a configuration can bring. */
export const everySurface: TestAppParts = {
  ctx: { crm: {} as Crm },
  secrets: { crm: ['token'], webhook: ['secret'], script: ['secret'], metrics: ['token'] },
};

/** An app in which every verb fails unless given, and every caller is an agent. */
export function testApp({ verbs = {}, ctx = {}, ...surface }: TestAppParts = {}): Hono<AppEnv> {
  const agent = { id: 'an@desk.example', fullName: null, language: null, isAgent: true };
  const context = {
    gate: { requireAgent: async () => agent },
    memory: lruMemory,
    logger: silent,
    clock: Date.now,
    ...ctx,
  };
  const no = () => Promise.reject(new AppError('internal'));
  const table = Object.entries(endpoints).map(([name, endpoint]) => {
    const verb: (asked: never, signal: AbortSignal) => Promise<object> = verbs[name as Name] ?? no;
    const handle = (ctx: Call, asked: object) =>
      verb({ ...asked, caller: ctx.caller, requestId: ctx.requestId } as never, ctx.signal);
    return [name, { ...endpoint, handle }] as const;
  });
  // What no verb is given for is not reached.
  return createApp(
    context as unknown as Context,
    {
      discovery: { name: 'deskside', version: '1', helpdesk_url: 'https://h.example', oauth_client_ids: {} },
      readiness: { checks: async () => [] },
      metrics: { ...uncounted, contentType: 'text/plain', text: async () => '' },
      secrets: {},
      ...surface,
    },
    Object.fromEntries(table),
  );
}
