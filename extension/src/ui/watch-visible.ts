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

/** How often the place is looked at, in milliseconds. */
const lookEveryMs = 100;

/**
 * Watches whether an element stays where it is: a page can move what is in full view under the pointer at the last
 * moment. Scrolling inside of it is nothing that a page can do, and does not count.
 * @returns how long it has been in its place, in milliseconds, and what ends the watching
 */
export function watchPlace(element: Element): { settledMs(): number; stop(): void } {
  let place = placeOf(element);
  let since = Number.NEGATIVE_INFINITY;
  const look = () => {
    const next = placeOf(element);
    if (next === place) return;
    place = next;
    since = performance.now();
  };
  const timer = setInterval(look, lookEveryMs);
  return {
    settledMs() {
      look();
      return performance.now() - since;
    },
    stop: () => clearInterval(timer),
  };
}

function placeOf(element: Element): string {
  const { x, y } = element.getBoundingClientRect();
  return `${Math.round(x)} ${Math.round(y)}`;
}
