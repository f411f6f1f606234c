import { expect, test } from 'vitest';
import { facesRule } from '#background/tabs.ts';

test('the column has two faces only while the panel says so on its own element, on a page that still has its extension', () => {
  const of = (face: string) =>
    `:root:not([deskside-gone]) > body:has(> deskside-panel[face=${face}]) [deskside-column]`;
  expect(facesRule).toContain(of('ticket'));
  expect(facesRule).toContain(of('customer'));
  expect(facesRule.match(/visibility: hidden/g)).toHaveLength(1);
});
