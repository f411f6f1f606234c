import { expect, test } from 'vitest';
import { dockRule, facesRule, setDock } from './dock.ts';

function page() {
  const rules: string[] = [];
  const log: number[] = [];
  const note = () => log.push(rules.length);
  return {
    rules,
    log,
    addCss: async (_: number, css: string) => {
      rules.push(css);
      note();
    },
    removeCss: async (_: number, css: string) => {
      const at = rules.indexOf(css);
      if (at >= 0) rules.splice(at, 1);
      note();
    },
  };
}

test('another width replaces the former one without a moment in between, and none leaves nothing behind', async () => {
  const scripting = page();
  await setDock(scripting, 7, { width: 380, was: null });
  await setDock(scripting, 7, { width: 500, was: 380 });
  expect(scripting.rules).toEqual([dockRule(500)]);
  expect(Math.min(...scripting.log)).toBe(1);
  await setDock(scripting, 7, { width: 500, was: 500 });
  await setDock(scripting, 7, { width: null, was: 500 });
  expect(scripting.rules).toEqual([]);
});

test('the rule holds on screens with room for both only', () => {
  expect(dockRule(380)).toBe(
    '@media screen and (width >= 1680px) { :root:not([deskside-gone]) > body > #app > div:first-child { width: max(1360px, 100vw - 380px) } }',
  );
});

test('the column has two faces only while the panel says so on its own element, on a page that still has its extension', () => {
  const of = (face: string) =>
    `:root:not([deskside-gone]) > body:has(> deskside-panel[face=${face}])  > #app > div:first-child`;
  expect(facesRule).toContain(of('ticket'));
  expect(facesRule).toContain(of('customer'));
  expect(facesRule.match(/visibility: hidden/g)).toHaveLength(1);
});
