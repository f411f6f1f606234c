/**
 * Calls back after changes of the page, at most once per frame.
 * @returns ends the watching
 */
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
