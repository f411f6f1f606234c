// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { textsFor } from '#panel/texts/texts.ts';
import { DeliberateButton } from './deliberate-button.tsx';

const { covered, hidden } = textsFor('en').shell;

let host: HTMLElement;
let button: HTMLButtonElement;
let shadow: ShadowRoot;
let root: ReturnType<typeof createRoot>;
let hit: Element | null;
let x = 10;
const pressed = vi.fn();
const said = () => shadow.querySelector('[role=alert]')?.textContent;

async function click({ isTrusted = true, detail = 1 } = {}) {
  const event = new MouseEvent('click', { bubbles: true, detail, clientX: 12, clientY: 22 });
  Object.defineProperty(event, 'isTrusted', { value: isTrusted });
  await act(async () => button.dispatchEvent(event));
}

beforeEach(async () => {
  vi.useFakeTimers();
  pressed.mockClear();
  x = 10;
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  host = document.createElement('div');
  shadow = host.attachShadow({ mode: 'closed' });
  document.body.append(host);
  hit = host;
  document.elementFromPoint = () => hit;
  root = createRoot(shadow);
  await act(async () => root.render(<DeliberateButton label="Sync now" onPress={pressed} />));
  button = shadow.querySelector('button') as HTMLButtonElement;
  button.getBoundingClientRect = () => new DOMRect(x, 20, 5, 5);
  // It is where it is from now on.
  await act(() => vi.advanceTimersByTimeAsync(1_000));
});
afterEach(async () => {
  await act(async () => root.unmount());
  host.remove();
  vi.useRealTimers();
});

test('a person’s click that meets the button is taken; a script’s is not, without a word', async () => {
  await click({ isTrusted: false });
  expect([pressed.mock.calls.length, said()]).toEqual([0, '']);
  await click();
  expect([pressed.mock.calls.length, said()]).toEqual([1, '']);
});

test('a covered click is not taken and says so, until one is taken; the keyboard needs no view', async () => {
  for (const over of [document.body, null]) {
    hit = over;
    await click();
    expect([pressed.mock.calls.length, said()]).toEqual([0, covered]);
  }
  await click({ detail: 0 });
  expect([pressed.mock.calls.length, said()]).toEqual([1, '']);
});

test('a click on a button that has just been moved under the pointer is not taken', async () => {
  x = 300;
  await click();
  expect([pressed.mock.calls.length, said()]).toEqual([0, covered]);
  await act(() => vi.advanceTimersByTimeAsync(400));
  await click();
  expect(pressed).toHaveBeenCalledTimes(1);
});

test('where the browser tells of it, a click counts once the button has been in full view for a moment, Enter at once', async () => {
  await act(async () => root.unmount());
  let tell = (_isVisible: boolean, _ratio?: number) => {};
  const untold: object[] = [];
  class Observer {
    constructor(told: (entries: object[]) => void) {
      tell = (isVisible, intersectionRatio = 1) => told([{ isVisible, intersectionRatio }]);
    }
    observe() {}
    unobserve() {}
    disconnect() {}
    takeRecords() {
      return untold.splice(0);
    }
  }
  vi.stubGlobal('IntersectionObserver', Observer);
  vi.stubGlobal('IntersectionObserverEntry', { prototype: { isVisible: false } });
  root = createRoot(shadow);
  await act(async () => root.render(<DeliberateButton label="Sync now" onPress={pressed} />));
  button = shadow.querySelector('button') as HTMLButtonElement;
  button.getBoundingClientRect = () => new DOMRect(x, 20, 5, 5);
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  await act(async () => tell(false));
  await wait(900);
  await click();
  expect([pressed.mock.calls.length, said(), button.getAttribute('aria-disabled')]).toEqual([0, '', 'true']);
  await wait(200);
  expect([said(), button.getAttribute('aria-disabled')]).toEqual([hidden, null]);
  await click();
  expect(pressed).not.toHaveBeenCalled();
  await click({ detail: 0 });
  expect(pressed).toHaveBeenCalledTimes(1);

  await act(async () => tell(true));
  await wait(200);
  await click();
  expect(pressed).toHaveBeenCalledTimes(1);
  await wait(200);
  await click();
  expect([pressed.mock.calls.length, said()]).toEqual([2, '']);

  // A cover that the browser knows of and has not told yet, gone again at the press.
  untold.push({ isVisible: false, intersectionRatio: 1 }, { isVisible: true, intersectionRatio: 1 });
  await click();
  expect([pressed.mock.calls.length, said()]).toEqual([2, covered]);
  await wait(400);
  await click();
  expect([pressed.mock.calls.length, said()]).toEqual([3, '']);

  // Scrolled out in part: no word of the page, but no click either.
  await act(async () => tell(true, 0.4));
  await wait(2_000);
  expect(said()).toBe('');
  await click();
  expect([pressed.mock.calls.length, said()]).toEqual([3, covered]);
  vi.unstubAllGlobals();
});
