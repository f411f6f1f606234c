import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './steps.ts';

/**
 * What came after Chrome 123, for which the extension is built (extension/wxt.config.ts): URL.parse with 126, Promise.try with
 * 128, Intl.DurationFormat with 129, Error.isError with 134, RegExp.escape with 136. Libraries look first whether it is there.
 */
const newer = /\b(?:URL\.parse|Promise\.try|Intl\.DurationFormat|Error\.isError|RegExp\.escape)\b/;

test('the extension calls nothing that its oldest browser does not have', () => {
  const files = globSync('{extension,shared}/src/**/*.{ts,tsx}', { cwd: root });
  const texts = files
    .filter((file) => !file.includes('.test.'))
    .map((file) => [file, readFileSync(path.join(root, file), 'utf8')]);
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.filter(([, text = '']) => newer.test(text)).map(([file]) => file)).toEqual([]);
});
