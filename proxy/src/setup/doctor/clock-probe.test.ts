import { expect, test } from 'vitest';
import type { EgressResponse } from '#net/egress.ts';
import { createClockProbe } from './clock-probe.ts';

test('the answer that took the shortest time counts; one without a time does not', async () => {
  let now = Date.UTC(2026, 0, 1);
  const answers = [
    { took: 4_000, date: new Date(now + 60_000).toUTCString() },
    { took: 100, date: undefined },
    { took: 100, date: 'once upon a time' },
    { took: 1_000, date: new Date(now + 300_000).toUTCString() },
    { took: 2_000, date: new Date(now).toUTCString() },
  ];
  const server = {
    origin: 'https://host.example',
    async request({ path }: { path: string }): Promise<EgressResponse> {
      const { took, date } = answers[Number(path)] ?? { took: 0, date: undefined };
      now += took;
      return { status: 200, headers: date === undefined ? {} : { date }, text: '' };
    },
  };
  const { upstream, ahead } = createClockProbe(server, () => now);
  expect(ahead()).toBeNull();
  const { signal } = new AbortController();
  for (const index of answers.keys()) await upstream.request({ method: 'GET', path: `${index}`, signal });
  // Asked 4.2 s after the start, answered a second later: told at 4.7 s.
  expect(ahead()).toBe(300_000 - 4_700);
});
