import { h } from './dom.js';

let open = null;

/**
 * Opens a menu or a dialog as the real page does: at the end of the body, after everything else. Meanwhile nothing else
 * of the page takes a click or the focus, and assistive technology sees the overlay alone. Escape and a press outside
 * close it.
 * @param root the element to append, fixed and without a z-index
 * @param guarded between two focusable guards, as menus are
 */
export function openOverlay(root, { guarded = false, closed = () => {} } = {}) {
  closeOverlay();
  const before = document.activeElement;
  const hidden = [...document.body.children].filter(
    (child) => !child.hasAttribute('aria-hidden') && child.localName !== 'script',
  );
  for (const child of hidden) child.setAttribute('aria-hidden', 'true');
  const guards = guarded ? [guard(), guard()] : [];
  if (guarded) document.body.prepend(guards[0]);
  document.body.append(root, ...guards.slice(1));
  document.body.style.cssText = 'pointer-events: none; overflow: hidden';
  root.style.pointerEvents = 'auto';
  const keepFocus = ({ target, relatedTarget }) => {
    if (relatedTarget !== null && !root.contains(relatedTarget)) target.focus();
  };
  root.addEventListener('focusout', keepFocus);
  open = {
    root,
    close() {
      root.removeEventListener('focusout', keepFocus);
      for (const child of hidden) child.removeAttribute('aria-hidden');
      for (const element of [root, ...guards]) element.remove();
      document.body.removeAttribute('style');
      closed();
      before?.focus();
    },
  };
}

export function closeOverlay() {
  const closing = open;
  open = null;
  closing?.close();
}

function guard() {
  const style = 'outline: none; opacity: 0; position: fixed; pointer-events: none;';
  return h('span', { 'data-reka-focus-guard': true, tabindex: 0, 'aria-hidden': 'true', style });
}

document.addEventListener('pointerdown', ({ target }) => {
  if (open !== null && !open.root.contains(target)) closeOverlay();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') closeOverlay();
});
addEventListener('popstate', closeOverlay);
