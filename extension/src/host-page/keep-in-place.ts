import { findPlace } from './anchors.ts';

/** How long to wait for a known header before the button floats, in milliseconds. */
const floatAfterMs = 2000;

/**
 * Keeps an element in its place on the page: inserts it when the place appears, inserts it again when the helpdesk
 * replaces its header, and lets it float (attribute `floating`) on a page without such a place.
 * @param isNeeded whether the element should be on the page at the moment
 * @returns updates the page now; to be called when `isNeeded` may have changed
 */
export function keepInPlace(element: HTMLElement, isNeeded: () => boolean): () => void {
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | 0 = 0;
  const put = (parent: Element, floating: boolean) => {
    element.toggleAttribute('floating', floating);
    if (element.parentNode !== parent) parent.append(element);
  };
  const float = () => isNeeded() && put(document.body, true);
  const place = () => {
    frame = 0;
    const found = findPlace(document);
    if (found || !isNeeded()) {
      clearTimeout(timer);
      timer = 0;
    }
    if (!isNeeded()) element.remove();
    else if (found === 'floating') float();
    else if (found) put(found, false);
    else if (!element.isConnected) timer ||= setTimeout(float, floatAfterMs);
  };
  // Only added and removed nodes, and at most once per frame: the page changes often, its header rarely.
  new MutationObserver(() => {
    if (!frame) frame = requestAnimationFrame(place);
  }).observe(document.body, { childList: true, subtree: true });
  return place;
}
