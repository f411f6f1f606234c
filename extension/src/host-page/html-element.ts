/** The language that the helpdesk's page declares, empty if it declares none. */
export function pageLanguage(): string {
  return document.documentElement.lang;
}

/**
 * Calls back with the helpdesk's theme immediately and after each change, until the signal aborts. Releases without a
 * dark theme have no `data-theme` and are light (docs/helpdesk.md#the-ticket-page).
 */
export function watchTheme(onTheme: (theme: 'light' | 'dark') => void, signal?: AbortSignal): void {
  const page = document.documentElement;
  const tell = () => onTheme(page.dataset.theme === 'dark' ? 'dark' : 'light');
  const observer = new MutationObserver(tell);
  observer.observe(page, { attributeFilter: ['data-theme'] });
  signal?.addEventListener('abort', () => observer.disconnect());
  tell();
}
