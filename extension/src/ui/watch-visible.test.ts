// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { watchPlace, watchVisible } from './watch-visible.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

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

test('an element is in its place from the start, and again as long as it has not moved', async () => {
  vi.useFakeTimers();
  let x = 10;
  const element = document.createElement('div');
  element.getBoundingClientRect = () => new DOMRect(x, 20, 5, 5);
  const watch = watchPlace(element);
  expect(watch.settledMs()).toBe(Number.POSITIVE_INFINITY);
  x = 300;
  expect(watch.settledMs()).toBe(0);
  await vi.advanceTimersByTimeAsync(350);
  expect(watch.settledMs()).toBe(350);
  // There and back between two clicks.
  x = 10;
  await vi.advanceTimersByTimeAsync(100);
  x = 300;
  await vi.advanceTimersByTimeAsync(100);
  expect(watch.settledMs()).toBeLessThanOrEqual(100);
  x = 310;
  watch.stop();
  await vi.advanceTimersByTimeAsync(500);
  expect(watch.settledMs()).toBe(0);
});
