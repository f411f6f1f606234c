import { type OperatorEndpoint, operatorContract } from '@deskside/shared/operator/contract';
import type { Context, Handler, Hono } from 'hono';
import type { ShowHealth } from '#app/operator/show-health.ts';
import type { ShowRouting } from '#app/operator/show-routing.ts';
import type { ShowToday } from '#app/operator/show-today.ts';
import type { ReadDecisions } from '#app/routing/list-decisions.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { mayChangeSettings } from '#domain/operator/operator-roles.ts';
import type { AppEnv } from '#http/context.ts';
import { answerError } from '#http/errors.ts';
import { parseInput } from '#http/input.ts';
import { limitBody } from '#http/middleware/body-limit.ts';
import { markKnown } from '#http/middleware/mark-known.ts';
import { dropSession, sessionOf } from './cookies.ts';
import { customerRoutes } from './customer-routes.ts';
import { operatorHeaders } from './operator-headers.ts';
import { ownRequests } from './own-requests.ts';
import { assetRoute, type PageFile, pageRoute } from './page.ts';
import { type SettingVerbs, settingsRoutes } from './settings-routes.ts';
import { callbackRoute, type SigningIn, signInRoute } from './sign-in.ts';

/** The operator page, for a proxy that has it switched on. */
export interface OperatorPage extends SigningIn {
  /** The origin under which browsers have the page. */
  origin: string | undefined;
  files: readonly PageFile[];
  about: { version: string; helpdeskUrl: string };
  verbs: { showToday: ShowToday; showHealth: ShowHealth; showRouting: ShowRouting; readDecisions: ReadDecisions };
  settings: SettingVerbs;
  /** Of customers made by hand, under the configuration in force; null if there is no CRM to ask. */
  customers: Parameters<typeof customerRoutes>[0];
}

/** Largest body of a write, in bytes. */
const maxBytes = 64 * 1024;

/** Adds the page, its sign-in and its data below /operator (docs/decisions.md 33). */
export function addOperatorRoutes(app: Hono<AppEnv>, page: OperatorPage): void {
  const { gate, origin, files, about, verbs } = page;
  app.use('/operator', operatorHeaders);
  app.use('/operator/*', operatorHeaders);
  app.use('/operator/api/*', ownRequests(origin), limitBody(maxBytes));

  const session = async (c: Context<AppEnv>, when: 'require' | 'requireNow' = 'require') => {
    if (gate === undefined) throw new AppError('unauthenticated');
    return gate[when](sessionOf(c));
  };
  const actorOf = async (c: Context<AppEnv>, isChange: boolean) => {
    const { user, roles } = await session(c, isChange ? 'requireNow' : 'require');
    return { name: user, mayChangeSettings: mayChangeSettings(roles) };
  };
  const answer = (c: Context<AppEnv>, given: object) => c.json({ success: true, data: { ...given }, message: 'Done.' });
  const data: Record<OperatorEndpoint, Handler<AppEnv>> = {
    me: async (c) => {
      const { user, fullName, language, roles } = await session(c);
      const me = { user, full_name: fullName, language, may_change_settings: mayChangeSettings(roles) };
      return answer(c, { ...me, proxy_version: about.version, helpdesk_url: about.helpdeskUrl });
    },
    today: async (c) => {
      await session(c);
      return answer(
        c,
        await verbs.showToday(Date.parse(parseInput(operatorContract.today.input, c.req.query()).since)),
      );
    },
    health: async (c) => {
      await session(c);
      return answer(c, await verbs.showHealth());
    },
    routing: async (c) => {
      await session(c);
      return answer(
        c,
        await verbs.showRouting(
          Date.parse(parseInput(operatorContract.routing.input, c.req.query()).since),
          c.req.raw.signal,
        ),
      );
    },
    decisions: async (c) => {
      await session(c);
      return answer(
        c,
        await verbs.readDecisions(parseInput(operatorContract.decisions.input, c.req.query()).ticket, c.req.raw.signal),
      );
    },
    signOut: async (c) => {
      const token = sessionOf(c);
      if (token !== undefined) await gate?.end(token);
      dropSession(c);
      return answer(c, {});
    },
    ...settingsRoutes(page.settings, actorOf),
    ...customerRoutes(page.customers, actorOf),
  };
  for (const [endpoint, { method, path }] of Object.entries(operatorContract)) {
    // Whoever signs out need not have been signed in.
    if (endpoint !== 'signOut') app.use(path, markKnown);
    app.on(method, path, data[endpoint as OperatorEndpoint]);
    app.all(path, (c) => answerError(new AppError('method_not_allowed'), c));
  }
  app.get('/operator/sign-in', signInRoute(page));
  const icon = files.find(({ type }) => type === 'image/svg+xml');
  app.get('/operator/callback', callbackRoute(page, icon && `/operator/${icon.name}`));
  app.get('/operator/assets/*', assetRoute(files));
  for (const path of ['/operator', '/operator/routing', '/operator/customers', '/operator/settings'])
    app.get(path, pageRoute(files));
}
