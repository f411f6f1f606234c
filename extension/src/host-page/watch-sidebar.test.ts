// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { type Box, watchSidebar } from './watch-sidebar.ts';

afterEach(() => {
  vi.restoreAllMocks();
  document.body.innerHTML = '';
});

test('a window of another size ends the place of a sidebar that is gone; until then it may be back for the next ticket', () => {
  document.body.innerHTML = '<div id="app"><div><div class="relative flex flex-col border-l h-full"></div></div></div>';
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(928, 78, 352, 722));
  const told: (Box | null)[] = [];
  const end = watchSidebar(
    (box) => told.push(box),
    () => {},
  );
  document.querySelector('.border-l')?.remove();
  expect(told).toEqual([{ left: 928, top: 78, width: 352, height: 722 }]);
  dispatchEvent(new Event('resize'));
  expect(told.at(-1)).toBeNull();
  end();
});
