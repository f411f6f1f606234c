import { expect, test } from 'vitest';
import { browserKind } from './browser.ts';

test.each([
  [true, 'Mozilla/5.0 Gecko/20100101 Firefox/153.0', 'firefox'],
  [false, 'Mozilla/5.0 Chrome/156.0.0.0 Safari/537.36', 'chrome'],
  [false, 'Mozilla/5.0 Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0', 'edge'],
])('firefox build %s in "%s" is %s', (firefox, userAgent, kind) => {
  expect(browserKind(firefox, userAgent)).toBe(kind);
});
