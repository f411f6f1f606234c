/** Where the launcher's button goes: into the header's action area, or floating over the page. Null: no header yet. */
type Place = Element | 'floating' | null;

/** Newest first; the first match wins. Each notes the releases that it was found in. */
const actionAreas = [
  // 2026-11: Helpdesk 1.24.1 and 1.28.1, desktop.
  'div#app-header header > div:last-child',
];

/** Headers without room for another button: the status button already covers the action area. */
const narrowHeaders = [
  // 2026-11: Helpdesk 1.24.1 and 1.28.1, below 640 px.
  'header#app-header > header',
];

/** The helpdesk's app, and in it what holds everything but toasts, as wide as the window. 2026-11: 1.24.1 and 1.28.1. */
const app = 'body > #app';
export const appFrame = `${app} > div:first-child`;

/** Its own column beside a ticket, in a window that is wide enough. 2026-11: 1.24.1, 1.26.2 and 1.28.1. */
export const sidebarSelector = `${appFrame} div.relative.flex.flex-col.border-l.h-full`;

/**
 * Puts the panel's element right behind the app: over the page, and under the menus and dialogs that the helpdesk appends
 * to the body (docs/helpdesk.md#layers).
 */
export function insertPanel(element: Element): void {
  const place = document.querySelector(app);
  if (place) place.after(element);
  else document.body.append(element);
}

/** Finds the place for the launcher's button. */
export function findPlace(root: ParentNode): Place {
  return root.querySelector(`${actionAreas}`) ?? (root.querySelector(`${narrowHeaders}`) ? 'floating' : null);
}
