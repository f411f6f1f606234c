// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepInPlace } from '#launcher/launcher.ts';

const header =
  '<div id="app-header"><header><div><a href="/helpdesk/tickets">left</a></div><div><p><button aria-haspopup="menu" aria-label="Open">actions</button></p></div></header></div>';
let button: HTMLElement;
let page: { needed: boolean };
let look: () => void;
let placed: (Element | null)[];
let missing: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = '<div id="app"></div>';
  button = document.createElement('deskside-launcher');
  const shown = { needed: true };
  page = shown;
  placed = [];
  missing = vi.fn();
  look = keepInPlace(
    button,
    () => shown.needed,
    (place) => placed.push(place),
    () => missing(),
  );
});
afterEach(() => {
  page.needed = false;
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function show(html: string): Promise<void> {
  (document.querySelector('#app') as Element).innerHTML = html;
  await vi.advanceTimersByTimeAsync(50);
}
const inHeader = () => button.parentElement?.textContent === 'actions';

test('a replaced header gets the same button again', async () => {
  look();
  await show(header);
  await show('');
  expect(button.isConnected).toBe(false);
  await show(header);
  expect(inHeader()).toBe(true);
  expect(document.querySelectorAll('deskside-launcher')).toHaveLength(1);
  expect(placed.map((place) => place?.textContent)).toEqual(['actions', 'actions']);
});

test('a page that has had no header for twenty seconds counts as another one, and is told of once', async () => {
  look();
  await vi.advanceTimersByTimeAsync(19_900);
  expect(missing).not.toHaveBeenCalled();
  await show('<p>another page</p>');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(missing).toHaveBeenCalledTimes(1);
});

test.each([
  ['a header that comes late', () => show(header)],
  [
    'a narrow page, where the button floats by intent',
    () => {
      vi.stubGlobal('innerWidth', 420);
      return show(header);
    },
  ],
  [
    'a page that was left',
    async () => {
      page.needed = false;
      look();
    },
  ],
])('%s is no other page', async (_, happen) => {
  look();
  await vi.advanceTimersByTimeAsync(15_000);
  await happen();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(missing).not.toHaveBeenCalled();
});
