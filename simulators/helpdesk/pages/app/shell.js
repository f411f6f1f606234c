import { post } from './api.js';
import { avatar, h, icon } from './dom.js';
import { themeButton } from './theme.js';

let mode = '';

const isMobile = () => innerWidth < 640;
const main = () => document.getElementById('main');

/** Builds the frame around every view: sidebar and header slot, or the narrow layout under 640 px. */
export function buildShell(user) {
  const wanted = isMobile() ? 'mobile' : 'desktop';
  if (mode === wanted) return;
  mode = wanted;
  const column = wanted === 'mobile' ? mobileColumn(user) : desktopColumn();
  const frame = h('div', { class: 'flex h-screen w-screen isolate' });
  if (wanted === 'desktop') frame.append(sidebar(user));
  frame.append(column);
  document.getElementById('app').replaceChildren(frame, ...notifications());
}

/** Where toasts appear, beside the frame and above everything, as each generation has it. */
function notifications() {
  const toasts = h('ol', { id: 'toasts', tabindex: -1 });
  if (window.helpdesk_version !== '1.24')
    return [h('div'), h('section', { 'aria-label': 'Notifications alt+T' }, toasts)];
  toasts.style.zIndex = '2147483647';
  const properties = {
    role: 'region',
    'aria-label': 'Notifications (F8)',
    tabindex: -1,
    style: 'pointer-events: none;',
  };
  return [h('div', properties, toasts)];
}

export const isMobileShell = () => mode === 'mobile';

function desktopColumn() {
  const slot = h('div', { class: 'flex-1 w-full', id: 'app-header' });
  return h(
    'div',
    { class: 'flex-1 flex flex-col h-full overflow-auto relative' },
    h('div', { class: 'flex border-b pr-5 header-row' }, slot),
    h('div', { class: 'flex-1 flex flex-col overflow-auto', id: 'main' }),
  );
}

function mobileColumn(user) {
  const slot = h('header', { class: 'w-full', id: 'app-header' });
  const drawer = h('div', { class: 'drawer', hidden: true }, sidebar(user));
  const toggle = () => drawer.toggleAttribute('hidden');
  drawer.addEventListener('click', toggle);
  const menu = h(
    'button',
    { type: 'button', class: 'btn ghost square', 'aria-label': 'Menu', onclick: toggle },
    icon('menu'),
  );
  return h(
    'div',
    { class: 'flex h-full flex-col flex-1 overflow-auto relative' },
    h('div', { class: 'flex border-b h-12 items-center header-row' }, h('div', { class: 'menu-slot' }, menu), slot),
    h('div', { class: 'flex-1 flex flex-col overflow-auto', id: 'main' }),
    drawer,
  );
}

function sidebar(user) {
  const tickets = user.is_agent ? '/helpdesk/tickets' : '/helpdesk/my-tickets';
  const entry = (name, label, href) =>
    href
      ? h('a', { class: 'side-item', href }, icon(name), h('span', {}, label))
      : h('span', { class: 'side-item quiet' }, icon(name), h('span', {}, label));
  const signOut = async () => {
    await post('logout', {});
    location.href = '/login';
  };
  const agentEntries = [entry('building', 'Customers'), entry('user', 'Contacts'), entry('book', 'Knowledge base')];
  return h(
    'div',
    { class: 'sidebar' },
    h(
      'div',
      { class: 'brand' },
      h('span', { class: 'logo' }, icon('ticket')),
      h('div', { class: 'brand-text' }, h('strong', {}, 'Helpdesk'), h('span', {}, user.user_name)),
    ),
    h(
      'nav',
      { class: 'side-list', 'aria-label': 'Main' },
      entry('ticket', 'Tickets', tickets),
      user.is_agent ? agentEntries : [],
    ),
    h(
      'div',
      { class: 'side-list bottom' },
      themeButton(),
      h('button', { type: 'button', class: 'side-item', onclick: signOut }, icon('leave'), h('span', {}, 'Log out')),
      h('span', { class: 'side-item quiet' }, avatar(user.user_name, 'small'), h('span', {}, user.user_id)),
    ),
  );
}

/** Takes the header away, as the real page does while the next view is not there yet. */
export function clearHeader() {
  document.getElementById('app-header').replaceChildren();
}

/**
 * Puts a new header in: breadcrumbs on the left, actions in the last `div` on the right, and what stands below it.
 */
export function setHeader(left, actions, below = null) {
  const header = h(
    'header',
    { class: 'flex h-10.5 items-center justify-between mx-4 md:mx-5 md:mr-0' },
    h('div', { class: 'flex items-center gap-2 min-w-0 flex-1' }, left),
    h('div', { class: 'flex items-center gap-2 shrink-0' }, actions),
  );
  document.getElementById('app-header').replaceChildren(...[header, below].filter((part) => part !== null));
}

export function breadcrumbs(root, last) {
  const crumbs = h(
    'div',
    { class: 'flex min-w-0 items-center breadcrumbs' },
    h('a', { class: 'crumb quiet', href: root.href }, h('span', {}, root.label)),
    ...(last ? [h('span', { class: 'crumb-slash' }, '/'), last] : []),
  );
  return isMobileShell() ? crumbs : h('div', { class: 'flex flex-col truncate' }, crumbs);
}

export function setMain(...children) {
  main().replaceChildren(...children);
}

function toast(text) {
  const item = h('li', { class: 'toast', role: 'status' }, text);
  document.getElementById('toasts').append(item);
  setTimeout(() => item.remove(), 4000);
}

/** Runs something that may fail and says so. */
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    toast(error.message);
    return undefined;
  }
}
