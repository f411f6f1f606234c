import { operatorContract } from '@deskside/shared/operator/contract';
import type { Context, Handler, Hono } from 'hono';
import type { OperatorGate } from '#app/operator/operator-gate.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { mayChangeSettings } from '#domain/operator/operator-roles.ts';
import type { AppEnv } from '#http/context.ts';
import { answerError } from '#http/errors.ts';
import { limitBody } from '#http/middleware/body-limit.ts';
import { markKnown } from '#http/middleware/mark-known.ts';
import { dropSession, sessionOf } from './cookies.ts';
import { operatorHeaders } from './operator-headers.ts';
import { ownRequests } from './own-requests.ts';
import { assetRoute, type PageFile, pageRoute } from './page.ts';
import { callbackRoute, signInRoute } from './sign-in.ts';

/** The operator page, for a proxy that has it switched on. */
export interface OperatorPage {
  /** Undefined while signing in is not set up: the page then says so. */
  gate: OperatorGate | undefined;
  /** The origin under which browsers have the page. */
  origin: string | undefined;
  files: readonly PageFile[];
  about: { version: string; helpdeskUrl: string };
}

/** Largest body of a write, in bytes. */
const maxBytes = 64 * 1024;

/** Adds the page, its sign-in and its data below /operator (docs/decisions.md 33). */
export function addOperatorRoutes(app: Hono<AppEnv>, page: OperatorPage): void {
  const { gate, origin, files, about } = page;
  app.use('/operator', operatorHeaders);
  app.use('/operator/*', operatorHeaders);
  app.use('/operator/api/*', ownRequests(origin), markKnown, limitBody(maxBytes));

  const session = async (c: Context<AppEnv>) => {
    if (gate === undefined) throw new AppError('unauthenticated');
    return gate.require(sessionOf(c));
  };
  const data: Record<string, Handler<AppEnv>> = {
    [operatorContract.me.path]: async (c) => {
      const { user, fullName, language, roles } = await session(c);
      const me = { user, full_name: fullName, language, may_change_settings: mayChangeSettings(roles) };
      const where = { proxy_version: about.version, helpdesk_url: about.helpdeskUrl };
      return c.json({ success: true, data: { ...me, ...where }, message: 'You are signed in.' });
    },
    [operatorContract.signOut.path]: async (c) => {
      const token = sessionOf(c);
      if (token !== undefined) await gate?.end(token);
      dropSession(c);
      return c.json({ success: true, data: {}, message: 'You are signed out.' });
    },
  };
  for (const { method, path } of Object.values(operatorContract)) {
    const handler = data[path] as Handler<AppEnv>;
    app.on(method, path, handler);
    app.all(path, (c) => answerError(new AppError('method_not_allowed'), c));
  }
  app.all('/operator/api/*', (c) => answerError(new AppError('route_not_found'), c));
  app.get('/operator/sign-in', signInRoute(gate));
  app.get('/operator/callback', callbackRoute(gate));
  app.get('/operator/assets/*', assetRoute(files));
  for (const path of ['/operator', '/operator/routing', '/operator/settings']) app.get(path, pageRoute(files));
}
