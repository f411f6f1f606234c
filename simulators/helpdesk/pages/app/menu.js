import { dot, h, icon } from './dom.js';
import { closeOverlay, openOverlay } from './overlays.js';

/** A button that opens a menu below itself, its right edge under the button's; the menu is made anew each time. */
export function menuButton({ label, content, className, items }) {
  const button = h(
    'button',
    { type: 'button', class: className, 'aria-haspopup': 'menu', 'aria-expanded': 'false', 'aria-label': label },
    content,
  );
  button.addEventListener('click', () => showMenu(button, items));
  return button;
}

function showMenu(button, items) {
  const menu = h(
    'div',
    { class: 'menu', role: 'menu', tabindex: -1 },
    items.map(({ label, color, checked, action }) => {
      const choose = () => {
        closeOverlay();
        action();
      };
      const mark = color ? dot(color) : null;
      const properties = { type: 'button', class: 'menu-item', role: 'menuitem', tabindex: -1, onclick: choose };
      return h('button', properties, mark, h('span', {}, label), checked ? icon('check') : null);
    }),
  );
  const wrapper = h('div', { 'data-reka-popper-content-wrapper': true }, menu);
  openOverlay(wrapper, { guarded: true, closed: () => button.setAttribute('aria-expanded', 'false') });
  const box = button.getBoundingClientRect();
  const left = Math.max(8, box.right - menu.offsetWidth);
  wrapper.style.transform = `translate(${left}px, ${box.bottom + 4}px)`;
  button.setAttribute('aria-expanded', 'true');
  menu.querySelector('button')?.focus();
}
