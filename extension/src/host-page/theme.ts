export type Theme = 'light' | 'dark';

/**
 * Calls back with the helpdesk's theme at once and after each change, until the signal aborts. Releases without a dark
 * theme have no `data-theme` and are light (facts/frappe.md 1.4).
 */
export function watchTheme(onTheme: (theme: Theme) => void, signal?: AbortSignal): void {
  const page = document.documentElement;
  const tell = () => onTheme(page.dataset.theme === 'dark' ? 'dark' : 'light');
  const observer = new MutationObserver(tell);
  observer.observe(page, { attributeFilter: ['data-theme'] });
  signal?.addEventListener('abort', () => observer.disconnect());
  tell();
}
