import { findPlace } from './anchors.ts';
import { lasting, watchPage } from './watch-page.ts';

/** How long to wait for a known header before the button floats, and before the page counts as another. Milliseconds. */
const floatAfterMs = 2000;
const missingAfterMs = 20_000;

/**
 * Keeps an element in its place on the page: inserts it when the place appears, inserts it again when the helpdesk
 * replaces its header, and lets it float (attribute `floating`) on a page without such a place.
 * @param isNeeded whether the element should be on the page at the moment
 * @param placed told of every place that the element is put into; null: it floats
 * @param missing called once if the page has had no such place for so long that it is hardly still loading
 * @returns updates the page now; to be called when `isNeeded` may have changed
 */
export function keepInPlace(
  element: HTMLElement,
  isNeeded: () => boolean,
  placed: (place: Element | null) => void,
  missing: () => void,
): () => void {
  const put = (parent: Element, floating: boolean) => {
    element.toggleAttribute('floating', floating);
    if (element.parentNode === parent) return;
    // First in the header, where the others are right-aligned: they do not move, and Tab goes as the eye does.
    if (floating) parent.append(element);
    else parent.prepend(element);
    placed(floating ? null : parent);
  };
  const float = () => isNeeded() && put(document.body, true);
  const isWaiting = lasting(floatAfterMs, float);
  const isMissing = lasting(missingAfterMs, missing);
  const place = () => {
    const found = findPlace();
    const isLacking = !found && isNeeded();
    isWaiting(isLacking && !element.isConnected);
    isMissing(isLacking);
    if (!isNeeded()) element.remove();
    else if (found === 'floating') float();
    else if (found) put(found, false);
  };
  watchPage(place);
  return place;
}
