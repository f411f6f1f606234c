import { findPlace } from './anchors.ts';

/** How long a page may go without a known header before the button floats, in milliseconds. */
const patienceMs = 2000;

/**
 * Keeps an element in its place on the page for as long as it is wanted there: puts it in when the place appears, puts
 * it back when the helpdesk replaces its header, and lets it float (attribute `floating`) where there is no place.
 * @param wanted asked before each look at the page
 * @returns looks at the page now; to be called when `wanted` may have changed
 */
export function keepInPlace(element: HTMLElement, wanted: () => boolean): () => void {
  let frame = 0;
  let timer = 0;
  const put = (parent: Element, floating: boolean) => {
    element.toggleAttribute('floating', floating);
    if (element.parentNode !== parent) parent.append(element);
  };
  const float = () => wanted() && put(document.body, true);
  const place = () => {
    frame = 0;
    const found = findPlace(document);
    if (found || !wanted()) {
      clearTimeout(timer);
      timer = 0;
    }
    if (!wanted()) element.remove();
    else if (found === 'floating') float();
    else if (found) put(found, false);
    else if (!element.isConnected) timer ||= window.setTimeout(float, patienceMs);
  };
  // Only added and removed nodes, and one look per frame: the page changes a lot, and the header rarely.
  new MutationObserver(() => {
    if (!frame) frame = requestAnimationFrame(place);
  }).observe(document.body, { childList: true, subtree: true });
  return place;
}
