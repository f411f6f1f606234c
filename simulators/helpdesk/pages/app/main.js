import { call } from './api.js';
import { h } from './dom.js';
import { showList } from './list.js';
import { showNew } from './new-ticket.js';
import { showPortalList, showPortalTicket } from './portal.js';
import { navigate, startRouter } from './router.js';
import { buildShell, clearHeader, setMain } from './shell.js';
import { setShortcuts, startShortcuts } from './shortcuts.js';
import { applyTheme } from './theme.js';
import { showTicket } from './ticket.js';

applyTheme();

/** Addresses and their views. The `new` page comes before tickets: its name is no ticket's. */
const routes = [
  { pattern: /^\/tickets\/?$/, agent: true, show: (_match, user, signal) => showList(user, signal) },
  { pattern: /^\/tickets\/new(?:\/[^/]*)?$/, show: (_match, user, signal) => showNew(user, signal) },
  { pattern: /^\/tickets\/([^/]+)\/?$/, agent: true, show: ([, name], user, signal) => showTicket(name, user, signal) },
  { pattern: /^\/my-tickets\/?$/, show: (_match, _user, signal) => showPortalList(signal) },
  { pattern: /^\/my-tickets\/new(?:\/[^/]*)?$/, show: (_match, user, signal) => showNew(user, signal) },
  { pattern: /^\/my-tickets\/([^/]+)\/?$/, show: ([, name], _user, signal) => showPortalTicket(name, signal) },
];

async function render(user, path, signal) {
  buildShell(user);
  clearHeader();
  setShortcuts({});
  const route = routes.find(({ pattern }) => pattern.test(path));
  if (route === undefined)
    return navigate(user.is_agent ? '/helpdesk/tickets' : '/helpdesk/my-tickets', { replace: true });
  if (route.agent && !user.is_agent)
    return navigate(`/helpdesk${path.replace('/tickets', '/my-tickets')}`, { replace: true });
  try {
    await route.show(route.pattern.exec(path), user, signal);
  } catch (error) {
    if (signal.aborted) return;
    setMain(
      h(
        'div',
        { class: 'notice', role: 'alert' },
        h('strong', {}, error.message),
        h('a', { href: '/helpdesk' }, 'Go to the tickets'),
      ),
    );
  }
}

const user = await call('helpdesk.api.auth.get_user', {});
startShortcuts();
await startRouter((path, signal) => render(user, path, signal));
