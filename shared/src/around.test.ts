import { expect, test } from 'vitest';
import { AroundTicket } from './around.ts';

const around = {
  ticket: '2',
  customer: null,
  contact: { name: 'Vy', path: '/helpdesk/contacts/Vy' },
  open: [],
  more_open: false,
  closed: [],
  last_contact: { at: '2026-11-20T07:00:00.000Z', ticket: { name: '1', path: '/helpdesk/tickets/1' } },
};

test.each([
  '//evil.example/x',
  '/\\evil.example',
  '\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  'helpdesk/tickets/1',
  '/helpdesk/tickets/1?x=1',
  '/helpdesk/tickets/1#x',
  '/helpdesk//tickets',
  '/a b',
  '/a\nb',
  '/',
  '',
])('a record’s path cannot leave the helpdesk: %j is refused', (path) => {
  expect(AroundTicket.safeParse(around).success).toBe(true);
  expect(AroundTicket.safeParse({ ...around, contact: { name: 'Vy', path } }).success).toBe(false);
});

test.each(['never', '2026-11-20 07:00:00', '2026-11-20'])('an instant has a zone: %j is refused', (at) => {
  const last_contact = { ...around.last_contact, at };
  expect(AroundTicket.safeParse({ ...around, last_contact }).success).toBe(false);
});
