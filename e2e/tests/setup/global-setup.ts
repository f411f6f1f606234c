/** What Playwright runs before the workers start; it takes it from a default export. */
export { buildOnce as default } from './built-extension.ts';
