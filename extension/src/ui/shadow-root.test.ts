// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { keepsKey, shadowStyles } from './shadow-root.ts';

const sheet =
  '.a{border-style:var(--tw-border-style)}@property --tw-border-style{syntax:"*";inherits:false;initial-value:solid}' +
  '@property --tw-leading{syntax:"*";inherits:false}@property --tw-shadow { syntax: "*"; initial-value: 0 0 #0000; inherits: false }';

test('no @property is left to register in the page: each has its initial value in the shadow root, below all other rules', () => {
  const css = shadowStyles(sheet);
  expect(css).not.toContain('@property');
  expect(css).toContain(
    '@layer properties{*,::before,::after,::backdrop{--tw-border-style:solid;--tw-leading:initial;--tw-shadow:0 0 #0000}}',
  );
  expect(css.indexOf('@layer properties')).toBeLessThan(css.indexOf('.a{'));
  expect(css).toContain('.a{border-style:var(--tw-border-style)}');
});

test('the page can neither restyle the host element nor be moved by it', () => {
  const host = /^:host\{([^}]*)\}/.exec(shadowStyles(''))?.[1]?.split(';') ?? [];
  expect(host).toContain('all:initial!important');
  expect(host).toContain('position:fixed!important');
  expect(host.every((declaration) => declaration.endsWith('!important'))).toBe(true);
});

test('keys are kept from the page where they go into a text or have been used, and nowhere else', () => {
  const kept = (html: string, defaultPrevented = false) => {
    const holder = document.createElement('div');
    holder.innerHTML = html;
    return keepsKey({ defaultPrevented, target: holder.firstElementChild });
  };
  for (const field of ['<input>', '<input type="text">', '<textarea></textarea>', '<select></select>'])
    expect(kept(field)).toBe(true);
  for (const other of ['<button></button>', '<a href="#"></a>', '<h2 tabindex="-1"></h2>', '<input type="radio">'])
    expect([kept(other), kept(other, true)]).toEqual([false, true]);
});
