import { TicketName } from '@deskside/shared/contract';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ticketOf } from './watch-route.ts';

const site = 'https://help.example';

test.each([
  ['/helpdesk/tickets/2', '2'],
  ['/helpdesk/tickets/0035', '0035'],
  ['/helpdesk/tickets/0035/', '0035'],
  ['/helpdesk/tickets/61307?view=VIEW-HD-1#comment-3', '61307'],
  ['/helpdesk/tickets/newsletter', 'newsletter'],
  ['/helpdesk/tickets/%C4%90%C6%A0N-01', 'ĐƠN-01'],
  ['/helpdesk/tickets/A%2FB', 'A/B'],
  ["/helpdesk/tickets/1'%20or%20'1'='1", "1' or '1'='1"],
])('%s shows ticket %s', (path, ticket) => expect(ticketOf(site + path)).toBe(ticket));

test.each([
  '/helpdesk/tickets',
  '/helpdesk/tickets/',
  '/helpdesk/tickets/new',
  '/helpdesk/tickets/new/',
  '/helpdesk/tickets/new/Default',
  '/helpdesk/tickets/%6Eew',
  '/helpdesk/tickets/2/edit',
  '/helpdesk/my-tickets/2',
  '/helpdesk/my-tickets/new',
  '/helpdesk/tickets/%E0%A4',
  '/helpdesk/tickets/a%00b',
  `/helpdesk/tickets/${'x'.repeat(141)}`,
  '/app/hd-ticket/2',
  '/tickets/2',
  '/evil/helpdesk/tickets/2',
  '/',
])('%s shows none', (path) => expect(ticketOf(site + path)).toBeNull());

test.each([undefined, '', 'helpdesk/tickets/2', 'about:blank'])('%s is no page', (url) =>
  expect(ticketOf(url)).toBeNull(),
);

test('every ticket name survives encoding in an address, and the proxy accepts the result', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 140, unit: 'grapheme' }), (name) => {
      fc.pre(TicketName.safeParse(name).success && !['new', '.', '..'].includes(name));
      expect(ticketOf(`${site}/helpdesk/tickets/${encodeURIComponent(name)}`)).toBe(name);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (tail) => {
      const ticket = ticketOf(`${site}/helpdesk/tickets/${tail}`);
      expect(ticket === null || TicketName.safeParse(ticket).success).toBe(true);
    }),
  );
});
