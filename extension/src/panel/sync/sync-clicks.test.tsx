// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { button, click, container, cover, mountPanel, of, openPreview, press, shows } from '#testing/mounted-panel.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => ({ send: vi.fn(), SendError: class extends Error {} }));
mountPanel();

test('a script of the page cannot sync, and a covered click is not taken, which is said', async () => {
  await openPreview();
  await until(() => expect(button('Sync now')).toBeDefined());
  expect(button('Sync now')?.getAttribute('aria-disabled')).toBe('true');
  click('Sync now', true);
  await until(() => expect(button('Sync now')?.getAttribute('aria-disabled')).toBeNull());
  click('Sync now', false);
  cover(true);
  click('Sync now', true);
  await shows('Something lay over this button');
  expect(of('sync.apply')).toEqual([]);
  cover(false);
  await press('Sync now');
  expect(of('sync.apply')).toHaveLength(1);
});

test('the keyboard syncs at once, whatever covers the button', async () => {
  await openPreview();
  cover(true);
  await press('Sync now', container(), 0);
  expect(of('sync.apply')).toHaveLength(1);
});
