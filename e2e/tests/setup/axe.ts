import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type WithAxe = { axe?: typeof axe };

/**
 * What axe finds wrong with elements of a page, or with all of it: the rule, and the elements. It runs in the page itself;
 * axe's own integration opens a second one for each run, which takes several times as long.
 */
export async function axeViolations(page: Page, selectors?: string[]): Promise<[rule: string, elements: string[]][]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const { violations } = await page.evaluate(async (include) => {
    const { axe } = globalThis as WithAxe;
    if (!axe) throw new Error('axe was not loaded.');
    const context = include ? { include: include.map((selector) => [selector]) } : document;
    return axe.run(context, { resultTypes: ['violations'] });
  }, selectors);
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
