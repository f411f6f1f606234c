import { expect, test } from 'vitest';
import { AroundTicket } from './around.ts';

const recent = {
  ...{ name: '1', path: '/helpdesk/tickets/1', subject: null, status: null, is_open: true, team: null },
  created_at: '2026-11-20T07:00:00.000Z',
};
const around = {
  ticket: '2',
  customer: null,
  recent: [recent],
  counts: { open: 1, in_90_days: 1, all: 1, is_more: false },
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
  expect(AroundTicket.safeParse({ ...around, recent: [{ ...recent, path }] }).success).toBe(false);
});

test.each(['never', '2026-11-20 07:00:00', '2026-11-20'])('an instant has a zone: %j is refused', (created_at) => {
  expect(AroundTicket.safeParse({ ...around, recent: [{ ...recent, created_at }] }).success).toBe(false);
});
