// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { watchVisible } from './watch-visible.ts';

afterEach(() => vi.unstubAllGlobals());

/** A browser with version 2, which tells what it sees when the test says so. */
function browserThatTells() {
  let tell: (isVisible: boolean) => void = () => {};
  const asked: unknown[] = [];
  const disconnect = vi.fn();
  vi.stubGlobal(
    'IntersectionObserverEntry',
    class {
      get isVisible() {
        return true;
      }
    },
  );
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      disconnect = disconnect;
      constructor(call: (entries: { isVisible: boolean }[]) => void, init: object) {
        asked.push(init);
        tell = (isVisible) => call([{ isVisible: !isVisible }, { isVisible }]);
      }
      observe() {}
    },
  );
  return { tell: (isVisible: boolean) => tell(isVisible), asked, disconnect };
}

test('the latest word of the browser counts, and before the first one nothing is in view', () => {
  const { tell, asked } = browserThatTells();
  const watch = watchVisible(document.body);
  expect(asked).toEqual([expect.objectContaining({ trackVisibility: true, delay: 100 })]);
  expect(watch.isVisible()).toBe(false);
  tell(true);
  expect(watch.isVisible()).toBe(true);
  tell(false);
  expect(watch.isVisible()).toBe(false);
});

test('the watching ends', () => {
  const { disconnect } = browserThatTells();
  watchVisible(document.body).stop();
  expect(disconnect).toHaveBeenCalled();
});

test('a browser that cannot tell says nothing', () => {
  vi.stubGlobal('IntersectionObserverEntry', class {});
  const watch = watchVisible(document.body);
  expect(watch.isVisible()).toBeNull();
  watch.stop();
});
