import { expect, test, vi } from 'vitest';
import { tabShowsTicket } from '#background/tabs.ts';

const page = (ticket: string) => `https://help.example/helpdesk/tickets/${ticket}`;

test('the address that came with the message is enough', async () => {
  const readUrl = vi.fn();
  expect(await tabShowsTicket(1, page('2'), '2', readUrl)).toBe(true);
  expect(readUrl).not.toHaveBeenCalled();
});

test('a tab whose address changes just after the message is accepted', async () => {
  const readUrl = vi.fn().mockResolvedValueOnce(page('1')).mockResolvedValue(page('2'));
  expect(await tabShowsTicket(1, page('1'), '2', readUrl)).toBe(true);
});

test('a tab that stays on another ticket or is closed is refused', async () => {
  expect(await tabShowsTicket(1, page('1'), '2', async () => page('1'))).toBe(false);
  expect(await tabShowsTicket(1, undefined, '2', async () => undefined)).toBe(false);
});
