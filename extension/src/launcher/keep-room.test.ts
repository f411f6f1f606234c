// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { keepRoom } from '#launcher/launcher-view.ts';

/** How wide the launcher is in each of its sizes. */
const launcher = { full: 260, status: 140, icon: 60 };
const ownButtons = 80;
let look = () => {};

/** A header in which the subject gets what the rest leaves, as in the helpdesk's; happy-dom has no layout of its own. */
function header(width: number, subjectWidth: number) {
  document.body.innerHTML = '<header><div><p>subject</p></div><div>actions</div></header>';
  const [half, place] = document.querySelectorAll('header > div');
  const state = { width, subjectWidth, launcher: { ...launcher }, size: 'icon' as keyof typeof launcher };
  const observed: Element[] = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        look = callback;
      }
      observe(element: Element) {
        observed.push(element);
      }
      disconnect() {
        observed.length = 0;
      }
    },
  );
  const room = () => state.width - ownButtons - state.launcher[state.size];
  vi.spyOn(half?.firstElementChild as Element, 'getBoundingClientRect').mockImplementation(
    () => new DOMRect(0, 0, Math.max(0, Math.min(state.subjectWidth, room())), 20),
  );
  const update = keepRoom((size) => {
    state.size = size;
  });
  update(place);
  look();
  return { state, update, observed, half };
}

test.each([
  [1000, 300, 'full'],
  [500, 300, 'icon'],
  [540, 300, 'status'],
  [640, 300, 'full'],
  [300, 300, 'icon'],
  [100, 300, 'icon'],
] as const)('a header of %i px with a subject of %i px shows the launcher as %s', (width, subject, size) => {
  expect(header(width, subject).state.size).toBe(size);
});

test('it follows the window, the subject and its own words', () => {
  const { state, update, observed, half } = header(1000, 300);
  expect(observed).toEqual([half, half?.firstElementChild]);
  state.width = 540;
  look();
  expect(state.size).toBe('status');
  state.subjectWidth = 100;
  look();
  expect(state.size).toBe('full');
  state.launcher.full = 500;
  update();
  expect(state.size).toBe('status');
});

test('floating it says its status, and in a header of another structure it is small', () => {
  const { state, update, observed } = header(1000, 300);
  update(null);
  expect(state.size).toBe('status');
  expect(observed).toEqual([]);
  update();
  expect(state.size).toBe('status');
  update(document.createElement('div'));
  expect(state.size).toBe('icon');
});
