import type { Page } from 'playwright';

/**
 * Keeps the helpdesk's own script away from the page's next loads: the real one takes hundreds of milliseconds.
 * @returns lets the page have it
 */
export async function holdScript(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/assets\/helpdesk\/desk\/assets\/index-\w+\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}
