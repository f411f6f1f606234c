import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type WithAxe = { axe?: typeof axe };

/**
 * What axe finds wrong with elements of a page, or with all of it: the rule, and the elements. It looks once everything has
 * faded in: on its way it is paler than it is meant to be. It runs in the page itself; axe's own integration opens a
 * second one for each run, which takes several times as long.
 * @param selectors the elements; the whole page without
 * @param only the rules; all without
 */
export async function axeViolations(
  page: Page,
  selectors?: string[],
  only?: string[],
): Promise<[rule: string, elements: string[]][]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  await appeared(page);
  return page.evaluate(
    async ([include, runOnly]) => {
      const { axe } = globalThis as WithAxe;
      if (!axe) throw new Error('axe was not loaded.');
      const context = include ? { include: include.map((selector) => [selector]) } : document;
      const rules = runOnly ? { runOnly } : { rules: { 'target-size': { enabled: true } } };
      // Each element is told of by its markup: no selectors are made for them.
      const told = { resultTypes: ['violations' as const], selectors: false };
      const { violations } = await axe.run(context, { ...told, ...rules });
      return violations.map(({ id, nodes }): [string, string[]] => [id, nodes.map(({ html }) => html)]);
    },
    [selectors, only] as const,
  );
}

/** Animations of the page and of what is in its shadow roots have ended, but for those that never end. */
async function appeared(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const roots = [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
    const running = [document, ...roots].flatMap((root) => root.getAnimations());
    const ending = running.filter(
      (animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
    );
    // One that is cancelled, as by what it belongs to being closed, has ended too.
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
}
