// @vitest-environment happy-dom
import type { ProfileData } from '@deskside/shared/profile';
import { expect, test, vi } from 'vitest';
import { textsFor } from '#i18n/panel/texts.ts';
import type { Result } from '#messaging/protocol.ts';
import { answer, button, mountPanel, panel, says, text } from '#testing/mounted-panel.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => ({ send: vi.fn(), SendError: class extends Error {} }));
// Other parts of the panel go on waiting for theirs.
mountPanel(() => undefined);

const t = textsFor('vi');
const ok = (change: Parameters<typeof sampleProfile>[0] = {}): Result<ProfileData> => ({
  ok: true,
  data: sampleProfile(change),
});
/** Shows a profile, then has the agent refresh it with this result. */
async function refresh(result: Result<ProfileData>) {
  panel().setLanguage('vi');
  panel().open({ ticket: '61307', refresh: false, returnFocusTo: () => null });
  await answer('profile.get', 0, ok());
  await until(() => expect(button(t.shell.refresh)).toBeTruthy());
  button(t.shell.refresh)?.click();
  await until(() => expect(button(t.shell.refresh)?.getAttribute('aria-busy')).toBe('true'));
  await answer('profile.get', 1, result);
}

test('a refresh that the CRM did not answer says so, in words and to screen readers', async () => {
  const error = { code: 'bad_answer', request_id: 'r-7' } as const;
  await refresh(ok({ bitrix: { status: 'error', stale: true, cached: true, error } }));
  await says(t.shell.refreshFailed(t.crm.error.bad_answer.title));
  expect(text()).toContain(t.shell.notRefreshed);
  expect(text()).not.toContain(t.shell.changes(0));
});

test('a refresh that did not reach the proxy says so as well, and the data stays', async () => {
  await refresh({ ok: false, error: { code: 'unreachable' } });
  await says(t.shell.refreshFailed(t.failures.code.unreachable.title));
  expect(text()).toContain(t.shell.notRefreshed);
  expect(text()).toContain('Tiệm Hoa Mẫu');
});

test('a refresh that found nothing new says that', async () => {
  await refresh(ok());
  await says(t.shell.refreshed(0));
  expect(text()).toContain(t.shell.changes(0));
});
