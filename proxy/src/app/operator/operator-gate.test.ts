import { expect, test } from 'vitest';
import { memoryBy } from '#adapters/memory-lru/memory.ts';
import { createCredentialPools } from '#app/access/credential-pools.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskSignIn } from '#ports/helpdesk/helpdesk-sign-in.ts';
import { fakeClock } from '#ports/testing/quiet.ts';
import { createOperatorGate } from './operator-gate.ts';

const { signal } = new AbortController();

function setUp(finish: HelpdeskSignIn['finish']) {
  const clock = fakeClock();
  const sessions = { begin: async () => {}, find: async () => null, touch: async () => {}, end: async () => {} };
  const gate = createOperatorGate({
    helpdesk: { begin: async () => ({ url: '', pending: { state: '', verifier: '' } }), finish },
    readRoles: async () => [],
    sessions: { ...sessions, deleteOver: async () => 0 },
    pools: createCredentialPools(memoryBy(clock), clock),
    clock,
  });
  const comeBack = (state: string, client: string) => gate.finish('?code=x', { state, verifier: 'v' }, signal, client);
  return { clock, comeBack };
}

test('codes that the helpdesk refuses are soon no longer tried for the address they come from', async () => {
  let asked = 0;
  const { clock, comeBack } = setUp(async () => {
    asked += 1;
    throw new HelpdeskError('unauthenticated', 'no such code');
  });
  for (let tries = 0; tries < 100; tries += 1) expect(await comeBack(`s${tries}`, 'a')).toEqual({ problem: 'refused' });
  for (let tries = 0; tries < 100; tries += 1)
    expect(await comeBack(`t${tries}`, 'a')).toEqual({ problem: 'helpdesk_unavailable' });
  expect(asked).toBe(100);
  expect(await comeBack('other', 'b')).toEqual({ problem: 'refused' });
  clock.advance(1_000);
  expect(await comeBack('later', 'a')).toEqual({ problem: 'refused' });
});

test('of one address a few come in at a time, and nobody else waits for them', async () => {
  const waiting: (() => void)[] = [];
  const asked: string[] = [];
  const { comeBack } = setUp(async (_, { state }) => {
    asked.push(state);
    if (state !== 'other') await new Promise<void>((resolve) => waiting.push(resolve));
    return { id: 'mai@desk.example', fullName: null, language: null, roles: ['Agent Manager'] };
  });
  const many = Array.from({ length: 20 }, (_, n) => comeBack(`s${n}`, 'a'));
  await expect.poll(() => asked.length).toBe(4);
  expect(await comeBack('other', 'b')).toEqual({ token: expect.any(String) });
  expect(asked).toHaveLength(5);
  const ended = Promise.all(many);
  while (asked.length < 21) {
    for (const end of waiting.splice(0)) end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const end of waiting.splice(0)) end();
  expect(await ended).toHaveLength(20);
});
