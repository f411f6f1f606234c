import { h, icon } from './dom.js';

/** 1.28 has themes, always resolved on `html[data-theme]`; 1.24 knows none. */
const hasThemes = () => window.helpdesk_version !== '1.24';

export function applyTheme(theme = localStorage.getItem('theme') ?? 'light') {
  if (!hasThemes()) return;
  localStorage.setItem('theme', theme);
  const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

export function themeButton() {
  if (!hasThemes()) return null;
  const toggle = () => applyTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  const properties = { type: 'button', class: 'side-item', 'aria-label': 'Toggle theme', onclick: toggle };
  return h('button', properties, icon('sun'), h('span', {}, 'Toggle theme'));
}
