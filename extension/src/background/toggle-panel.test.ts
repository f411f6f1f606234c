import { expect, test, vi } from 'vitest';
import { togglePanel } from '#background/tabs.ts';

const ticketTab = { id: 3, url: 'https://help.example/helpdesk/tickets/2' };

function setUp(listening: boolean[]) {
  const toggle = vi.fn(async () => listening.shift() ?? false);
  const inject = vi.fn(async () => true);
  return { toggle, inject, helpdesk: async (): Promise<string | null> => 'https://help.example' };
}

test('a ticket tab is toggled', async () => {
  const options = setUp([true]);
  expect(await togglePanel(ticketTab, options)).toBe(true);
  expect(options.inject).not.toHaveBeenCalled();
});

test('a tab older than the extension gets the launcher first', async () => {
  const options = setUp([false, true]);
  expect(await togglePanel(ticketTab, options)).toBe(true);
  expect(options.inject).toHaveBeenCalledWith(3, '/launcher.js');
  expect(options.toggle).toHaveBeenCalledTimes(2);
});

test.each([
  [undefined],
  [{ url: ticketTab.url }],
  [{ id: 3 }],
  [{ id: 3, url: 'https://help.example/helpdesk/tickets' }],
  [{ id: 3, url: 'https://help.example/helpdesk/my-tickets/2' }],
  [{ id: 3, url: 'https://evil.example/helpdesk/tickets/2' }],
  [{ id: 3, url: 'https://help.example:8443/helpdesk/tickets/2' }],
])('%j is left alone', async (tab) => {
  const options = setUp([]);
  expect(await togglePanel(tab, options)).toBe(false);
  expect(options.toggle).not.toHaveBeenCalled();
  expect(options.inject).not.toHaveBeenCalled();
});

test('without permission nothing is toggled', async () => {
  const options = { ...setUp([]), helpdesk: async () => null };
  expect(await togglePanel(ticketTab, options)).toBe(false);
});
