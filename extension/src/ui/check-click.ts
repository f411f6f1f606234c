/** How long a button ignores clicks after it has appeared, possibly just under the pointer. Milliseconds. */
export const armingMs = 300;

/**
 * Whether a click was made by a person on a button that they can see (ARCHITECTURE.md#messages): not by a script, with
 * nothing of the page over the button's centre, and with the page not made transparent.
 */
export function checkClick(
  { isTrusted }: Pick<Event, 'isTrusted'>,
  button: Element,
): 'genuine' | 'scripted' | 'covered' {
  if (!isTrusted) return 'scripted';
  const root = button.getRootNode();
  // To the page, everything inside a shadow root is its host.
  const host = root instanceof ShadowRoot ? root.host : button;
  const { left, top, width, height } = button.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  const faded = [document.documentElement, document.body].some(
    (element) => Number(getComputedStyle(element).opacity || 1) < 1,
  );
  return host.contains(hit) && !faded ? 'genuine' : 'covered';
}
