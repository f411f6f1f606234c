// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { watchRoute } from './watch-route.ts';

const path = (tail: string) => `https://help.example/helpdesk/${tail}`;

function watched(start: string, navigation: EventTarget | undefined = new EventTarget()) {
  const location = { href: path(start) };
  const seen: [string | null, AbortSignal][] = [];
  watchRoute((ticket, visit) => seen.push([ticket, visit]), { location, navigation });
  const go = (tail: string) => {
    location.href = path(tail);
    navigation?.dispatchEvent(new Event('currententrychange'));
  };
  return { seen, go, tickets: () => seen.map(([ticket]) => ticket) };
}

test('the ticket is reported immediately and after each change, including that there is none', () => {
  const { go, tickets } = watched('tickets/1');
  go('tickets/2');
  go('tickets');
  go('tickets/new');
  go('tickets/1');
  expect(tickets()).toEqual(['1', '2', null, '1']);
});

test('a change of the address that keeps the ticket is not reported', () => {
  const { go, tickets } = watched('tickets/1');
  go('tickets/1?view=x');
  go('tickets/1#comment');
  expect(tickets()).toEqual(['1']);
});

test('the signal of a ticket aborts before the next one is reported', () => {
  const { seen, go } = watched('tickets/1');
  const first = seen[0]?.[1];
  expect(first?.aborted).toBe(false);
  go('tickets/2');
  expect(first?.aborted).toBe(true);
  expect(seen[1]?.[1].aborted).toBe(false);
});

test.each([
  ['somebody else signs in to the helpdesk', 'user_id=binh'],
  ['the person signs out of it', 'user_id=Guest'],
])('when %s, also in another tab, the ticket is reported again as a new visit', (_, cookie) => {
  const cookies = vi.spyOn(document, 'cookie', 'get').mockReturnValue('user_id=an');
  const cookieStore = new EventTarget();
  const seen: [string | null, AbortSignal][] = [];
  const location = { href: path('tickets/1') };
  watchRoute((ticket, visit) => seen.push([ticket, visit]), { location, navigation: new EventTarget(), cookieStore });
  cookieStore.dispatchEvent(new Event('change'));
  expect(seen).toHaveLength(1);
  cookies.mockReturnValue(cookie);
  cookieStore.dispatchEvent(new Event('change'));
  expect(seen.map(([ticket, { aborted }]) => [ticket, aborted])).toEqual([
    ['1', true],
    ['1', false],
  ]);
  cookies.mockRestore();
});

test('without the Navigation API a change is noticed within half a second', () => {
  vi.useFakeTimers();
  const location = { href: path('tickets/1') };
  const tickets: (string | null)[] = [];
  watchRoute((ticket) => tickets.push(ticket), { location });
  location.href = path('tickets/2');
  vi.advanceTimersByTime(500);
  expect(tickets).toEqual(['1', '2']);
  vi.useRealTimers();
});
