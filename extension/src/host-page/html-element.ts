/**
 * Calls back with the helpdesk's theme immediately and after each change, until the observer is disconnected. Releases
 * without a dark theme have no `data-theme` and are light (docs/helpdesk.md#the-ticket-page).
 */
export function watchTheme(onTheme: (theme: 'light' | 'dark') => void): MutationObserver {
  const page = document.documentElement;
  const tell = () => onTheme(page.dataset.theme === 'dark' ? 'dark' : 'light');
  const observer = new MutationObserver(tell);
  observer.observe(page, { attributeFilter: ['data-theme'] });
  tell();
  return observer;
}
