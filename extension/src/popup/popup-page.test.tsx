// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { popupTexts } from '#i18n/pages/popup.ts';
import { failures } from '#i18n/panel/failures.ts';
import type { PopupState } from '#messaging/page-protocol.ts';
import { until } from '#testing/until.ts';

await vi.hoisted(async () => {
  const fake = await import('wxt/testing/fake-browser');
  Object.assign(globalThis, { browser: fake.fakeBrowser, IS_REACT_ACT_ENVIRONMENT: true });
});
const { PopupPage } = await import('./popup-page.tsx');

const state: PopupState = {
  language: 'en',
  helpdesk: 'https://help.example',
  shortcut: 'Alt+Shift+K',
  customers: [
    { name: 'Tiệm 77', orgId: '200000376001', ticket: '61307' },
    { name: 'Gốm Sứ', orgId: null, ticket: '00/35' },
  ],
};
let root: Root;
let sent: string[];

beforeEach(() => {
  fakeBrowser.reset();
  sent = [];
  vi.stubGlobal('close', vi.fn());
  document.body.innerHTML = '<div></div>';
  root = createRoot(document.querySelector('div') as Element);
});
afterEach(() => act(() => root.unmount()));

/** Opens the popup over a background that answers like this; `problems` one after the other. */
async function open(shown: PopupState, ...problems: (string | null)[]) {
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation((async (message: { deskside: string }) => {
    sent.push(message.deskside);
    if (message.deskside === 'popup.state') return { output: shown };
    if (message.deskside === 'popup.check') return { output: { problem: problems.shift() ?? null } };
    return { output: { problem: null } };
  }) as never);
  await act(async () => root.render(<PopupPage />));
  await until(() => expect(sent.filter((verb) => verb === 'popup.state')).toHaveLength(2));
  await act(async () => {});
}
const text = () => document.body.textContent;
const button = (name: string) => [...document.querySelectorAll('button')].find((one) => one.textContent === name);

test('the recent customers, each with a link to the ticket', async () => {
  await open(state);
  const links = [...document.querySelectorAll('li a')];
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    'https://help.example/helpdesk/tickets/61307',
    'https://help.example/helpdesk/tickets/00%2F35',
  ]);
  expect(links[0]?.textContent).toContain('Org ID 200000376001 · Ticket #61307');
  expect(links[1]?.textContent).not.toContain('Org ID');
  const create = vi.spyOn(fakeBrowser.tabs, 'create');
  await act(async () => (links[0] as HTMLElement).click());
  expect(create).toHaveBeenCalledWith({ url: 'https://help.example/helpdesk/tickets/61307' });
  expect(close).toHaveBeenCalled();
});

test('nobody yet: it says what will be there', async () => {
  await open({ ...state, customers: [] });
  expect(text()).toContain(popupTexts.en.empty);
});

test('signed out: one button signs in, and looks again', async () => {
  await open(state, 'signed_out', null);
  expect(text()).toContain(popupTexts.en.problems.signed_out.title);
  await act(async () => button('Sign in')?.click());
  await until(() => expect(text()).not.toContain(popupTexts.en.problems.signed_out.title));
  expect(sent).toContain('options.signIn');
});

test('without permission the settings help, and there is no address to link to', async () => {
  const openOptions = vi.fn(async () => {});
  Object.assign(fakeBrowser.runtime, { openOptionsPage: openOptions });
  await open({ ...state, language: 'vi', helpdesk: null }, 'no_access');
  expect(text()).toContain(popupTexts.vi.problems.no_access.title);
  expect(document.querySelector('a')).toBeNull();
  await act(async () => button(popupTexts.vi.actions.settings)?.click());
  expect(openOptions).toHaveBeenCalled();
});

test('not set up: the welcome page is one click away', async () => {
  const create = vi.spyOn(fakeBrowser.tabs, 'create');
  await open({ ...state, helpdesk: null, customers: [] }, 'not_configured');
  expect(text()).toContain(popupTexts.en.problems.not_configured.title);
  await act(async () => button(popupTexts.en.actions.set_up)?.click());
  expect(create).toHaveBeenCalledWith({ url: '/welcome.html' });
});

test.each([
  ['unreachable', 'Try again'],
  ['not_an_agent', undefined],
] as const)("%s: the panel's words, and what helps", async (problem, action) => {
  await open(state, problem);
  expect(text()).toContain(failures.en.code[problem].title);
  expect(button('Try again')?.textContent).toBe(action);
});
