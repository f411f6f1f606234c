// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchColumn } from './watch-column.ts';

const field = (id: string) => `<div id="${id}" placeholder="Enter ${id}"><button>value</button></div>`;
const column = `<div class="column"><div>${['customer', 'agent_group', 'priority'].map(field).join('')}</div></div>`;
const box = { left: 928, top: 78, width: 352, height: 722 };
let end = () => {};
let told: unknown[][];
let missing: string[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('innerWidth', 1280);
  vi.stubGlobal('innerHeight', 800);
  history.replaceState(null, '', '/helpdesk/tickets/7');
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    if (this.matches('.column')) return new DOMRect(box.left, box.top, box.width, box.height);
    return this.matches('[role=tablist]') ? new DOMRect(240, 78, 688, 40) : new DOMRect(940, 100, 320, 40);
  });
  told = [];
  missing = [];
});
afterEach(() => {
  end();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  document.body.innerHTML = '';
});

function watch(html: string): void {
  document.body.innerHTML = `<div id="app"><div role="tablist"></div>${html}</div>`;
  end = watchColumn({
    onBox: (...seen) => told.push(seen),
    onNeeded: () => {},
    onMissing: (anchor) => missing.push(anchor),
  });
}

test('a window of another size ends the place of a column that is gone; until then it may be back for the next ticket', () => {
  watch(column);
  document.querySelector('.column')?.remove();
  expect(told).toEqual([[box, true]]);
  dispatchEvent(new Event('resize'));
  expect(told.at(-1)).toEqual([null, true]);
});

test('below 1,024 px the column is there, without room for staying open; on the list there is none', () => {
  vi.stubGlobal('innerWidth', 1023);
  vi.mocked(Element.prototype.getBoundingClientRect).mockImplementation(function (this: Element) {
    return this.matches('.column') ? new DOMRect(671, 78, 352, 722) : new DOMRect(240, 78, 431, 40);
  });
  watch(column);
  expect(told).toEqual([[{ ...box, left: 671 }, false]]);
  end();
  history.replaceState(null, '', '/helpdesk/tickets');
  watch(column);
  expect(told).toHaveLength(1);
});

test('a page without the app itself is told of as that', async () => {
  watch('');
  document.querySelector('#app')?.remove();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(missing).toEqual(['app_frame']);
});

test.each([
  ['a page without a column', '', ['ticket_column']],
  ['a column whose customer cannot be read', column.replace('<button>value</button>', ''), ['ticket_fields']],
  ['a page that has both', column, []],
])('%s is told of after twenty seconds, and once', async (_, html, anchors) => {
  watch(html);
  await vi.advanceTimersByTimeAsync(19_900);
  expect(missing).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(missing).toEqual(anchors);
});
