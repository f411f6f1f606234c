// @vitest-environment happy-dom
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient, keepOnly } from './profile-query.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('no timer holds a ticket that was left: neither one that was on screen nor one that was still loading', async () => {
  const client = createQueryClient();
  const shown = { queryKey: ['profile', '1'], queryFn: async () => 'customer', staleTime: 60_000 };
  const hide = new QueryObserver(client, shown).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(1);
  expect(client.getQueryData(shown.queryKey)).toBe('customer');
  hide();
  keepOnly(client, '2');
  const loading = { queryKey: ['profile', '2'], queryFn: () => new Promise(() => {}) };
  const left = client.fetchQuery(loading).catch(() => {});
  keepOnly(client, '3');
  await left;
  expect(vi.getTimerCount()).toBe(0);
});
