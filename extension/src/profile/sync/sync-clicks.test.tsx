// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { button, click, container, cover, of, openPreview, press, setUpSyncPanel, shows } from '#testing/sync-panel.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => ({ send: vi.fn(), SendError: class extends Error {} }));
setUpSyncPanel();

/** What is asked after a click on a covered button. */
const question = () => container().querySelector('[role="alertdialog"]');

test('a script of the page cannot sync, and a click on a covered button asks first', async () => {
  await openPreview();
  await shows('This will change');
  expect(button('Sync now')?.getAttribute('aria-disabled')).toBe('true');
  click('Sync now', true);
  await until(() => expect(button('Sync now')?.getAttribute('aria-disabled')).toBeNull());
  click('Sync now', false);
  expect(question()).toBeNull();
  cover(true);
  click('Sync now', true);
  await until(() => expect(question()?.textContent).toContain('Something covers “Sync now”'));
  click('Cancel', true, question());
  await until(() => expect(question()).toBeNull());
  expect(of('sync.apply')).toEqual([]);
  cover(false);
  await press('Sync now');
  expect(of('sync.apply')).toHaveLength(1);
});

test('the question takes no covered click either and says so; uncovered it does', async () => {
  await openPreview();
  cover(true);
  await press('Sync now');
  await until(() => expect(question()).not.toBeNull());
  await press('Sync now', question());
  await until(() => expect(question()?.textContent).toContain('Press Enter to go on.'));
  expect(document.activeElement).toBe(button('Sync now', question()));
  expect(of('sync.apply')).toEqual([]);
  cover(false);
  await press('Sync now', question());
  await until(() => expect(question()).toBeNull());
  expect(of('sync.apply')).toHaveLength(1);
});

test('the keyboard syncs at once, whatever covers the button', async () => {
  await openPreview();
  cover(true);
  await press('Sync now', container(), 0);
  expect([question(), of('sync.apply').length]).toEqual([null, 1]);
});
