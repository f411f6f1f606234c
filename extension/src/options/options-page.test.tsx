// @vitest-environment happy-dom
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { optionsTexts } from '#i18n/pages/options.ts';
import { ask, type OptionsState } from '#messaging/page-protocol.ts';
import { until } from '#testing/until.ts';
import { OptionsPage } from './options-page.tsx';

vi.mock('#messaging/page-protocol.ts', () => ({ ask: vi.fn() }));
vi.mock('#settings/policy.ts', () => ({ onPolicyLearnt: () => () => {} }));
vi.mock('wxt/browser', () => {
  const event = { addListener: () => {}, removeListener: () => {} };
  return { browser: { i18n: { getUILanguage: () => 'en' }, permissions: { onAdded: event, onRemoved: event } } };
});

const texts = optionsTexts.en;

async function show(value: string | null): Promise<HTMLElement> {
  const address = { value, lock: null, granted: true };
  const state: Partial<OptionsState> = { helpdesk: address, proxy: address, language: 'auto', session: 'none' };
  vi.mocked(ask).mockResolvedValue(state as never);
  document.body.innerHTML = '<div id="root"></div>';
  const element = document.querySelector('#root') as HTMLElement;
  const root = createRoot(element);
  onTestFinished(() => root.unmount());
  root.render(<OptionsPage />);
  await until(() => expect(element.textContent).toContain(texts.addresses.heading));
  return element;
}

test('nothing asks for a sign-in before there are addresses; the way to the welcome page is shown', async () => {
  const page = await show(null);
  expect(page.querySelector('a[href="/welcome.html"]')?.textContent).toBe(texts.setUp);
  expect(page.textContent).not.toContain(texts.session.signIn);
});

test('once there are, it does', async () => {
  const page = await show('https://help.example');
  expect(page.querySelector('a[href="/welcome.html"]')).toBeNull();
  expect(page.textContent).toContain(texts.session.signIn);
});
