const svgNamespace = 'http://www.w3.org/2000/svg';

/** Strokes of the icons, drawn on 24 by 24. */
const strokes = {
  ticket: 'M3 9V6h18v3a3 3 0 0 0 0 6v3H3v-3a3 3 0 0 0 0-6M13 6v3M13 11v2M13 15v3',
  building: 'M6 21V4h12v17M3 21h18M10 8h1M13 8h1M10 12h1M13 12h1M10 16h4v5',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21c1-5 15-5 16 0',
  book: 'M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11',
  previous: 'M15 6l-6 6 6 6',
  next: 'M9 6l6 6-6 6',
  down: 'M6 9l6 6 6-6',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  plus: 'M12 5v14M5 12h14',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1 1M18 18l1 1M5 19l1-1M18 6l1-1',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M20 20l-4-4',
  mail: 'M3 6h18v12H3zM3 7l9 7 9-7',
  comment: 'M4 5h16v11H9l-5 4z',
  phone: 'M5 4h4l2 5-3 2a12 12 0 0 0 5 5l2-3 5 2v4a2 2 0 0 1-2 2A16 16 0 0 1 3 6a2 2 0 0 1 2-2',
  leave: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  refresh: 'M20 11A8 8 0 0 0 6 6L4 8M4 4v4h4M4 13a8 8 0 0 0 14 5l2-2M20 20v-4h-4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18',
  check: 'M5 12l5 5 9-10',
};

/**
 * Makes an element. Every element of the page carries the class `hd`, which exempts it from the page's hostile rules.
 * Strings become text, never markup; `on…` properties are listeners; null children are left out.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value') element.value = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.classList.add('hd');
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function icon(name, className = 'size-4') {
  const svg = document.createElementNS(svgNamespace, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', `hd icon ${className}`);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(svgNamespace, 'path');
  path.setAttribute('d', strokes[name]);
  path.setAttribute('class', 'hd');
  svg.append(path);
  return svg;
}

/** A filled dot in a status's colour. */
export function dot(color) {
  return h('span', { class: `dot dot-${String(color).toLowerCase()}` });
}

/** The two first letters of a name on a disc. */
export function avatar(name, className = '') {
  const letters = String(name || '?')
    .trim()
    .slice(0, 1)
    .toUpperCase();
  return h('span', { class: `avatar ${className}`, 'aria-hidden': 'true' }, letters);
}

/** The text of a message that came as HTML, its paragraphs on lines of their own. Nothing of it is run or loaded. */
export function plainText(html) {
  const parsed = new DOMParser().parseFromString(String(html ?? ''), 'text/html');
  for (const block of parsed.querySelectorAll('p, div, br, li, tr, h1, h2, h3, blockquote')) block.after('\n');
  for (const unread of parsed.querySelectorAll('script, style')) unread.remove();
  return (parsed.body.textContent ?? '').replace(/\n{3,}/g, '\n\n').trim();
}

/** How long ago a naive datetime of the site was, in short words. */
export function ago(datetime) {
  if (!datetime) return '';
  const now = new Date(new Date().toLocaleString('sv-SE', { timeZone: window.timezone.system }).replace(' ', 'T'));
  const seconds = (now - new Date(String(datetime).slice(0, 19).replace(' ', 'T'))) / 1000;
  const units = [
    ['y', 31_536_000],
    ['mo', 2_592_000],
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
  ];
  const unit = units.find(([, size]) => Math.abs(seconds) >= size);
  return unit === undefined ? 'just now' : `${Math.round(Math.abs(seconds) / unit[1])}${unit[0]}`;
}
