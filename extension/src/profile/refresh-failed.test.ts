// @vitest-environment happy-dom
import type { ProfileData } from '@deskside/shared/profile';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { textsFor } from '#i18n/panel/texts.ts';
import type { Result } from '#messaging/protocol.ts';
import { send } from '#messaging/send.ts';
import { columnPage } from '#testing/column-page.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { until } from '#testing/until.ts';
import { createPanel, type PanelController } from './panel-controller.tsx';
import { createQueryClient } from './query/query-client.ts';

vi.mock('#messaging/send.ts', () => ({ send: vi.fn(), SendError: class extends Error {} }));

const t = textsFor('vi');
const ok = (change: Parameters<typeof sampleProfile>[0] = {}): Result<ProfileData> => ({
  ok: true,
  data: sampleProfile(change),
});
let next: Result<ProfileData> | Promise<Result<ProfileData>>;
let container: HTMLElement;
let panel: PanelController;

beforeEach(() => {
  next = ok();
  // Other parts of the panel go on waiting for theirs.
  vi.mocked(send).mockImplementation(((verb: string) =>
    verb === 'profile.get' ? Promise.resolve(next) : new Promise(() => {})) as never);
  document.body.innerHTML = '<div id="panel"></div>';
  container = document.querySelector('#panel') as HTMLElement;
  panel = createPanel(container, createQueryClient(), 'vi', undefined, columnPage);
});
afterEach(() => panel.destroy());

/** Shows a profile, then has the agent refresh it with this result. */
async function refresh(result: Result<ProfileData>) {
  panel.open({ ticket: '61307', refresh: false, returnFocusTo: () => null });
  const button = () =>
    [...container.querySelectorAll('button')].find((b) => b.getAttribute('aria-label') === t.shell.refresh);
  await until(() => expect(button()).toBeTruthy());
  const answer = Promise.withResolvers<Result<ProfileData>>();
  next = answer.promise;
  button()?.click();
  await until(() => expect(button()?.getAttribute('aria-busy')).toBe('true'));
  answer.resolve(result);
}
const says = (words: string) => until(() => expect(container.querySelector('output')?.textContent).toBe(words));

test('a refresh that the CRM did not answer says so, in words and to screen readers', async () => {
  const error = { code: 'bad_answer', request_id: 'r-7' } as const;
  await refresh(ok({ bitrix: { status: 'error', stale: true, cached: true, error } }));
  await says(t.shell.refreshFailed(t.crm.error.bad_answer.title));
  expect(container.textContent).toContain(t.shell.notRefreshed);
  expect(container.textContent).not.toContain(t.shell.changes(0));
  expect(container.textContent).toContain('r-7');
});

test('a refresh that did not reach the proxy says so as well, and the data stays', async () => {
  await refresh({ ok: false, error: { code: 'unreachable', requestId: null } });
  await says(t.shell.refreshFailed(t.failures.code.unreachable.title));
  expect(container.textContent).toContain(t.shell.notRefreshed);
  expect(container.textContent).toContain('Tiệm Hoa Mẫu');
});

test('a refresh that found nothing new says that', async () => {
  await refresh(ok());
  await says(t.shell.refreshed(0));
  expect(container.textContent).toContain(t.shell.changes(0));
});
