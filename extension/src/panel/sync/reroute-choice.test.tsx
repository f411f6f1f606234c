// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { answer, container, mountPanel, of, ok, openPreview, press, shows, text } from '#testing/mounted-panel.ts';
import { sampleApplied, sampleSync, sampleUndone } from '#testing/sample-sync.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => ({ send: vi.fn(), SendError: class extends Error {} }));
mountPanel();

const team = 'Medium - Scale';
const box = () => container().querySelector<HTMLInputElement>('input[type="checkbox"]');

async function tick() {
  await openPreview(ok(sampleSync({ team })));
  await shows('Also send it to Medium - Scale');
  await shows('Undo will not send it back.');
  expect(box()?.checked).toBe(false);
  box()?.click();
  await until(() => expect(box()?.checked).toBe(true));
  await press('Sync now');
  await until(() => expect(of('sync.apply')[0]?.input).toMatchObject({ reroute: true }));
}

test('a ticket is sent on where the agent ticks it; undone, the panel says that the team stays', async () => {
  await tick();
  await answer('sync.apply', 0, ok(sampleApplied({ team })));
  await shows('It is in Medium - Scale now.');
  expect(text()).toContain('The ticket stays with its team and agent.');
  await press('Undo');
  await answer('sync.undo', 0, ok(sampleUndone()));
  await shows('Sync undone');
  expect(text()).toContain('The ticket stays with its team and agent.');
});

test('where it could not be sent on, the panel says so', async () => {
  await tick();
  await answer('sync.apply', 0, ok(sampleApplied({ team: null })));
  await shows('Its team has not changed.');
});

test('unless it is ticked, the ticket stays', async () => {
  await openPreview(ok(sampleSync({ team })));
  await press('Sync now');
  await until(() => expect(of('sync.apply')[0]?.input).toMatchObject({ reroute: false }));
  await answer('sync.apply', 0, ok(sampleApplied()));
  await shows('Customer synced');
  expect(text()).not.toContain('team has not changed');
});

test.each([
  ['the rules choose no other team', { team: null }],
  ['the proxy is an older one', {}],
])('no choice where %s', async (_, more) => {
  await openPreview(ok(sampleSync(more)));
  await shows('This will change');
  expect(box()).toBeNull();
});
