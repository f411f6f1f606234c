import { dot, h, icon } from './dom.js';

let open = null;

function closeMenu() {
  open?.menu.remove();
  open?.button.setAttribute('aria-expanded', 'false');
  open = null;
}

addEventListener('pointerdown', (event) => {
  if (open !== null && !open.menu.contains(event.target) && !open.button.contains(event.target)) closeMenu();
});
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && open !== null) {
    open.button.focus();
    closeMenu();
  }
});
addEventListener('popstate', closeMenu);

/** A button that opens a menu below itself; the menu lives in #popovers and is made anew each time. */
export function menuButton({ label, content, className, items }) {
  const button = h(
    'button',
    { type: 'button', class: className, 'aria-haspopup': 'menu', 'aria-expanded': 'false', 'aria-label': label },
    content,
  );
  button.addEventListener('click', () => (open?.button === button ? closeMenu() : showMenu(button, items)));
  return button;
}

function showMenu(button, items) {
  closeMenu();
  const menu = h(
    'div',
    { class: 'menu', role: 'menu' },
    items.map(({ label, color, checked, action }) => {
      const choose = () => {
        closeMenu();
        action();
      };
      const mark = color ? dot(color) : null;
      const properties = { type: 'button', class: 'menu-item', role: 'menuitem', onclick: choose };
      return h('button', properties, mark, h('span', {}, label), checked ? icon('check') : null);
    }),
  );
  document.getElementById('popovers').append(menu);
  const box = button.getBoundingClientRect();
  menu.style.top = `${box.bottom + 4}px`;
  menu.style.right = `${Math.max(8, innerWidth - box.right)}px`;
  button.setAttribute('aria-expanded', 'true');
  open = { menu, button };
  menu.querySelector('button')?.focus();
}
