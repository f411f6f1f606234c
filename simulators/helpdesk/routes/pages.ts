import { readFile } from 'node:fs/promises';
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { identify, sessionCookies } from '#helpdesk/access/auth.ts';
import { pageAssets } from '#helpdesk/pages/assets.ts';
import type { SiteSession } from '#helpdesk/site/site.ts';
import { type FakeSite, lookup } from '#helpdesk/site/site.ts';
import { loginPage, safeTarget, signIn } from './login.ts';

type App = Hono<{ Bindings: HttpBindings }>;

const folder = new URL('../pages/', import.meta.url);

/** Everything a browser sees: the login page and the helpdesk's single page with its assets. */
export function servePages(app: App, site: FakeSite): void {
  app.get('/', (context) => context.redirect('/helpdesk'));
  app.get('/login', async (context) => context.html(await loginPage(context.req.query('redirect-to') ?? null, false)));
  app.post('/login', (context) => submitLogin(site, context));
  app.get('/assets/helpdesk/desk/assets/:file', async (context) => {
    const asset = Object.values(await pageAssets()).find(({ path }) => path === context.req.path);
    if (asset === undefined) return context.notFound();
    const forGood = 'public, max-age=31536000, immutable';
    return context.body(asset.content, 200, { 'Content-Type': asset.type, 'Cache-Control': forGood });
  });
  app.get('/helpdesk', (context) => servePage(site, context));
  app.get('/helpdesk/*', (context) => servePage(site, context));
}

async function submitLogin(site: FakeSite, context: Context): Promise<Response> {
  const target = context.req.query('redirect-to') ?? null;
  const form = await context.req.parseBody();
  const session = signIn(site, form.usr, form.pwd);
  if (session === null) return context.html(await loginPage(target, true), 401);
  setCookies(site, context, session);
  return context.redirect(safeTarget(site, target), 303);
}

/** The single page for whoever is signed in; everybody else is sent to the login page. */
async function servePage(site: FakeSite, context: Context): Promise<Response> {
  const { session } = identify(site, context.req.raw, undefined);
  const { pathname, search } = new URL(context.req.url);
  if (session === undefined) {
    return context.redirect(`/login?redirect-to=${encodeURIComponent(pathname + search)}`);
  }
  setCookies(site, context, session);
  const template = await readFile(new URL('index.html', folder), 'utf8');
  context.header('X-Page-Name', 'helpdesk');
  const { script, styles } = await pageAssets();
  const page = template
    .replace('/*styles*/', styles.path)
    .replace('/*script*/', script.path)
    .replace(
      'lang="en"',
      site.settings.page === 'own' ? 'lang="en"' : `lang="en" dir="${site.settings.page === 'next' ? 'ltr' : 'rtl'}"`,
    )
    .replace('<!--sprite-->', site.generation === '1.24' ? '' : sprite);
  return context.html(page.replace('/*boot*/', () => bootScript(site, session)));
}

/** What 1.28 puts in front of its app. */
const sprite = '<div class="hd" id="lucide-sprite" style="display: none"></div>';

/** Globals of the served page, as Helpdesk's boot block sets them; `<` is escaped so that no value ends the script. */
function bootScript(site: FakeSite, session: SiteSession): string {
  const boot = {
    csrf_token: site.sessions.csrfToken(session),
    session_user: session.user,
    agent: lookup(site, 'HD Agent', session.user)?.name ?? null,
    site_name: new URL(site.url).hostname,
    default_route: '/helpdesk',
    timezone: { system: site.clock.timeZone, user: site.clock.timeZone },
    lang: 'en',
    helpdesk_version: site.settings.page === 'own' ? site.generation : 'next',
  };
  return Object.entries(boot)
    .map(([name, value]) => `window.${name} = ${JSON.stringify(value).replaceAll('<', '\\u003c')};`)
    .join('\n      ');
}

function setCookies(site: FakeSite, context: Context, session: SiteSession): void {
  for (const cookie of sessionCookies(site, { session })) context.header('Set-Cookie', cookie, { append: true });
}
