// @vitest-environment happy-dom
import { TicketName } from '@deskside/shared/input';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ticketOf, watchRoute } from './watch-route.ts';

const site = 'https://help.example';
const cookies = (text: string) => vi.spyOn(document, 'cookie', 'get').mockReturnValue(text);

test.each([
  ['/helpdesk/tickets/2', '2'],
  ['/helpdesk/tickets/0035/', '0035'],
  ['/helpdesk/tickets/61307?view=VIEW-HD-1#comment-3', '61307'],
  ['/helpdesk/tickets/newsletter', 'newsletter'],
  ['/helpdesk/tickets/%C4%90%C6%A0N-01', 'ĐƠN-01'],
  ['/helpdesk/tickets/A%2FB', 'A/B'],
  ['/helpdesk/tickets', null],
  ['/helpdesk/tickets/new/', null],
  ['/helpdesk/tickets/new/Default', null],
  ['/helpdesk/tickets/%6Eew', null],
  ['/helpdesk/tickets/2/edit', null],
  ['/helpdesk/my-tickets/2', null],
  ['/helpdesk/tickets/%E0%A4', null],
  ['/helpdesk/tickets/a%00b', null],
  ['/app/hd-ticket/2', null],
  ['/evil/helpdesk/tickets/2', null],
  ['/', null],
])('%s shows ticket %s', (path, ticket) => expect(ticketOf(site + path)).toBe(ticket));

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

function watched(navigation: EventTarget | undefined = new EventTarget()) {
  const location = { href: `${site}/helpdesk/tickets/1` };
  const cookieStore = new EventTarget();
  const seen: [string | null, AbortSignal][] = [];
  watchRoute((ticket, visit) => seen.push([ticket, visit]), { location, navigation, cookieStore });
  const go = (tail: string) => {
    location.href = `${site}/helpdesk/${tail}`;
    navigation?.dispatchEvent(new Event('currententrychange'));
  };
  const signIn = () => cookieStore.dispatchEvent(new Event('change'));
  return { go, signIn, seen: () => seen.map(([ticket, { aborted }]) => [ticket, aborted]) };
}

test('the ticket is reported immediately and after each change, and its visit ends with the next; a change that keeps it is none', () => {
  const { go, seen } = watched();
  for (const tail of ['tickets/1?view=x', 'tickets/1#comment', 'tickets/2', 'tickets', 'tickets/new', 'tickets/1'])
    go(tail);
  expect(seen()).toEqual([
    ['1', true],
    ['2', true],
    [null, true],
    ['1', false],
  ]);
});

test.each([
  ['somebody else signs in to the helpdesk', 'user_id=binh'],
  ['the person signs out of it', 'user_id=Guest'],
])('when %s, also in another tab, the ticket is reported again as a new visit', (_, cookie) => {
  cookies('user_id=an');
  const { signIn, seen } = watched();
  signIn();
  expect(seen()).toHaveLength(1);
  cookies(cookie);
  signIn();
  expect(seen()).toEqual([
    ['1', true],
    ['1', false],
  ]);
  vi.restoreAllMocks();
});

test('without the Navigation API a change is noticed within half a second', () => {
  vi.useFakeTimers();
  const location = { href: `${site}/helpdesk/tickets/1` };
  const tickets: (string | null)[] = [];
  watchRoute((ticket) => tickets.push(ticket), { location });
  location.href = `${site}/helpdesk/tickets/2`;
  vi.advanceTimersByTime(500);
  expect(tickets).toEqual(['1', '2']);
  vi.useRealTimers();
});
