import { createMiddleware } from 'hono/factory';
import type { AgentGate } from '#app/access/agent-gate.ts';
import { callerOf } from '#http/caller.ts';
import type { AppEnv } from '#http/context.ts';

/**
 * For routes that take a body: only an agent's is read. The helpdesk's answer is cached, so asking again in the verb
 * costs nothing. Throws `unauthenticated` or `not_an_agent`.
 */
export function agentsOnly(requireAgent: AgentGate['requireAgent']) {
  return createMiddleware<AppEnv>(async (c, next) => {
    await requireAgent(callerOf(c), c.req.raw.signal);
    await next();
  });
}
