/** A button that has only just appeared under the pointer is not yet what somebody clicks on. Milliseconds. */
export const armingMs = 300;

/**
 * Whether a click is the person's own, on a button that he can see (facts/extension.md 3.3): made by hand, not by a
 * script of the page; with nothing of the page over the button's centre; and with the page not faded out.
 */
export function judgeClick({ isTrusted }: Pick<Event, 'isTrusted'>, button: Element): 'own' | 'scripted' | 'covered' {
  if (!isTrusted) return 'scripted';
  const root = button.getRootNode();
  // Seen from the page, everything inside of a shadow root is its host.
  const host = root instanceof ShadowRoot ? root.host : button;
  const { left, top, width, height } = button.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  const faded = [document.documentElement, document.body].some(
    (element) => Number(getComputedStyle(element).opacity || 1) < 1,
  );
  return host.contains(hit) && !faded ? 'own' : 'covered';
}
