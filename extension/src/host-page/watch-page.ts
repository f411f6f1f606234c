/** Calls back after changes of the page, at most once per frame; what it returns ends that. */
export function watchPage(changed: () => void): () => void {
  let frame = 0;
  const observer = new MutationObserver(() => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      changed();
    });
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
}

/** A page that is only passed on the way to another tab asks for nothing. Milliseconds. */
const passedMs = 300;

/** Calls back once the page's tab is shown again, or its window has the focus again; what it returns ends that. */
export function whenInFront(then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const tellOnce = () => {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(then, passedMs);
  };
  addEventListener('focus', tellOnce);
  document.addEventListener('visibilitychange', tellOnce);
  return () => {
    clearTimeout(timer);
    removeEventListener('focus', tellOnce);
    document.removeEventListener('visibilitychange', tellOnce);
  };
}

/** What is missing for so long is hardly still loading. Milliseconds; a browser test need not wait as long as that. */
export const missingAfterMs = import.meta.env.MODE === 'e2e' ? 4_000 : 20_000;

/** Calls back once something has been so for a while without a break, going by what it is told each time. */
export function lasting(afterMs: number, then: () => void): (isSo: boolean) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (isSo) => {
    if (isSo) timer ??= setTimeout(then, afterMs);
    else {
      clearTimeout(timer);
      timer = undefined;
    }
  };
}

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
