/** How long a button ignores clicks after it has appeared or moved, possibly just under the pointer. Milliseconds. */
export const armingMs = 300;

/**
 * Whether a click was made by a person on a button that they can see (ARCHITECTURE.md#messages): not by a script, and, if
 * made with a pointer, with nothing of the page over the button and with the page not made transparent. The keyboard
 * reaches a button by its focus, which no cover can lead elsewhere.
 * @param visible what `watchVisible` knows about the button
 * @param settledMs how long the panel has been where it is, from `watchPlace`
 */
export function checkClick(
  { isTrusted, detail }: Pick<UIEvent, 'isTrusted' | 'detail'>,
  button: Element,
  visible: boolean | null,
  settledMs: number,
): 'genuine' | 'scripted' | 'covered' {
  if (!isTrusted) return 'scripted';
  // Enter, the space bar and assistive technology count no clicks.
  if (detail === 0) return 'genuine';
  const root = button.getRootNode();
  // To the page, everything inside a shadow root is its host.
  const host = root instanceof ShadowRoot ? root.host : button;
  const { left, top, width, height } = button.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  const isSeen = host.contains(hit) && (visible ?? !isFaded()) && settledMs >= armingMs;
  return isSeen ? 'genuine' : 'covered';
}

/** For browsers that do not judge it themselves: whether the whole page is transparent. */
function isFaded(): boolean {
  const whole = [document.documentElement, document.body];
  return whole.some((element) => Number(getComputedStyle(element).opacity || 1) < 1);
}
