// @vitest-environment happy-dom
import type { SyncMove } from '@deskside/shared/enrichment';
import { expect, test, vi } from 'vitest';
import { answer, container, mountPanel, of, ok, openPreview, press, shows, text } from '#testing/mounted-panel.ts';
import { sampleApplied, sampleSync, sampleUndone } from '#testing/sample-sync.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => ({ send: vi.fn(), SendError: class extends Error {} }));
mountPanel();

const move: SyncMove = { team: 'Medium - Scale', from: 'CS 60p', agent: 'turn', done: false };
const box = () => container().querySelector<HTMLInputElement>('input[type="checkbox"]');

test('a sync that moves the ticket says so before, after, and when it is undone', async () => {
  await openPreview(ok(sampleSync({ move })));
  await shows('and moves it to Medium - Scale, to whose turn it is (now CS 60p)');
  expect(box()?.checked).toBe(true);
  await press('Sync now');
  await until(() => expect(of('sync.apply')[0]?.input).toMatchObject({ moveTo: 'Medium - Scale' }));
  await answer('sync.apply', 0, ok(sampleApplied({ move: { ...move, done: true } })));
  await shows('It was moved to Medium - Scale, to the next in turn.');
  expect(text()).toContain('It goes back to CS 60p and to the agent who had it.');
  await press('Undo');
  await answer('sync.undo', 0, ok(sampleUndone({ moved_back: 'CS 60p' })));
  await shows('It is back in CS 60p.');
});

test('an agent may leave the ticket where it is', async () => {
  await openPreview(ok(sampleSync({ move })));
  await shows('and moves it to');
  box()?.click();
  await until(() => expect(box()?.checked).toBe(false));
  await press('Sync now');
  await until(() => expect(of('sync.apply')[0]?.input).toMatchObject({ moveTo: null }));
});

test.each([
  ['nothing would move', { move: null }],
  ['the proxy is an older one', {}],
])('no choice where %s', async (_, more) => {
  await openPreview(ok(sampleSync(more)));
  await shows('This will change');
  expect(box()).toBeNull();
  await press('Sync now');
  await until(() => expect(of('sync.apply')[0]?.input).toMatchObject({ moveTo: null }));
});
