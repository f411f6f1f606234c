/** How often the browser looks, in milliseconds; the least that it accepts. */
const delay = 100;

/** Whether the browser can tell that an element is in full view (IntersectionObserver v2; Firefox and Safari cannot). */
const canTell = () => 'isVisible' in (globalThis.IntersectionObserverEntry?.prototype ?? {});

/**
 * Watches whether nothing of the page covers an element, fades, filters or distorts it, whether or not what covers it
 * would take a click.
 * @returns the browser's latest word, null where it has none to give; and what ends the watching
 */
export function watchVisible(element: Element): { isVisible(): boolean | null; stop(): void } {
  if (!canTell()) return { isVisible: () => null, stop: () => {} };
  let visible = false;
  // TypeScript does not know version 2 yet.
  const init = { trackVisibility: true, delay, threshold: [0, 0.5, 1] } as IntersectionObserverInit;
  const observer = new IntersectionObserver((entries) => {
    const latest = entries.at(-1) as (IntersectionObserverEntry & { isVisible?: boolean }) | undefined;
    visible = latest?.isVisible === true;
  }, init);
  observer.observe(element);
  return { isVisible: () => visible, stop: () => observer.disconnect() };
}
