import { operatorContract } from '@deskside/shared/operator/contract';
import type { Context, Hono } from 'hono';
import type { OperatorContext } from '#app/context.ts';
import { AppError } from '#app/runtime/app-error.ts';
import type { AppEnv } from '#http/context.ts';
import { handlerOf } from '#http/endpoint.ts';
import { answerError } from '#http/errors.ts';
import { markKnown } from '#http/middleware/admission.ts';
import { operatorHeaders, ownRequests } from './admission.ts';
import { dropSession, sessionOf } from './cookies.ts';
import { operatorEndpoints } from './operator-endpoints.ts';
import { assetRoute, type PageFile, pageRoute } from './page.ts';
import { callbackRoute, signInRoute } from './sign-in.ts';

/** The operator page, for a proxy that has it switched on. */
export interface OperatorPage {
  /** The origin under which browsers have the page. */
  origin: string | undefined;
  files: readonly PageFile[];
  /** Signs what a browser keeps of a sign-in under way; the same in every process. */
  signInKey: string;
}

/** Adds the page, its sign-in and its data below /operator (docs/decisions.md 33). */
export function addOperatorRoutes(app: Hono<AppEnv>, page: OperatorPage, ctx: OperatorContext): void {
  const { origin, files, signInKey } = page;
  const signingIn = { gate: ctx.operatorGate, signInKey };
  app.use('/operator', operatorHeaders);
  app.use('/operator/*', operatorHeaders);
  app.use('/operator/api/*', ownRequests(origin));
  for (const endpoint of Object.values(operatorEndpoints)) {
    const { method, path } = endpoint.entry;
    app.on(method, path, markKnown, handlerOf(ctx, endpoint));
  }
  // Whoever signs out need not have been signed in.
  app.post(operatorContract.signOut.path, signOutRoute(ctx));
  for (const { path } of Object.values(operatorContract))
    app.all(path, (c) => answerError(new AppError('method_not_allowed'), c));
  app.get('/operator/sign-in', signInRoute(signingIn));
  const icon = files.find(({ type }) => type === 'image/svg+xml');
  app.get('/operator/callback', callbackRoute(signingIn, icon && `/operator/${icon.name}`));
  app.get('/operator/assets/*', assetRoute(files));
  for (const path of ['/operator', '/operator/routing', '/operator/customers', '/operator/settings'])
    app.get(path, pageRoute(files));
}

function signOutRoute({ operatorGate }: Pick<OperatorContext, 'operatorGate'>) {
  return async (c: Context<AppEnv>) => {
    const token = sessionOf(c);
    if (token !== undefined) await operatorGate?.end(token);
    dropSession(c);
    return c.json({ success: true, data: {}, message: 'Done.' });
  };
}
