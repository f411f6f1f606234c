import { beforeEach, vi } from 'vitest';

// A worker goes on from one file of tests to the next, which costs far less than a process for each. What a file leaves
// behind does not: modules with what they took from that file's mocks and browser, globals, clocks, the document.
vi.resetModules();
vi.useRealTimers();
vi.unstubAllGlobals();
if ('document' in globalThis) {
  document.body.replaceChildren();
  document.head.replaceChildren();
}

// Modules look for the browser when they are loaded.
const { fakeBrowser } = await import('wxt/testing/fake-browser');
Object.assign(globalThis, { browser: fakeBrowser });
beforeEach(() => fakeBrowser.reset());
