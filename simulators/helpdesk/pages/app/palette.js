import { list } from './api.js';
import { h } from './dom.js';
import { closeOverlay, openOverlay } from './overlays.js';
import { navigate, ticketHref } from './router.js';

/** The search palette: a dialog over the whole page that finds tickets by their subject. */
export function openPalette() {
  const found = h('ul', { class: 'palette-list', role: 'listbox', 'aria-label': 'Tickets' });
  const input = h('input', { class: 'palette-input', type: 'text', placeholder: 'Search', 'aria-label': 'Search' });
  const search = async () => {
    const text = input.value.trim();
    const filters = text === '' ? null : [['subject', 'like', `%${text}%`]];
    const rows = await list('HD Ticket', { fields: ['name', 'subject'], filters, orderBy: 'modified desc', limit: 6 });
    if (input.value.trim() === text) found.replaceChildren(...rows.map(option));
  };
  input.addEventListener('input', search);
  const dialog = h('div', { class: 'palette', role: 'dialog', tabindex: -1, 'aria-label': 'Search' }, input, found);
  const overlay = h('div', { class: 'dialog-overlay' }, dialog);
  overlay.addEventListener('pointerdown', ({ target }) => {
    if (target === overlay) closeOverlay();
  });
  openOverlay(overlay);
  input.focus();
  search();
}

function option({ name, subject }) {
  const choose = () => {
    closeOverlay();
    navigate(ticketHref(name));
  };
  return h(
    'li',
    { class: 'palette-option', role: 'option', onclick: choose },
    h('span', { class: 'quiet' }, `#${name} `),
    subject,
  );
}
