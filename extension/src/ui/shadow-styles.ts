/**
 * The panel's host element: reset, outside of the page's flow, above the helpdesk's own dialogs (their z-index ends near
 * 100), and not to be restyled by the page, whose important rules yield to those of a shadow root.
 */
const host = [
  'all:initial!important',
  'position:fixed!important',
  'inset:0 0 auto auto!important',
  'width:0!important',
  'height:0!important',
  'z-index:2147483000!important',
].join(';');

/**
 * Makes a Tailwind sheet work inside a shadow root. Browsers ignore `@property` there (tailwindcss #15005), and without
 * its initial values borders and shadows vanish. Instead of registering the properties in the helpdesk's own document,
 * their initial values are set on every element of the panel, in the lowest layer.
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
