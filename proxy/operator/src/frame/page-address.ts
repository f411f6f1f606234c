import { useSyncExternalStore } from 'react';

/** The pages, and where each of them is. */
export const pages = {
  today: '/operator',
  routing: '/operator/routing',
  customers: '/operator/customers',
  settings: '/operator/settings',
} as const;
export type PageName = keyof typeof pages;

/** Which page an address is of; today's for any other. */
function pageAt(path: string): PageName {
  const bare = path.replace(/\/+$/, '');
  return (Object.keys(pages) as PageName[]).find((name) => pages[name] === bare) ?? 'today';
}

const changed = 'deskside:page';

/** Goes to a page without loading anything but its data. */
export function goTo(page: PageName): void {
  if (pageAt(location.pathname) !== page || location.search) history.pushState(null, '', pages[page]);
  dispatchEvent(new Event(changed));
}

/** The page that the address is of. */
export function usePage(): PageName {
  return useSyncExternalStore(subscribe, () => pageAt(location.pathname));
}

function subscribe(notify: () => void): () => void {
  for (const event of ['popstate', changed]) addEventListener(event, notify);
  return () => {
    for (const event of ['popstate', changed]) removeEventListener(event, notify);
  };
}
