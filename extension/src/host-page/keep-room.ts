/** How much of the launcher is shown: everything, its icon and status in words, or its icon and status as a dot. */
type Size = 'full' | 'status' | 'icon';

/**
 * Keeps the launcher as large as it can be without taking room from the ticket's subject, which stands in the other half
 * of the header and is cut off where it gets too little. Floating it takes no room, but hides what is below.
 * @param setSize shows the launcher in this size
 * @returns to be called with every new place (null: floating), and without one when the launcher's words have changed
 */
export function keepRoom(setSize: (size: Size) => void): (place?: Element | null) => void {
  let subject: Element | null | undefined;
  const width = () => subject?.getBoundingClientRect().width ?? 0;
  const choose = () => {
    setSize('icon');
    const wanted = width();
    for (const size of ['full', 'status'] as const) {
      setSize(size);
      // Half a pixel: the browser rounds. None at all is wanted where nothing is left even of the smallest size.
      if (wanted && width() > wanted - 0.5) return;
    }
    setSize('icon');
  };
  const observer = new ResizeObserver(choose);
  return (place) => {
    if (place === undefined) {
      if (subject) choose();
      return;
    }
    observer.disconnect();
    const half = place?.previousElementSibling;
    subject = half?.firstElementChild;
    if (!half || !subject) return setSize(place ? 'icon' : 'status');
    // The half changes with the window and with the page's own buttons, what is in it with the ticket. Both are looked at
    // first of all once the launcher is in.
    observer.observe(half);
    observer.observe(subject);
  };
}
