/**
 * The panel's host element: reset, out of the page's flow, and safe from the page's styles, because important rules in a
 * shadow root take precedence over those of the page. What lies over it is decided by its place in the document alone. It
 * takes no clicks while the page takes none, so that a click on it closes an open menu like any other click outside.
 */
const host = [
  'all:initial!important',
  // Which `all` leaves: the page may be written from right to left, Deskside's two languages are not.
  'direction:ltr!important',
  'position:fixed!important',
  'inset:0 0 auto auto!important',
  'width:0!important',
  'height:0!important',
  'z-index:auto!important',
  'pointer-events:inherit!important',
].join(';');

/**
 * Makes a Tailwind style sheet work inside a shadow root. Browsers ignore `@property` there (tailwindcss #15005), and
 * without its initial values borders and shadows disappear. Instead of registering the properties in the helpdesk's own
 * document, their initial values are set on every element of the panel, in the lowest layer.
 */
export function shadowStyles(css: string): string {
  const initial: string[] = [];
  const rest = css.replace(/@property\s+(--[\w-]+)\s*\{([^}]*)\}/g, (_, name: string, body: string) => {
    const value = /initial-value:\s*([^;}]+)/.exec(body)?.[1]?.trim();
    initial.push(`${name}:${value ?? 'initial'}`);
    return '';
  });
  return `:host{${host}}@layer properties{*,::before,::after,::backdrop{${initial.join(';')}}}${rest}`;
}

/**
 * Events in the panel that must not reach the helpdesk's page: pointer, focus and clipboard look to it like actions outside
 * its open dialogs and editors, which would close.
 */
const isolatedEvents = [
  'beforeinput',
  'input',
  'copy',
  'cut',
  'paste',
  'pointerdown',
  'mousedown',
  'touchstart',
  'click',
  'focusin',
];

/**
 * Whether a key is the panel's: one that it has used, or that goes into a field that takes text. The helpdesk's shortcuts do
 * not recognise such a field in a shadow root and would fire while someone types (docs/helpdesk.md#the-ticket-page); from
 * anywhere else in the panel they work as on the rest of the page.
 */
export function keepsKey({ defaultPrevented, target }: Pick<Event, 'defaultPrevented' | 'target'>): boolean {
  return defaultPrevented || (target as Element).matches('input:not([type=radio], [type=checkbox]), textarea, select');
}

/** What has the focus in the document or the shadow root that an element is in. */
export function focusedBeside(element: Element | null): Element | null {
  return ((element?.getRootNode() ?? document) as Document | ShadowRoot).activeElement;
}

/** Makes a custom element with a shadow root, and the container in it for what is to be shown; does not insert it. */
export function createShadowHost(name: string, styles: string): { host: HTMLElement; container: HTMLElement } {
  const host = document.createElement(name);
  // Open in end-to-end builds only: testing tools cannot look into a closed root.
  const root = host.attachShadow({ mode: import.meta.env.MODE === 'e2e' ? 'open' : 'closed' });
  // A click that a script made up does nothing in here, not even under a sheet, where `inert` keeps off people alone.
  root.addEventListener('click', (event) => event.isTrusted || event.stopImmediatePropagation(), { capture: true });
  for (const type of isolatedEvents) root.addEventListener(type, (event) => event.stopPropagation());
  for (const type of ['keydown', 'keyup', 'keypress'])
    root.addEventListener(type, (event) => keepsKey(event) && event.stopPropagation());
  const style = document.createElement('style');
  style.textContent = styles;
  const container = document.createElement('div');
  root.append(style, container);
  return { host, container };
}
