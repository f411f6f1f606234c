/** Where the launcher's button stands: in the header's action area, or floating over the page. */
export type Place = Element | 'floating' | null;

/** Newest first; the first that matches wins. Each names the releases in which it was seen on a running page. */
const actionAreas = [
  // 2026-11: Helpdesk 1.24.1 and 1.28.1, desktop.
  'div#app-header header > div:last-child',
];

/** Headers that have no room: there the status button is laid over the action area. */
const narrowHeaders = [
  // 2026-11: Helpdesk 1.24.1 and 1.28.1, below 640 px.
  'header#app-header > header',
];

/** The place for the launcher's button on the page as it is now, or null while the page has no header yet. */
export function findPlace(root: ParentNode): Place {
  return root.querySelector(`${actionAreas}`) ?? (root.querySelector(`${narrowHeaders}`) ? 'floating' : null);
}
